/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.lab.junit.SharedCluster;
import io.phasewise.lab.process.ManagedProcess;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The jar's command line: exit codes, messages, and the signal that ends it. */
class CommandLineIT {
    @RegisterExtension static final SharedCluster CLUSTER = TestClusters.SHARED;

    @TempDir private Path directory;

    private record Ending(int code, String output) {}

    @Test
    void badConfigurationEndsWithCodeTwoAndEveryFault() throws Exception {
        String file =
                config(
                        """
                        canary:
                          clusters:
                            prod:
                              bootstrap-servers: b:1
                              probe: {rate: fast, colour: red}
                        """);

        Ending ending = run("--config", file);

        assertThat(ending.code()).isEqualTo(2);
        assertThat(ending.output())
                .contains(
                        "canary.clusters.prod.probe.rate: \"fast\" is not a number; allowed: 0.1 to"
                                + " 10000\n")
                .contains("canary.clusters.prod.probe.colour: is not a known key; allowed here: ");
        assertThat(run("--check-config", file)).isEqualTo(ending);
    }

    @Test
    void aSoundFileIsCalledSound() throws Exception {
        String file = config("canary: {clusters: {a: {bootstrap-servers: 'b:1'}}}");

        assertThat(run("--check-config", file))
                .isEqualTo(
                        new Ending(
                                0,
                                file
                                        + ": sound\ncluster a: topic phasewise-canary: may create"
                                        + " it, add partitions, move its replicas, elect preferred"
                                        + " leaders, alter its settings; for each broker 20 probes"
                                        + " a second of 1024 bytes: a day 2.0 GB written, 6.1 GB"
                                        + " with all replicas, 2.0 GB read\n"));
    }

    @Test
    void aMissingOptionIsBadUsageAndTheVersionIsThatOfTheJar() throws Exception {
        Ending ending = run();
        assertThat(ending.code()).isEqualTo(2);
        assertThat(ending.output()).contains("--config", "Usage: phasewise-canary");

        assertThat(run("--version").output()).matches("phasewise-canary \\d+\\.\\d+\\.\\d+\n");
    }

    @Test
    void aTakenPortEndsWithCodeOne() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            String yaml =
                    "canary: {http: {port: %d}, clusters: {a: {bootstrap-servers: '127.0.0.1:1'}}}";

            Ending ending = run("--config", config(yaml.formatted(taken.getLocalPort())));

            assertThat(ending.code()).isEqualTo(1);
            assertThat(ending.output())
                    .contains(
                            "cannot listen on 127.0.0.1:" + taken.getLocalPort(),
                            "canary.http.port");
        }
    }

    @Test
    void aSignalStopsItInOrder() throws Exception {
        String config =
                """
                clusters:
                  local:
                    bootstrap-servers: %s
                    topic: {name: command-line}
                    probe: {rate: 5}
                """
                        .formatted(CLUSTER.get().bootstrap());
        try (RunningCanary canary = RunningCanary.jar(directory, config, "-Xmx128m")) {
            canary.await("measuring", now -> now.probes("delivered") > 5);

            assertThat(canary.process().stop(Duration.ofSeconds(10)))
                    .isEqualTo(ManagedProcess.Ending.STOPPED);

            assertThat(canary.process().exitStatus()).hasValue(143);
            String log = canary.log();
            assertThat(log).contains("stopping");
            assertThat(log.substring(log.indexOf("stopping"))).doesNotContain("Exception");
        }
    }

    private String config(String yaml) throws Exception {
        return Files.writeString(directory.resolve("canary.yml"), yaml).toString();
    }

    private Ending run(String... arguments) throws Exception {
        List<String> command = RunningCanary.java("-jar", RunningCanary.JAR.toString());
        command.addAll(List.of(arguments));
        Path output = directory.resolve("output");
        Process process =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
        try {
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("ends").isTrue();
            return new Ending(process.exitValue(), Files.readString(output));
        } finally {
            process.destroyForcibly();
        }
    }
}
