/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.probe;

import java.util.HexFormat;

/**
 * The name of a probe, the same in the log, at /status and in exemplars: the instance in sixteen
 * hexadecimal digits, the partition and the sequence number, with dashes between. All three are in
 * the record, too.
 */
public final class ProbeId {
    private ProbeId() {}

    /**
     * @param instance of the canary that sent it; see {@link ProbeCodec}
     * @param partition where it was sent
     * @param sequence its number within the partition
     */
    public static String of(long instance, int partition, long sequence) {
        return HexFormat.of().toHexDigits(instance) + '-' + partition + '-' + sequence;
    }
}
