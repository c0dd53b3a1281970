/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MatrixDocumentTest {
    private static final RowResult SEEN =
            new RowResult(
                    "delay",
                    "100 ms to the leader",
                    List.of("only 80 % of what was added is in [publish]"),
                    "",
                    300,
                    Map.of("delivered", 298L, "late", 1L, "lost", 0L, "send_failed", 0L),
                    1,
                    9.5,
                    Map.of("delivered", 98L, "late", 1L, "lost", 0L, "send_failed", 0L),
                    0,
                    2,
                    0,
                    0,
                    Map.of("publish", 100.0),
                    Map.of("publish", 97.0, "fetch", 3.0),
                    1.5,
                    Map.of("a wait for a handler, broker 1", 812.0),
                    Map.of("BrokerDown (critical)", 71.2),
                    List.of("SLOFastBurn"),
                    List.of("ProbesLost"),
                    true,
                    3.2,
                    40,
                    41,
                    50,
                    60,
                    7);

    private static final Row OTHER =
            new Row(
                    "other",
                    "something else",
                    scene -> () -> {},
                    Duration.ZERO,
                    Effect.MOVES_PHASES,
                    Set.of(),
                    Map.of(),
                    List.of(),
                    Set.of(),
                    Optional.empty(),
                    Row.Needs.ALERTS);

    private final MatrixDocument document =
            new MatrixDocument(
                    "2026-11-21T20:00:00Z",
                    "./phasewise lab matrix",
                    "a machine",
                    List.of(SEEN, RowResult.skipped(OTHER, "nothing watches")),
                    List.of());

    @Test
    void theJsonHoldsAllOfIt() throws Exception {
        assertThat(MatrixDocument.read(document.json())).isEqualTo(document);
    }

    @Test
    void theDocumentShowsFaultsPhasesAndAlerts() {
        assertThat(document.markdown())
                .contains("only 80 % of what was added is in [publish]")
                .contains(
                        "| 10 s   | 1 of 99      | publish 100 | 100 % | 97 %               | 2    "
                                + "  |")
                .contains("BrokerDown (critical) 71")
                .contains("| SLOFastBurn | ProbesLost   |")
                .contains("grown by 0.80 to 1.25 of it")
                .contains("a wait for a handler, broker 1                 | 812")
                .contains("nothing watches");
        assertThat(SEEN.good()).isFalse();
    }

    @Test
    void aRowThatBrokeOffIsAFault() {
        RowResult broken = RowResult.brokenOff(OTHER, new IOException("no answer"));
        assertThat(broken.good()).isFalse();
        assertThat(new MatrixDocument("", "", "", List.of(SEEN, broken), List.of()).markdown())
                .contains("broken off: java.io.IOException: no answer")
                .contains("only 80 % of what was added is in [publish]");
    }

    @Test
    void aRowThatIsRunAgainTakesThePlaceOfTheEarlier() throws Exception {
        MatrixDocument later =
                new MatrixDocument(
                        "2026-11-22T20:00:00Z",
                        "./phasewise lab matrix --row other,new",
                        "a machine",
                        List.of(
                                RowResult.skipped(OTHER, "seen now"),
                                RowResult.skipped(named("new"), "came later")),
                        List.of());
        MatrixDocument renewed = document.renewedBy(later);

        assertThat(renewed.rows())
                .extracting(RowResult::name)
                .containsExactly("delay", "other", "new");
        assertThat(renewed.markdown())
                .contains("Run of 2026-11-21T20:00:00Z on a machine.")
                .contains(
                        "In place of what that run said of other, new: a run of"
                                + " 2026-11-22T20:00:00Z (`./phasewise lab matrix --row"
                                + " other,new`).")
                .contains("seen now")
                .doesNotContain("nothing watches");
        assertThat(MatrixDocument.read(renewed.json())).isEqualTo(renewed);
    }

    private static Row named(String name) {
        return Row.of(name, "", scene -> () -> {}, Duration.ZERO, Effect.IS_FELT, Set.of());
    }

    @Test
    void theCommittedDocumentIsMadeOfTheCommittedJson() throws Exception {
        Path docs = Path.of(System.getProperty("phasewise.root"), "docs");
        Path json = docs.resolve("fault-matrix.json");
        assumeThat(Files.exists(json)).as("docs/fault-matrix.json is there").isTrue();

        assertThat(Files.readString(docs.resolve("fault-matrix.md")))
                .as("docs/fault-matrix.md; ./phasewise lab matrix writes both")
                .isEqualTo(MatrixDocument.read(Files.readString(json)).markdown());
    }
}
