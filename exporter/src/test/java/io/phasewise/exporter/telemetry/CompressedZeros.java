/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.telemetry;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/** What becomes a thousand times as large when it is decompressed. */
final class CompressedZeros {

    private static final int MEBIBYTE = 1 << 20;

    /** RFC 1952: magic number, deflated, and nothing said of the file. */
    private static final byte[] HEADER = {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 0, 0};

    /** RFC 1951: the last block, with nothing in it. */
    private static final byte[] LAST_BLOCK = {3, 0};

    private static final int CHECKSUM_AND_SIZE = 8;

    private CompressedZeros() {}

    /**
     * Zeros. One mebibyte is compressed and repeated, as more of it would take seconds.
     *
     * @param mebibytes decompressed
     */
    static byte[] gzip(int mebibytes) {
        byte[] zeros = new byte[MEBIBYTE];
        byte[] room = new byte[MEBIBYTE];
        Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, true);
        deflater.setInput(zeros);
        int length = deflater.deflate(room, 0, room.length, Deflater.FULL_FLUSH);
        deflater.end();

        ByteBuffer gzip =
                ByteBuffer.allocate(
                                HEADER.length
                                        + mebibytes * length
                                        + LAST_BLOCK.length
                                        + CHECKSUM_AND_SIZE)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .put(HEADER);
        CRC32 checksum = new CRC32();
        for (int i = 0; i < mebibytes; i++) {
            gzip.put(room, 0, length);
            checksum.update(zeros);
        }
        gzip.put(LAST_BLOCK).putInt((int) checksum.getValue()).putInt(mebibytes * MEBIBYTE);
        return gzip.array();
    }
}
