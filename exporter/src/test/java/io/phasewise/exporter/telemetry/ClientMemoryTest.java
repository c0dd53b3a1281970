/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.UUID;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How much of the heap clients can take that push as much as they may. */
class ClientMemoryTest {

    private static final int BOUND = 8 << 20;
    private static final String SENDS = "producer.record.send.total";
    private static final String SHOWN_SENDS = "kafka_client_producer_record_sends_total";

    private Reception reception =
            Reception.of(1_000, Pattern.compile(".*"), BOUND, ClientLabel.CLIENT_ID, ClientLabel.GROUP);
    private ClientMemory memory = reception.memory;

    @BeforeEach
    void tellTheInterval() {
        reception.interval = Duration.ofSeconds(30);
    }

    @Test
    void clientsTimesCountersTimesLongKeysStayUnderTheBound() {
        push("honest", new OtlpPush().delta(SENDS, 1));
        for (int client = 0; client < 120; client++) {
            OtlpPush push = new OtlpPush();
            for (int counter = 0; counter < 300; counter++) {
                push.cumulative(SENDS, 1, "topic", longName(counter));
            }
            push("hostile-" + client, push);
        }

        assertThat(refused("counter_too_many")).isPositive();
        assertThat(refused("counter_no_room")).isPositive();
        assertThat(refused("client_no_room")).isPositive().isEqualTo(reception.counted("dropped"));
        theHeapHoldsNoMoreThanIsAccounted();
    }

    @Test
    void manyClientsWithLongNamesAndSeriesStayUnderTheBound() {
        for (int client = 0; client < 4_000; client++) {
            push(longName(client), new OtlpPush().group(longName(client)).delta(SENDS, 1));
        }

        theHeapHoldsNoMoreThanIsAccounted();
    }

    /** Ends the reception, as what it held is what is free then. */
    private void theHeapHoldsNoMoreThanIsAccounted() {
        long accounted = remembered();
        long before = heap();
        memory = null;
        reception = null;
        long held = before - heap();

        assertThat(accounted).isBetween(BOUND / 2L, BOUND * 3L / 4);
        assertThat(held).as("heap, of %d accounted", accounted).isBetween(accounted / 4, accounted);
    }

    @Test
    void whoWasThereBeforeIsCountedThroughAFloodAndNewOnesAfterIt() {
        push("honest", new OtlpPush().at(1, 1).delta(SENDS, 1));
        for (int client = 0; client < 4_000; client++) {
            push("hostile-" + client, new OtlpPush().delta(SENDS, 1));
        }
        push("honest", new OtlpPush().at(1, 2).delta(SENDS, 2));
        assertThat(reception.shown(SHOWN_SENDS, "honest")).isEqualTo(3);
        long accepted = reception.counted("accepted");
        push("late", new OtlpPush().delta(SENDS, 5));
        assertThat(reception.counted("accepted")).isEqualTo(accepted);

        reception.pass(reception.interval.multipliedBy(4));
        push("late", new OtlpPush().delta(SENDS, 7));
        assertThat(reception.counted("accepted")).isEqualTo(accepted + 1);
        assertThat(remembered()).isLessThan(BOUND / 2L);
    }

    @Test
    void whatIsForgottenGivesItsRoomBack() {
        for (int client = 0; client < 2_000; client++) {
            push("hostile-" + client, new OtlpPush().delta(SENDS, 1).delta(SENDS, 1, "topic", "a"));
        }
        reception.pushLast("ends", "ends", new OtlpPush().delta(SENDS, 1));
        reception.pass(Duration.ofMinutes(20));

        assertThat(reception.clients()).doesNotContain("ends", "hostile-0");
        assertThat(remembered()).isZero();
    }

    @Test
    void pushesThatWaitHoldAQuarterAtMostAndItComesBack() {
        for (int i = 0; i < 100; i++) {
            reception.offer("c" + i, "c" + i, false, new byte[100_000]);
        }
        assertThat(memory.waiting.used()).isBetween(BOUND / 5L, BOUND / 4L);
        assertThat(refused("push_no_room")).isPositive().isEqualTo(reception.counted("dropped"));

        reception.read();

        assertThat(memory.waiting.used()).isZero();
    }

    /** By instances as large as Kafka's. */
    private void push(String client, OtlpPush content) {
        reception.push(UUID.nameUUIDFromBytes(client.getBytes(StandardCharsets.UTF_8)), client, content);
    }

    private long remembered() {
        return memory.remembered.used();
    }

    private long refused(String reason) {
        return reception.refused(reason);
    }

    /** 1,000 characters that no Latin alphabet has: two bytes each. */
    private static String longName(int i) {
        return i + "\u0416".repeat(1_000);
    }

    /** Bytes in use after collections that leave little else: the least of several readings. */
    private static long heap() {
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        long least = Long.MAX_VALUE;
        for (int reading = 0; reading < 3; reading++) {
            memory.gc();
            least = Math.min(least, memory.getHeapMemoryUsage().getUsed());
        }
        return least;
    }
}
