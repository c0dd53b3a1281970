/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.server;

import java.util.List;

/**
 * The servers that can be built from pinned modules: what they are called, what is old enough, how
 * they are built.
 */
public enum ServerKind {
    /** Those before 3.8 have no stable native histograms; classic ones do from 2.42 on. */
    PROMETHEUS(
            "prometheus",
            "promtool",
            new Version(3, 8, 0),
            new Version(2, 42, 0),
            "prometheus",
            "github.com/prometheus/prometheus",
            // Service discovery by files and static lists stays; that of a score of clouds takes
            // two thirds of the build.
            List.of("remove_all_sd", "netgo")) {
        @Override
        Version release(Version module) {
            // As a Go module, 3.15.0 is called 0.315.0: modules of a major version above 1 would
            // need another path.
            return module.major() == 0 && module.minor() >= 300
                    ? new Version(module.minor() / 100, module.minor() % 100, module.patch())
                    : module;
        }
    },
    /** Older ones lack the configuration that ours uses. */
    ALERTMANAGER(
            "alertmanager",
            "amtool",
            new Version(0, 28, 0),
            new Version(0, 28, 0),
            "alerting",
            "github.com/prometheus/alertmanager",
            List.of("netgo")),
    /** Has no files of its own and so no tool that checks them: the program stands for it. */
    NODE_EXPORTER(
            "node_exporter",
            "node_exporter",
            new Version(1, 3, 0),
            new Version(1, 3, 0),
            "lab/node-exporter",
            "github.com/prometheus/node_exporter",
            List.of("netgo"));

    private final String program;
    private final String tool;
    private final Version minimum;
    private final Version oldest;
    private final String directory;
    private final String module;
    private final List<String> buildTags;

    ServerKind(
            String program,
            String tool,
            Version minimum,
            Version oldest,
            String directory,
            String module,
            List<String> buildTags) {
        this.program = program;
        this.tool = tool;
        this.minimum = minimum;
        this.oldest = oldest;
        this.directory = directory;
        this.module = module;
        this.buildTags = buildTags;
    }

    /** The release that a version of the Go module holds. */
    Version release(Version module) {
        return module;
    }

    /** The server's program, which is also what messages call it. */
    public String program() {
        return program;
    }

    /** The program that checks its configuration; the server itself where it has none. */
    public String tool() {
        return tool;
    }

    /** The oldest release that can do everything. */
    public Version minimum() {
        return minimum;
    }

    /** The oldest release that will do at need; Prometheus then works with classic histograms. */
    public Version oldest() {
        return oldest;
    }

    /** Where the go.mod that pins it lies, seen from the repository's root. */
    String directory() {
        return directory;
    }

    String module() {
        return module;
    }

    List<String> buildTags() {
        return buildTags;
    }
}
