/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.cli;

import io.phasewise.bench.run.CanaryProcess;
import io.phasewise.bench.run.CanaryReading;
import io.phasewise.bench.run.Cluster;
import io.phasewise.bench.run.Jvm;
import io.phasewise.bench.run.Load;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/** What the benchmarks on a cluster have in common: progress, and a canary for each run. */
final class OnCluster {
    private final Path root;
    private final Cluster cluster;

    OnCluster(Path root, Cluster cluster) {
        this.root = root;
        this.cluster = cluster;
    }

    static void say(String format, Object... arguments) {
        System.err.printf(format + "%n", arguments);
    }

    /** Starts the brokers. */
    static Cluster start(Path root, String cpus) throws IOException, InterruptedException {
        say("starting three brokers");
        return Cluster.start(root, cpus);
    }

    /** One canary from start to end. */
    CanaryReading canary(Jvm jvm, Load load, Duration warmUp, Duration length)
            throws IOException, InterruptedException {
        try (CanaryProcess canary = start(jvm, load)) {
            return canary.measure(warmUp, length);
        }
    }

    /** A canary; for the caller to close. */
    CanaryProcess start(Jvm jvm, Load load) throws IOException, InterruptedException {
        Path jar = root.resolve("canary/target/phasewise-canary.jar");
        return CanaryProcess.start(jar, cluster.scratch("canary"), jvm, load, cluster.bootstrap());
    }
}
