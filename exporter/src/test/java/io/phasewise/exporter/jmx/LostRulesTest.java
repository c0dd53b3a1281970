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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
        assertThat(readings).isLessThanOrEqualTo(2 + 3 * 8);
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
        for (int minute = 0; minute < 60; minute++) {
            assertThat(search(1, 2, 3, 4, 5, 6, 7, 8, 9)).isFalse();
            nanos.addAndGet(60_000_000_000L);
        }
        assertThat(lost.now()).isEmpty();
        assertThat(errors).containsExactly("jmx.rules: more than 8 rules fail: no metric of any rule");
        assertThat(readings).isLessThanOrEqualTo(7 * (2 + 9 * 8));
        lost.succeeded();
        nanos.addAndGet(600_000_000_000L);
        assertThat(search(1, 2, 3, 4, 5, 6, 7, 8)).isTrue();
        assertThat(errors).hasSize(9);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 7})
    void aFaultThatPassesDuringTheSearchIsNoRules(int failures) {
        assertThat(lost.search(without ->
                        ++readings <= failures && without.size() < RULES ? Optional.of("broken") : Optional.empty()))
                .isFalse();
        assertThat(lost.now()).isEmpty();
        assertThat(errors).isEmpty();
    }

    @Test
    void aFileWithoutRulesHasNoneThatFails() {
        LostRules none = new LostRules(RuleFile.parse("rules: []"), nanos::get, errors::add, infos::add);
        assertThat(none.search(without -> ++readings == 1 ? Optional.of("broken") : Optional.empty()))
                .isFalse();
        assertThat(none.now()).isEmpty();
        assertThat(errors).isEmpty();
    }

    @Test
    void aSearchWaitsTwoSecondsForBeansAndGoesOnAtTheNextScrape() {
        int scrapes = 0;
        boolean found = false;
        while (!found && scrapes < 10) {
            long start = nanos.get();
            found = lost.search(without -> {
                nanos.addAndGet(500_000_000L);
                return read(without, Set.of(40));
            });
            scrapes++;
            assertThat(nanos.get() - start).as("a scrape waits").isLessThanOrEqualTo(2_000_000_000L);
        }
        assertThat(lost.now()).containsExactly(40);
        assertThat(readings).isLessThanOrEqualTo(2 + 8);
        assertThat(scrapes).isEqualTo(3);
        assertThat(errors).hasSize(1);
    }

    @Test
    void aSearchThatBeansMadeNeedlessIsForgotten() {
        lost.search(without -> {
            nanos.addAndGet(500_000_000L);
            return read(without, Set.of(40));
        });
        lost.succeeded();
        nanos.addAndGet(60_000_000_000L);
        assertThat(search(3)).isTrue();
        assertThat(lost.now()).containsExactly(3);
    }

    @Test
    void whereReadingFailsForGoodThePausesGrow() {
        for (int minute = 0; minute < 15; minute++) {
            lost.search(without -> read(Set.of(), Set.of(1)));
            nanos.addAndGet(60_000_000_000L);
        }
        assertThat(readings).as("two each, after 0, 1, 3 and 7 minutes").isEqualTo(2 * 4);
    }

    @Test
    void aRuleThatStillFailsIsLostAgainAfterOneReading() {
        search(5, 9);
        lost.succeeded();
        for (int retry = 0; retry < 4; retry++) {
            nanos.addAndGet(600_000_000_000L);
            lost.retry();
            assertThat(lost.now()).hasSize(1);
            readings = 0;
            assertThat(search(5, 9)).isTrue();
            assertThat(readings).isEqualTo(1);
            lost.succeeded();
            assertThat(lost.now()).containsExactlyInAnyOrder(5, 9);
        }
        assertThat(errors).hasSize(2);
        assertThat(infos).isEmpty();
    }

    @Test
    void aRuleIsUsedAgainThoughAnotherStillFails() {
        search(5, 9);
        lost.succeeded();
        for (int retry = 0; retry < 2; retry++) {
            nanos.addAndGet(600_000_000_000L);
            lost.retry();
            if (!lost.now().contains(5)) {
                assertThat(search(5)).isTrue();
            }
            lost.succeeded();
        }
        assertThat(lost.now()).containsExactly(5);
        assertThat(infos).singleElement().asString().contains("rule 10 ", "no longer fails");
    }

    @Test
    void afterTenMinutesALostRuleIsTriedAgain() {
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
