/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/**
 * A large content that is written once and may then be sent to several clients at the same time.
 */
public final class Content extends ByteArrayOutputStream {

    /** The JDK's server keeps twice the largest piece for as long as a connection lives. */
    private static final int PIECE = 1 << 13;

    /**
     * @param size expected, in bytes
     */
    public Content(int size) {
        super(size);
    }

    /** Unlike {@link #writeTo}, without a lock that a slow client would hold against the others. */
    void sendTo(OutputStream out) throws IOException {
        send(buf, count, out);
    }

    static void send(byte[] bytes, int length, OutputStream out) throws IOException {
        for (int from = 0; from < length; from += PIECE) {
            out.write(bytes, from, Math.min(PIECE, length - from));
        }
    }
}
