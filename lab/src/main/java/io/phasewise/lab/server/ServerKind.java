/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.server;

/**
 * A server that can be built from a pinned module: its names, the versions that will do, and how it
 * is built.
 *
 * @param program its file name, also used in messages
 * @param tool the program that checks its configuration; the server itself when there is none
 * @param minimum the oldest release that can do everything
 * @param oldest the oldest release that can be used, with less
 * @param directory of the go.mod that pins it, relative to the root of the repository
 * @param buildTags separated by commas
 */
public record ServerKind(
        String program, String tool, Version minimum, Version oldest, String directory, String buildTags) {
    /** Releases before 3.8 have no stable native histograms. From 2.42 on classic ones will do. */
    public static final ServerKind PROMETHEUS = new ServerKind(
            "prometheus",
            "promtool",
            new Version(3, 8, 0),
            new Version(2, 42, 0),
            "prometheus",
            // // Without service discovery of clouds, which takes two thirds of the build; files
            // and static lists stay.
            "remove_all_sd,netgo");

    /** Older releases lack keys that our configuration uses. */
    public static final ServerKind ALERTMANAGER =
            new ServerKind("alertmanager", "amtool", new Version(0, 28, 0), new Version(0, 28, 0), "alerting", "netgo");

    /** It has no configuration, so no tool that checks it: the program stands for the tool. */
    public static final ServerKind NODE_EXPORTER = new ServerKind(
            "node_exporter", "node_exporter", new Version(1, 3, 0), new Version(1, 3, 0), "lab/node-exporter", "netgo");

    /** Its Go module. */
    String module() {
        return "github.com/prometheus/" + program;
    }
}
