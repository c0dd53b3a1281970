/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.probe;

/**
 * What a probe's record is made of, beside the probe's identity.
 *
 * @param size bytes of the value, at least {@link ProbeCodec#HEADER_SIZE}
 * @param compressibility the share of the value that is zeros, 0 to 1, the rest being random bytes:
 *     a codec leaves about 1 minus this of the value, and never less than the header
 * @param keys how many distinct keys, used in turn; 0 for records without a key
 * @param keySize bytes of a key, at least as many as the highest key has decimal digits
 * @param batched whether several probes may share a batch; the random bytes are then drawn again
 *     for each, or a codec would find them again in the one before
 */
public record ProbeContent(int size, double compressibility, int keys, int keySize, boolean batched) {
    /** Incompressible values without keys, one to a batch. */
    public static ProbeContent plain(int size) {
        return new ProbeContent(size, 0, 0, 1, false);
    }
}
