/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.lab.junit.CommandReference;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class MainTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        return Main.run(Path.of("."), new PrintWriter(out), new PrintWriter(err), () -> false, arguments);
    }

    @Test
    void theReferenceSaysWhatTheHelpSays() throws IOException {
        CommandReference.holds(Main.commands(Path.of("."), line -> {}));
    }

    @Test
    void withoutANameItListsTheBenchmarks() {
        assertThat(run()).isZero();
        assertThat(out.toString()).contains("record", "peers", "scrape", "agent-load", "agent-request");
    }

    @Test
    void anUnknownNameIsRefused() {
        assertThat(run("speed")).isEqualTo(2);
        assertThat(err.toString()).contains("speed");
    }

    @Test
    void allFaultsAreToldInOneRun() {
        assertThat(run("agent-request", "--forks", "0", "--iterations", "4000")).isEqualTo(2);
        assertThat(err.toString()).contains("--forks: 0; allowed: 1 to 100", "--iterations: 4000; allowed: 1 to 1000");
    }

    @Test
    void rulesThatCannotBeReadAreRefusedBeforeABrokerStarts() {
        assertThat(run("scrape", "--partitions", "30", "other=/nowhere.yml")).isEqualTo(2);
        assertThat(err.toString()).contains("--partitions: 30; allowed: multiples of 20", "other: cannot read");
    }

    @Test
    void theAgentsBenchmarksRefuseWhatCannotBeRun() {
        assertThat(run("agent-load", "--sample", "0", "--partitions", "0")).isEqualTo(2);
        assertThat(err.toString()).contains("--sample: 0", "--partitions", "30 to 20000");
        assertThat(run("agent-request", "--threads", "1,0")).isEqualTo(2);
        assertThat(err.toString()).contains("--threads", "1 to 256");
    }
}
