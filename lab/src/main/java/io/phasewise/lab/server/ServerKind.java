/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.server;

/**
 * A server that can be built from a pinned module: what it is called, what is old enough, how it is
 * built.
 *
 * @param program the server's, which is also what messages call it
 * @param tool the program that checks its configuration; the server itself where it has none
 * @param minimum the oldest release that can do everything
 * @param oldest the oldest release that will do at need
 * @param directory where the go.mod that pins it lies, seen from the repository's root
 * @param buildTags for the compiler, with commas between
 */
public record ServerKind(
        String program, String tool, Version minimum, Version oldest, String directory, String buildTags) {
    /** Those before 3.8 have no stable native histograms; classic ones do from 2.42 on. */
    public static final ServerKind PROMETHEUS = new ServerKind(
            "prometheus",
            "promtool",
            new Version(3, 8, 0),
            new Version(2, 42, 0),
            "prometheus",
            // Service discovery by files and static lists stays; that of a score of clouds
            // takes two thirds of the build.
            "remove_all_sd,netgo");

    /** Older ones lack the configuration that ours uses. */
    public static final ServerKind ALERTMANAGER =
            new ServerKind("alertmanager", "amtool", new Version(0, 28, 0), new Version(0, 28, 0), "alerting", "netgo");

    /** Has no files of its own and so no tool that checks them: the program stands for it. */
    public static final ServerKind NODE_EXPORTER = new ServerKind(
            "node_exporter", "node_exporter", new Version(1, 3, 0), new Version(1, 3, 0), "lab/node-exporter", "netgo");

    /** Its Go module. */
    String module() {
        return "github.com/prometheus/" + program;
    }
}
