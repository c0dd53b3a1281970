/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix;

import io.phasewise.lab.fault.FalseClock;
import io.phasewise.lab.fault.PacketLoss;
import io.phasewise.lab.fault.SlowDisk;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** All rows there are, and which of them this machine cannot carry out. */
public final class Matrix {
    private Matrix() {}

    /**
     * All rows, in order.
     *
     * @param withAlerts whether faults last long enough for the alerts that they should raise
     */
    public static List<Row> rows(boolean withAlerts) {
        return Stream.of(Rows.all(withAlerts), ResourceRows.all(withAlerts), CanaryRows.all())
                .flatMap(List::stream)
                .toList();
    }

    /**
     * Why a row cannot be carried out here, for people; empty when it can.
     *
     * @param withAlerts whether Prometheus and Alertmanager watch
     * @param data where brokers would keep their data
     * @throws InterruptedException when interrupted
     */
    public static Optional<String> obstacle(Row.Needs needs, boolean withAlerts, Path data)
            throws InterruptedException {
        return switch (needs) {
            case NOTHING, ACLS -> Optional.empty();
            case ALERTS ->
                    withAlerts
                            ? Optional.empty()
                            : Optional.of("nothing watches: run without --no-alerts");
            case CLOCK ->
                    FalseClock.library().isPresent()
                            ? Optional.empty()
                            : Optional.of("libfaketime is not installed (Debian: faketime)");
            case PACKET_LOSS -> PacketLoss.obstacle();
            case SLOW_DISK -> SlowDisk.obstacle(data);
        };
    }
}
