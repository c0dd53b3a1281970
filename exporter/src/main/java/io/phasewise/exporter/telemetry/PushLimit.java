/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.telemetry;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * Ends the decompression of a push that becomes larger than is allowed: before Kafka 4.4 a broker
 * that has a receiver decompresses whatever it is sent, to the last byte, into its heap, before the
 * receiver is asked. Public and static because Kafka's class calls it.
 */
public final class PushLimit {

    private PushLimit() {}

    /**
     * The same stream, with an end to what can be read from it while a receiver of ours is at work.
     *
     * @param decompressed what comes out of the decompression of a push
     */
    public static InputStream bounded(InputStream decompressed) {
        PushQueue queue = ClientPushes.queue();
        return queue == null ? decompressed : new Bounded(decompressed, queue);
    }

    private static final class Bounded extends FilterInputStream {
        private final PushQueue queue;
        private long read;

        Bounded(InputStream in, PushQueue queue) {
            super(in);
            this.queue = queue;
        }

        @Override
        public int read() throws IOException {
            int one = super.read();
            count(one < 0 ? 0 : 1);
            return one;
        }

        @Override
        public int read(byte[] buffer, int offset, int length) throws IOException {
            int some = super.read(buffer, offset, length);
            count(Math.max(0, some));
            return some;
        }

        private void count(int more) throws IOException {
            read += more;
            if (read > queue.maxPushBytes) {
                queue.tooLarge();
                throw new IOException(
                        "a push of client metrics is larger than clients.max-push-bytes, " + queue.maxPushBytes);
            }
        }
    }
}
