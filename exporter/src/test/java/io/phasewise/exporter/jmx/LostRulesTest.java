/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.jmx;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LostRulesTest {
    private static final int RULES = 64;

    private final AtomicLong nanos = new AtomicLong();
    private final List<String> errors = new ArrayList<>();
    private final List<String> infos = new ArrayList<>();
    private int readings;

    private final LostRules lost = new LostRules(
            RuleFile.parse("rules:\n" + "- {pattern: p}\n".repeat(RULES)), nanos::get, errors::add, infos::add);

    /** Reading fails as long as one of those is in use. */
    private Optional<String> read(Set<Integer> without, Set<Integer> faulty) {
        readings++;
        return without.containsAll(faulty) ? Optional.empty() : Optional.of("broken");
    }

    private boolean search(Integer... faulty) {
        return lost.search(without -> read(without, Set.of(faulty)));
    }

    @Test
    void eachFaultyRuleIsFoundInFewReadings() {
        assertThat(search(0, 31, 63)).isTrue();
        assertThat(lost.now()).containsExactlyInAnyOrder(0, 31, 63);
        assertThat(readings).isLessThanOrEqualTo(2 + 3 * 7);
        assertThat(errors).hasSize(3).allMatch(line -> line.contains("broken"));
        assertThat(errors.get(2)).contains("line 65: rule 64 (pattern 'p')");
    }

    /** A bean may throw, or the JVM be short of memory. */
    @Test
    void whereReadingFailsWithoutAnyRuleNoneIsLost() {
        assertThat(lost.search(without -> Optional.of("broken"))).isFalse();
        assertThat(lost.now()).isEmpty();
        assertThat(errors).isEmpty();
    }

    @Test
    void whatHasPassedMeanwhileLosesNoRule() {
        assertThat(search()).isFalse();
        assertThat(lost.now()).isEmpty();
    }

    @Test
    void whereReadingFailsForGoodItIsSearchedOnceAMinuteOnly() {
        lost.search(without -> Optional.of("broken"));
        nanos.addAndGet(59_999_999_999L);
        assertThat(search(5)).isFalse();
        nanos.addAndGet(1);
        assertThat(search(5)).isTrue();
    }

    @Test
    void withMoreThanEightFaultyRulesTheSearchEnds() {
        assertThat(search(1, 2, 3, 4, 5, 6, 7, 8, 9)).isFalse();
        assertThat(lost.now()).isEmpty();
        assertThat(readings).isLessThan(2 + 8 * 7 + 1);
    }

    @Test
    void afterTenMinutesAllRulesAreTriedAgain() {
        search(5);
        lost.succeeded();
        nanos.addAndGet(599_999_999_999L);
        lost.retry();
        assertThat(lost.now()).containsExactly(5);
        nanos.addAndGet(1);
        lost.retry();
        assertThat(lost.now()).isEmpty();
        assertThat(infos).as("not yet known").isEmpty();
        lost.succeeded();
        assertThat(infos).singleElement().asString().contains("rule 6 ", "no longer fails");
    }
}
