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
    private static final int MEBIBYTE = 1 << 20;

    private CompressedZeros() {}

    /**
     * Zeros.
     *
     * @param mebibytes decompressed
     */
    static byte[] gzip(int mebibytes) throws IOException {
        ByteArrayOutputStream compressed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(compressed)) {
            for (int i = 0; i < mebibytes; i++) {
                gzip.write(new byte[MEBIBYTE]);
            }
        }
        return compressed.toByteArray();
    }
}
