/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix;

import io.phasewise.experiments.declared.Declaration;
import io.phasewise.experiments.fault.Fault;
import io.phasewise.lab.fault.FalseClock;
import io.phasewise.lab.fault.PacketLoss;
import io.phasewise.lab.fault.SlowDisk;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** All rows there are, each declared in a file, and which of them this machine cannot carry out. */
public final class Matrix {
    private static final String DIRECTORY = "/faults/";

    /** Names of rows, in the order in which they run. */
    static final String ORDER = "order.yml";

    private Matrix() {}

    /** All rows, in order. */
    public static List<Row> rows() {
        return Stream.of(read(ORDER, String[].class))
                .map(name -> read(name + ".yml", Row.class).named(name))
                .toList();
    }

    private static <T> T read(String file, Class<T> type) {
        return Declaration.read(file, Declaration.text(DIRECTORY + file), type);
    }

    /**
     * Why a fault cannot be made here, for people; empty when it can.
     *
     * @param data where brokers would keep their data
     * @throws InterruptedException when interrupted
     */
    public static Optional<String> obstacle(Fault fault, Path data) throws InterruptedException {
        for (Fault.Need need : fault.needs()) {
            Optional<String> obstacle =
                    switch (need) {
                        case PERMISSIONS -> Optional.empty();
                        case CLOCK ->
                                FalseClock.library().isPresent()
                                        ? Optional.empty()
                                        : Optional.of(
                                                "libfaketime is not installed (Debian: faketime)");
                        case PACKET_LOSS -> PacketLoss.obstacle();
                        case SLOW_DISK -> SlowDisk.obstacle(data);
                    };
            if (obstacle.isPresent()) {
                return obstacle;
            }
        }
        return Optional.empty();
    }
}
