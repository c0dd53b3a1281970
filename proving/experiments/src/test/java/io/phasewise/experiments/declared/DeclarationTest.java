/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.declared;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.phasewise.experiments.fault.Fault;
import io.phasewise.experiments.fault.kinds.FaultKinds;
import io.phasewise.experiments.fault.network.SlowPath;
import io.phasewise.experiments.fault.overload.BusyHandlers;
import io.phasewise.experiments.fault.pause.StallingBroker;
import io.phasewise.experiments.fault.restart.RollingBrokers;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeclarationTest {
    private record Declared(@FaultKinds Fault fault) {}

    private static Fault fault(String mapping) {
        return Declaration.read("row.yml", "fault: " + mapping, Declared.class).fault();
    }

    @Test
    void faultsAreBoundToTheRecordsThatCarryThemOut() {
        assertThat(fault("{kind: stalling-broker, broker: 3, standstill: 600ms, period: 2s}"))
                .isEqualTo(new StallingBroker(3, Duration.ofMillis(600), Duration.ofSeconds(2)));
        assertThat(fault("{kind: slow-path, brokers: [1], path: clients, direction: to-broker, delay: 100ms}"))
                .isEqualTo(new SlowPath(
                        List.of(1),
                        SlowPath.Path.CLIENTS,
                        SlowPath.Direction.TO_BROKER,
                        Optional.of(Duration.ofMillis(100)),
                        Optional.empty()));
        assertThat(fault("{kind: rolling-brokers}")).isEqualTo(new RollingBrokers(List.of()));
        assertThat(fault("{kind: busy-handlers, broker: 1, producers: 35, batch-bytes: 50000}"))
                .isEqualTo(new BusyHandlers(1, 35, 50_000));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    {kind: standstil, broker: 1}                                           | row.yml: Could not resolve type id 'standstil'
                    {kind: standstil, broker: 1}                                           | known type ids = [application-load, away-from-poll
                    {kind: stalling-broker, broker: 1, brokr: 1, standstill: 1s, period: 2s} | Unrecognized field "brokr"
                    {kind: stalling-broker, standstill: 1s, period: 2s}                    | Cannot map `null` into type `int`
                    {kind: stalling-broker, broker: one, standstill: 1s, period: 2s}       | Cannot deserialize value of type `int` from String "one"
                    {kind: stalling-broker, broker: 1, standstill: 3s, period: 2s}         | standstill: PT3S; allowed: more than 0s, up to 1999ms
                    {kind: stalling-broker, broker: 1, standstill: 3, period: 2s}          | "3" is no duration
                    {kind: stalling-broker, broker: 1, period: 2s}                         | standstill is missing; allowed: more than 0s
                    {kind: slow-path, brokers: [1], path: client, direction: to-broker}    | [clients, brokers]
                    {kind: slow-path, brokers: [1], path: clients, direction: to-broker}   | either delay or bytes-per-second
                    {kind: slow-disk, broker: 1, writes-per-second: 0}                     | writes-per-second: 0.0; allowed: 1 to 1000000
                    {kind: deleted-topic, kind: deleted-topic}                             | Duplicate
                    """)
    void whatIsNotAllowedNamesKeyValueAndWhatIs(String mapping, String said) {
        assertThatThrownBy(() -> fault(mapping))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(said);
    }
}
