/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What clients can make a broker hold, however hostile they are. */
class ClientMemoryTest {

    private static final int BOUND = 8 << 20;
    private static final int MAX_PUSH = 1 << 20;
    private static final long INTERVAL = Duration.ofSeconds(30).toNanos();
    private static final String SENDS = "producer.record.send.total";
    private static final Pattern ANY = Pattern.compile(".*");

    private static final Signal PRODUCER_SENDS =
            Signals.named("kafka_client_producer_record_sends_total");

    private final PushCounts counts = new PushCounts();
    private long now = Duration.ofHours(1).toNanos();
    private ClientLedger ledger = ledger();
    private PushQueue queue = queue();

    @Test
    void clientsTimesCountersTimesLongKeysStayUnderTheBound() {
        push("honest", new OtlpPush().delta(SENDS, 1));
        long before = heap();

        for (int client = 0; client < 120; client++) {
            OtlpPush push = new OtlpPush();
            for (int counter = 0; counter < 300; counter++) {
                push.cumulative(SENDS, 1, "topic", longName(counter));
            }
            push("hostile-" + client, push);
        }
        long held = heap() - before;

        assertThat(remembered()).isBetween(BOUND / 2L, BOUND * 3L / 4);
        assertThat(held).as("heap, of %d accounted", remembered()).isLessThan(remembered());
        assertThat(held).as("heap, of %d accounted", remembered()).isGreaterThan(remembered() / 4);
        assertThat(refused(ClientMemory.Refusal.COUNTER_TOO_MANY)).isPositive();
        assertThat(refused(ClientMemory.Refusal.COUNTER_NO_ROOM)).isPositive();
        assertThat(refused(ClientMemory.Refusal.CLIENT_NO_ROOM)).isPositive();
        assertThat(counts.of(PushCounts.Result.DROPPED))
                .isEqualTo(refused(ClientMemory.Refusal.CLIENT_NO_ROOM));
        assertThat(counts.of(PushCounts.Result.FAILED)).isZero();
    }

    @Test
    void manyClientsWithLongNamesAndSeriesStayUnderTheBound() {
        long before = heap();
        for (int client = 0; client < 4_000; client++) {
            push(longName(client), new OtlpPush().group(longName(client)).delta(SENDS, 1));
        }
        long held = heap() - before;

        assertThat(remembered()).isBetween(BOUND / 2L, BOUND * 3L / 4);
        assertThat(held).as("heap, of %d accounted", remembered()).isLessThan(remembered());
        assertThat(held).as("heap, of %d accounted", remembered()).isGreaterThan(remembered() / 4);
    }

    @Test
    void whoWasThereBeforeIsCountedThroughAFloodAndNewOnesAfterIt() {
        push("honest", new OtlpPush().at(1, 1).delta(SENDS, 1));
        for (int client = 0; client < 4_000; client++) {
            push("hostile-" + client, new OtlpPush().delta(SENDS, 1));
        }
        push("honest", new OtlpPush().at(1, 2).delta(SENDS, 2));
        assertThat(sends("honest")).isEqualTo(3);
        push("late", new OtlpPush().delta(SENDS, 5));
        assertThat(sends("late")).isNaN();

        now += 4 * INTERVAL;
        push("late", new OtlpPush().delta(SENDS, 7));
        assertThat(counts.of(PushCounts.Result.ACCEPTED)).isPositive();
        assertThat(remembered()).isLessThan(BOUND / 2L);
    }

    @Test
    void whatIsForgottenGivesItsRoomBack() {
        for (int client = 0; client < 2_000; client++) {
            push("hostile-" + client, new OtlpPush().delta(SENDS, 1).delta(SENDS, 1, "topic", "a"));
        }
        push("ends", new OtlpPush().delta(SENDS, 1), true);
        now += Duration.ofMinutes(20).toNanos();
        ledger.read(all -> null);

        assertThat(remembered()).isZero();
    }

    @Test
    void pushesThatWaitHoldAQuarterAtMostAndItComesBack() {
        for (int i = 0; i < 100; i++) {
            offer("c" + i, new byte[100_000], false);
        }
        assertThat(ledger.memory().used(ClientMemory.Use.WAITING))
                .isBetween(BOUND / 5L, BOUND / 4L);
        assertThat(refused(ClientMemory.Refusal.PUSH_NO_ROOM))
                .isEqualTo(counts.of(PushCounts.Result.DROPPED))
                .isPositive();

        queue.drain();

        assertThat(ledger.memory().used(ClientMemory.Use.WAITING)).isZero();
    }

    private ClientLedger ledger() {
        return new ClientLedger(
                new ClientSettings(
                        List.of(ClientLabel.CLIENT_ID, ClientLabel.GROUP),
                        ANY,
                        ANY,
                        1_000,
                        Duration.ofMinutes(10),
                        MAX_PUSH,
                        BOUND),
                () -> now,
                () -> 0);
    }

    private PushQueue queue() {
        return new PushQueue(ledger, new PushDecoder(), counts, MAX_PUSH, () -> now, error -> {});
    }

    private void push(String client, OtlpPush content) {
        push(client, content, false);
    }

    private void push(String client, OtlpPush content, boolean last) {
        offer(client, content.bytes(), last);
        queue.drain();
    }

    private void offer(String client, byte[] bytes, boolean last) {
        Object id = UUID.nameUUIDFromBytes(client.getBytes(StandardCharsets.UTF_8));
        queue.offer(
                new Push.Sender(id, client, "apache-kafka-java", "4.4.0"),
                INTERVAL,
                last,
                ByteBuffer.wrap(bytes));
    }

    private long remembered() {
        return ledger.memory().used(ClientMemory.Use.REMEMBERED);
    }

    private long refused(ClientMemory.Refusal refusal) {
        return ledger.memory().refused.of(refusal);
    }

    /** NaN without series of its own. */
    private double sends(String client) {
        double[] sum = {Double.NaN};
        ledger.read(
                all -> {
                    for (ClientSeries series : all.keySet()) {
                        if (client.equals(series.labels.get("client_id"))) {
                            sum[0] = series.sum(PRODUCER_SENDS);
                        }
                    }
                    return null;
                });
        return sum[0];
    }

    /** 1,000 characters that no Latin alphabet has: two bytes each. */
    private static String longName(int i) {
        return i + "\u0416".repeat(1_000);
    }

    /** Bytes in use after collections that leave little else: the least of several readings. */
    private static long heap() {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 3; i++) {
            System.gc();
            least =
                    Math.min(
                            least,
                            ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
        }
        return least;
    }
}
