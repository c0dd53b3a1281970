/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** That who owns what is fixed for good, ConfigLoaderTest asks. */
class ShardTest {
    private static final List<String> CLUSTERS =
            IntStream.range(0, 1000).mapToObj(i -> "cluster-" + i).toList();

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7, 50})
    void everyClusterIsOneCanarysAndTheSharesAreEven(int count) {
        Map<String, Integer> owners = owners(count);

        assertThat(owners).hasSize(CLUSTERS.size());
        Map<Integer, Long> shares =
                owners.values().stream().collect(Collectors.groupingBy(o -> o, Collectors.counting()));
        double fair = (double) CLUSTERS.size() / count;
        // Five standard deviations of a binomial share; the hash is fixed, so this never varies.
        assertThat(shares.values()).allMatch(s -> Math.abs(s - fair) <= 5 * Math.sqrt(fair));
    }

    @Test
    void aCanaryMoreTakesItsShareAndMovesNothingElse() {
        Map<String, Integer> before = owners(7);
        Map<String, Integer> after = owners(8);

        List<String> moved = CLUSTERS.stream()
                .filter(c -> !before.get(c).equals(after.get(c)))
                .toList();
        assertThat(moved).allMatch(c -> after.get(c) == 7);
        assertThat(moved.size()).isBetween(80, 170);
    }

    private static Map<String, Integer> owners(int count) {
        return CLUSTERS.stream().collect(Collectors.toMap(Function.identity(), c -> owner(c, count)));
    }

    private static int owner(String cluster, int count) {
        List<Integer> owners = IntStream.range(0, count)
                .filter(i -> new Shard(i, count).takes(cluster))
                .boxed()
                .toList();
        assertThat(owners).as(cluster).hasSize(1);
        return owners.get(0);
    }
}
