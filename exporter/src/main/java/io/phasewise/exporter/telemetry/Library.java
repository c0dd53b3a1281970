/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.telemetry;

/** The client library that pushes, where one name means different things in different libraries. */
enum Library {
    LIBRDKAFKA("librdkafka"),
    FRANZ_GO("kgo"),
    OTHER("");

    /** As {@code client-metrics.csv} has it, after the at sign; empty for none in particular. */
    final String name;

    Library(String name) {
        this.name = name;
    }

    /** By what a client says of its software. Libraries on top of librdkafka name it in their version. */
    static Library of(Push.Sender sender) {
        if (sender.softwareName.equals("librdkafka")
                || sender.softwareName.startsWith("confluent-kafka-")
                || sender.softwareVersion.contains("rdkafka-")) {
            return LIBRDKAFKA;
        }
        return sender.softwareName.equals("kgo") ? FRANZ_GO : OTHER;
    }
}
