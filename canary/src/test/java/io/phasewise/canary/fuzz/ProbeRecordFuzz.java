/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.fuzz;

import io.phasewise.canary.probe.ProbeCodec;
import io.phasewise.canary.probe.ProbeContent;
import java.nio.ByteBuffer;

/**
 * What anybody who may write to the topic can put there: no value of a record makes its reader
 * throw, and none but the canary's own counts as that.
 */
public final class ProbeRecordFuzz {
    static final long INSTANCE = 0x5eed_cafe_f00d_d00dL;
    private static final int INSTANCE_AT = 11;

    private ProbeRecordFuzz() {}

    /** Called by Jazzer. */
    public static void fuzzerTestOneInput(byte[] data) {
        ProbeCodec codec = new ProbeCodec(INSTANCE, ProbeContent.plain(ProbeCodec.HEADER_SIZE));
        boolean own = codec.recognise(data, 0) == ProbeCodec.Kind.OWN;
        boolean ours =
                data.length >= ProbeCodec.HEADER_SIZE && ByteBuffer.wrap(data).getLong(INSTANCE_AT) == INSTANCE;
        if (own && !ours) {
            throw new AssertionError("another's probe counts as this canary's");
        }
    }
}
