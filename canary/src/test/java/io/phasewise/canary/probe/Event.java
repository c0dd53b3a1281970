/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.probe;

import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.RandomDistribution;

/**
 * One thing that happens in a property test.
 *
 * @param gap since the one before
 * @param pick which of those that it may happen to
 */
public record Event<K>(K kind, int gap, int pick) {

    /** Up to 600 of them, as likely few as many. */
    public static <K> Arbitrary<List<Event<K>>> courses(Arbitrary<K> kinds, int longestGap, Arbitrary<Integer> picks) {
        return Combinators.combine(kinds, Arbitraries.integers().between(0, longestGap), picks)
                .as((kind, gap, pick) -> new Event<K>(kind, gap, pick))
                .list()
                .ofMaxSize(600)
                .withSizeDistribution(RandomDistribution.uniform());
    }
}
