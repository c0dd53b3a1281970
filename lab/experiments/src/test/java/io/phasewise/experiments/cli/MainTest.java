/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class MainTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        return Main.run(
                Path.of("nowhere"),
                new PrintWriter(out, true),
                new PrintWriter(err, true),
                () -> false,
                arguments);
    }

    @Test
    void listNamesEveryExperimentWithItsParameters() {
        assertThat(run("list")).isZero();
        assertThat(out.toString())
                .contains(
                        "slow-follower (about 6 min)\n",
                        "acks (about 9 min)\n",
                        "linger (",
                        "allowed: 2 to 100");
    }

    @Test
    void anUnknownExperimentIsRefused() {
        assertThat(run("run", "nonsense")).isEqualTo(2);
        assertThat(err.toString())
                .contains("there is no experiment nonsense; allowed: soak, slow-follower, acks");
    }

    @Test
    void allFaultsOfACommandAreNamedAtOnce() {
        assertThat(
                        run(
                                "run",
                                "slow-follower",
                                "--bootstrap",
                                "broker:9092",
                                "--client-config",
                                "/no/such/file",
                                "--param",
                                "repeats=1",
                                "--param",
                                "stal=5"))
                .isEqualTo(2);
        assertThat(err.toString())
                .contains("which is refused on a cluster that the lab did not start")
                .contains("--client-config: /no/such/file cannot be read")
                .contains("--param repeats=1 is not allowed; allowed: 2 to 100")
                .contains("--param stal is not known; allowed: stall, period, repeats");
    }

    @Test
    void parametersThatDoNotGoTogetherAreRefused() {
        assertThat(run("run", "slow-follower", "--param", "stall=2000")).isEqualTo(2);
        assertThat(err.toString()).contains("these parameters do not go together");
    }

    @Test
    void aSoakTooShortToSayAnythingIsRefused() {
        assertThat(run("run", "soak", "--hours", "0.05")).isEqualTo(2);
        assertThat(err.toString()).contains("0.05 hours have 6 samples 30 s apart");
    }

    @Test
    void hoursAreASoaks() {
        assertThat(run("run", "acks", "--hours", "1")).isEqualTo(2);
        assertThat(err.toString()).contains("--param hours is not known");
    }

    @Test
    void anUnknownRowOfTheMatrixIsRefused() {
        assertThat(run("matrix", "--only", "nonsense", "--plain", "1")).isEqualTo(2);
        assertThat(err.toString())
                .contains("--row: no row nonsense; allowed: prometheus-restarts")
                .contains("--plain: 1; allowed: 2 to 600");
    }

    @Test
    void aCommandIsNeeded() {
        assertThat(run()).isEqualTo(2);
        assertThat(err.toString()).contains("which command? Allowed: list, run, matrix");
    }
}
