/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.trace;

import java.util.HexFormat;

/**
 * The name of a probe's trace, 128 bits that follow from the probe alone: an exemplar can carry it
 * before anything is sent, and nobody has to remember it.
 *
 * <p>The upper half is the instance, which is random. The lower half is partition (20 bits) and
 * sequence number (44 bits), scrambled by the finaliser of SplitMix64 (Steele, Lea and Flood,
 * 2014), which is a bijection: different probes have different names, and the low bits look random,
 * as samplers down the line expect of them (W3C Trace Context, level 2).
 *
 * @param high the instance
 * @param low scrambled partition and sequence number
 */
public record TraceId(long high, long low) {
    private static final int SEQUENCE_BITS = 44;

    /**
     * @param instance of the canary that sends the probe, other than 0
     * @param partition where it was sent, less than 2^20
     * @param sequence its number within the partition, less than 2^44
     */
    public static TraceId of(long instance, int partition, long sequence) {
        return new TraceId(instance, scrambled((long) partition << SEQUENCE_BITS | sequence));
    }

    private static long scrambled(long value) {
        long z = value;
        z = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
        z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
        return z ^ z >>> 31;
    }

    /** Whether it is the one of N that is taken, by its low bits; 0 for none. */
    boolean oneIn(int many) {
        return many > 0 && Long.remainderUnsigned(low, many) == 0;
    }

    /** As the exemplar's {@code trace_id} and OTLP write it: 32 hexadecimal digits. */
    @Override
    public String toString() {
        HexFormat hex = HexFormat.of();
        return hex.toHexDigits(high) + hex.toHexDigits(low);
    }
}
