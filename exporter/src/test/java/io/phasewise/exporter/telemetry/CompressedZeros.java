/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.telemetry;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.zip.GZIPOutputStream;

/** What becomes a thousand times as large when it is decompressed. */
final class CompressedZeros {

    private CompressedZeros() {}

    /**
     * Zeros.
     *
     * @param size decompressed, in bytes
     */
    static byte[] gzip(int size) throws IOException {
        ByteArrayOutputStream compressed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(compressed)) {
            byte[] some = new byte[1 << 16];
            for (int written = 0; written < size; written += some.length) {
                out.write(some);
            }
        }
        return compressed.toByteArray();
    }
}
