/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.lab.process.Programs;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** How much memory a large cluster takes, in the JVM that the documentation recommends. */
class ManyBrokersIT {
    @Test
    void aHundredBrokersWithFourProfilesFitIn128Megabytes() throws Exception {
        Process process = new ProcessBuilder(
                        Programs.java(),
                        "-Xmx128m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ManyBrokers.class.getName())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor(5, TimeUnit.MINUTES)).as(said).isTrue();
        assertThat(process.exitValue()).as(said).isZero();
    }
}
