/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.exporter.config.ConfigLoader;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class PushQueueTest {

    private static final ClientSettings SETTINGS = ConfigLoader.defaults().clients();
    private static final OtlpPush SOUND = new OtlpPush().delta("producer.request.total", 1);

    private final Reception reception = Reception.byDefault();

    private void offer(int bytes) {
        reception.offer("i", "c", false, new byte[bytes]);
    }

    private long counted(String result) {
        return reception.counted(result);
    }

    @Test
    void aMalformedPushIsCountedAndTheNextOneRead() {
        reception.offer("i", "c", false, new byte[] {1, 2, 3});
        reception.push("c", SOUND);

        assertThat(counted("malformed")).isOne();
        assertThat(counted("accepted")).isOne();
    }

    @Test
    void aPushThatIsTooLargeIsNotTaken() {
        offer(SETTINGS.maxPushBytes + 1);
        reception.read();

        assertThat(counted("too_large")).isOne();
        assertThat(counted("malformed")).isZero();
    }

    @Test
    void beyondWhatMayWaitPushesAreDroppedAndLaterOnesTakenAgain() {
        int each = SETTINGS.maxPushBytes + ClientMemory.PUSH_BYTES;
        int fitting = SETTINGS.maxMemoryBytes / 4 / each;
        for (int i = 0; i < fitting + 2; i++) {
            offer(SETTINGS.maxPushBytes);
        }
        assertThat(counted("dropped")).isEqualTo(2);

        reception.read();
        offer(SETTINGS.maxPushBytes);

        assertThat(counted("dropped")).isEqualTo(2);
    }

    @Test
    void noMoreThanSoManyPushesWait() {
        for (int i = 0; i < PushQueue.MOST_PUSHES + 5; i++) {
            offer(0);
        }

        assertThat(counted("dropped")).isEqualTo(5);
    }

    @Test
    void anErrorLogThatThrowsEndsNothing() {
        Object broken = new Object() {
            @Override
            public int hashCode() {
                throw new IllegalStateException("on purpose");
            }
        };
        reception.errorLog = error -> {
            throw new IllegalStateException("no log");
        };
        reception.push(broken, "c", SOUND);
        reception.push("c", SOUND);

        assertThat(counted("failed")).as("reading, and saying so").isEqualTo(2);
        assertThat(counted("accepted")).isOne();
        assertThat(reception.memory.waiting.used()).isZero();
    }

    @Test
    void theBrokersBufferIsLeftAsItIs() {
        ByteBuffer data = ByteBuffer.wrap(SOUND.bytes());
        int size = data.remaining();
        reception.queue.offer(new Push.Sender("i", "c", "", ""), 0, false, data);

        assertThat(data.remaining()).isEqualTo(size);
    }
}
