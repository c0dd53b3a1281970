/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.load;

import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;

/**
 * Values of records that compress about as well as an application's. The first half is random
 * bytes, different in every record; the rest is a text that all have in common. A value costs its
 * sender only a copy: the random bytes are cut at random places out of four mebibytes made once,
 * which is more than a codec looks back.
 */
final class Values {
    private static final int POOL = 4 << 20;
    private static final byte[] TEXT =
            "{\"currency\":\"EUR\",\"channel\":\"mobile\",\"state\":\"settled\"},".getBytes(StandardCharsets.US_ASCII);

    private final SplittableRandom random;
    private final byte[] pool;
    private final byte[] value;

    /**
     * @param bytes of each value, 1 to 4 MiB
     * @param seed the same seed gives the same values in the same order
     */
    Values(int bytes, long seed) {
        random = new SplittableRandom(seed);
        pool = new byte[POOL];
        random.nextBytes(pool);
        value = new byte[bytes];
        for (int i = 0; i < bytes; i++) {
            value[i] = TEXT[i % TEXT.length];
        }
    }

    /**
     * The next value. It is the same array each time: a producer's send() has copied it on return.
     */
    byte[] next() {
        int length = (value.length + 1) / 2;
        System.arraycopy(pool, random.nextInt(POOL - length + 1), value, 0, length);
        return value;
    }
}
