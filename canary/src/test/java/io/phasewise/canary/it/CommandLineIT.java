/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.lab.junit.SharedCluster;
import io.phasewise.lab.process.ManagedProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The jar as a process: its exit codes, its version, and the signal that ends it. */
class CommandLineIT {
    @RegisterExtension
    static final SharedCluster CLUSTER = TestClusters.SHARED;

    @ParameterizedTest
    @CsvSource({
        "--version, 0, phasewise-canary \\d+\\.\\d+\\.\\d+(-SNAPSHOT)?\\n",
        "--config=no-such.yml, 2, no-such.yml: there is no such file\\n"
    })
    void endsWithTheCodeOfItsCommand(String option, int code, String said) throws Exception {
        List<String> command = RunningCanary.java("-jar", RunningCanary.JAR.toString(), option);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try {
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("ends").isTrue();
            assertThat(new String(process.getInputStream().readAllBytes())).matches(said);
            assertThat(process.exitValue()).isEqualTo(code);
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void aSignalStopsItInOrder(@TempDir Path directory) throws Exception {
        String config = "clusters: {local: {bootstrap-servers: '%s', topic: {name: command-line}}}"
                .formatted(CLUSTER.get().bootstrap());
        try (RunningCanary canary = RunningCanary.jar(directory, config, "-Xmx128m")) {
            canary.await("measuring", now -> now.probes("delivered") > 5);
            assertThat(canary.process().stop(Duration.ofSeconds(10))).isEqualTo(ManagedProcess.Ending.STOPPED);
            assertThat(canary.process().exitStatus()).hasValue(143);
            String log = canary.log();
            assertThat(log).contains("stopping");
            assertThat(log.substring(log.indexOf("stopping"))).doesNotContain("Exception");
        }
    }
}
