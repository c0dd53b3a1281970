/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.exporter.config.ConfigLoader;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class PushQueueTest {

    private static final int MAX = 1 << 20;

    private final PushCounts counts = new PushCounts();
    private final List<String> errors = new ArrayList<>();
    private final ClientLedger ledger =
            new ClientLedger(ConfigLoader.defaults().clients(), System::nanoTime, () -> 0);

    private final PushQueue queue = queue(errors::add);

    private PushQueue queue(Consumer<String> errorLog) {
        return new PushQueue(ledger, new PushDecoder(), counts, MAX, () -> 0, errorLog);
    }

    @Test
    void aMalformedPushIsCountedAndTheNextOneRead() {
        offer(new byte[] {1, 2, 3});
        offer(new OtlpPush().delta("producer.request.total", 1).bytes());
        queue.drain();

        assertThat(counts.of(PushCounts.Result.MALFORMED)).isOne();
        assertThat(counts.of(PushCounts.Result.ACCEPTED)).isOne();
        assertThat(errors).isEmpty();
    }

    @Test
    void aPushThatIsTooLargeIsNotTaken() {
        offer(new byte[MAX + 1]);
        queue.drain();

        assertThat(counts.of(PushCounts.Result.TOO_LARGE)).isOne();
        assertThat(counts.of(PushCounts.Result.MALFORMED)).isZero();
    }

    @Test
    void beyondWhatMayWaitPushesAreDroppedAndLaterOnesTakenAgain() {
        int quarter = ConfigLoader.defaults().clients().maxMemoryBytes / 4;
        int fitting = quarter / (MAX + ClientMemory.PUSH_BYTES);
        for (int i = 0; i < fitting + 2; i++) {
            offer(new byte[MAX]);
        }
        assertThat(counts.of(PushCounts.Result.DROPPED)).isEqualTo(2);

        queue.drain();
        offer(new byte[MAX]);

        assertThat(counts.of(PushCounts.Result.DROPPED)).isEqualTo(2);
    }

    @Test
    void noMoreThanSoManyPushesWait() {
        for (int i = 0; i < PushQueue.MOST_PUSHES + 5; i++) {
            offer(new byte[0]);
        }
        assertThat(counts.of(PushCounts.Result.DROPPED)).isEqualTo(5);
    }

    @Test
    void anErrorLogThatThrowsEndsNothing() {
        boolean[] broken = {false};
        ClientLedger failing =
                new ClientLedger(
                        ConfigLoader.defaults().clients(),
                        () -> {
                            if (broken[0]) {
                                throw new IllegalStateException("no clock");
                            }
                            return 0;
                        },
                        () -> 0);
        PushQueue unheard =
                new PushQueue(
                        failing,
                        new PushDecoder(),
                        counts,
                        MAX,
                        () -> 0,
                        error -> {
                            throw new IllegalStateException("no log");
                        });
        broken[0] = true;
        offer(unheard, new byte[0]);
        unheard.drain();
        broken[0] = false;
        offer(unheard, new byte[0]);
        unheard.drain();

        assertThat(counts.of(PushCounts.Result.FAILED)).isEqualTo(2);
        assertThat(counts.of(PushCounts.Result.ACCEPTED)).isOne();
        assertThat(failing.memory().used(ClientMemory.Use.WAITING)).isZero();
    }

    @Test
    void theBrokersBufferIsLeftAsItIs() {
        ByteBuffer data =
                ByteBuffer.wrap(new OtlpPush().delta("producer.request.total", 1).bytes());
        int size = data.remaining();
        queue.offer(new Push.Sender("i", "c", "", ""), 0, false, data);

        assertThat(data.remaining()).isEqualTo(size);
    }

    private void offer(byte[] bytes) {
        offer(queue, bytes);
    }

    private static void offer(PushQueue queue, byte[] bytes) {
        queue.offer(new Push.Sender("i", "c", "", ""), 0, false, ByteBuffer.wrap(bytes));
    }
}
