/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix.row;

import static io.phasewise.experiments.matrix.row.DeclaredRows.expectation;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.phasewise.experiments.matrix.scene.Scene;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MatrixTest {
    private static final Set<String> PATHS_AND_QUEUES =
            Set.of("SlowPath", "BusyHandlers", "LostPackets", "SlowConsumer");
    private final Map<String, Row> rows = Row.all().stream().collect(Collectors.toMap(Row::name, Function.identity()));

    @Test
    void everyFileIsARowAndEveryRowAFile() throws Exception {
        Path directory = Path.of(Row.class.getResource("/faults/order.yml").toURI());
        try (Stream<Path> files = Files.list(directory.getParent())) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .as("files of faults/, each of which order.yml names, so that it runs")
                    .containsExactlyInAnyOrderElementsOf(Stream.concat(
                                    Stream.of("order.yml"),
                                    rows.keySet().stream().map(name -> name + ".yml"))
                            .toList());
        }
    }

    @Test
    void pathsAndQueuesHoldLongerThanTheEstimatorsMemory() {
        assertThat(rows.values())
                .filteredOn(row -> row.faults().stream()
                        .map(fault -> fault.getClass().getSimpleName())
                        .anyMatch(PATHS_AND_QUEUES::contains))
                .hasSizeGreaterThan(7)
                .allSatisfy(row -> assertThat(row.holds().full())
                        .as("holds.long of %s, a fault of a path or a queue", row.name())
                        .isGreaterThanOrEqualTo(Duration.ofSeconds(180)));
    }

    @Test
    void whatAFaultNeedsItsLayoutHas() {
        assertThat(rows.get("clock-steps").layout().clock()).isTrue();
        assertThat(rows.get("permission-revoked").layout().secured()).isTrue();
        assertThat(rows.get("one-slow-of-five").layout().brokers()).isEqualTo(5);
        assertThat(rows.get("slow-controller").layout().controllers()).isEqualTo(3);
        assertThat(rows.get("delay-to-leader").layout()).isEqualTo(Scene.USUAL);
    }

    @Test
    void whoMustBeNamedIsABrokerOfTheLayout() {
        assertThat(rows.values())
                .allSatisfy(row -> assertThat(row.expect().suspects().allowed())
                        .as("suspects of %s are brokers of its layout, the controller, or no broker", row.name())
                        .allMatch(who -> who.broker().equals(Suspect.NO_BROKER)
                                || who.role().equals("controller")
                                || Integer.parseInt(who.broker())
                                        <= row.layout().brokers()));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    {leaders: [1]}                                          | top: []; allowed: one of shares, top and unmoved, or else probes.must
                    {leaders: [1], probes: {may: [late]}}                   | or else probes.must
                    {leaders: [1], top: [commit], unmoved: true}            | one of shares, top and unmoved
                    {leaders: [], unmoved: true}                            | leaders: []; allowed: one or more ids
                    {leaders: [1], top: [comit]}                            | from String "comit": not one of the values accepted
                    {leaders: [1], shares: {commit: 2}}                     | shares: 2.0; allowed: 0.05 to 1
                    {leaders: [1], unmoved: true, suspects: {may: [three]}} | suspect: three; allowed: as in 1 network/publish
                    {leaders: [1], unmoved: true, suspects: {may: [1 client/fetch]}} | suspect: 1 client/fetch; allowed: as in
                    {leaders: [1], unmoved: true, suspects: {may: [several several/commit]}} | suspect: several several/commit; allowed: as in
                    {leaders: [1], unmoved: true, probes: {may: [dropped]}} | from String "dropped": not one of the values accepted
                    """)
    void aRowThatAsksNothingOrAnotherThingIsRefused(String expect, String said) {
        assertThatThrownBy(() -> expectation(expect)).hasMessageContaining(said);
    }
}
