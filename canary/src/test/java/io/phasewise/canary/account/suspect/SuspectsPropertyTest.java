/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.account.suspect;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.canary.account.Account;
import io.phasewise.common.phase.Phase;
import io.phasewise.common.phase.Role;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Whatever accounts say, in whatever order they come, what is named keeps its form and its bounds. */
class SuspectsPropertyTest {
    private static final long SECOND = 1_000_000_000L;

    private record Back(int leader, long end, Account account) {}

    private static Account account(SplittableRandom random, int brokers) {
        Account.Builder account = new Account.Builder();
        for (int part = random.nextInt(12); part > 0; part--) {
            account.add(
                    Phase.values()[random.nextInt(Phase.values().length)],
                    random.nextInt(-1, brokers),
                    Role.values()[random.nextInt(Role.values().length)],
                    random.nextLong(random.nextInt(4) == 0 ? 5 * SECOND : SECOND / 100));
        }
        return account.build();
    }

    /** The accounts of one second each. */
    private static List<List<Back>> seconds(long seed, int brokers, int count) {
        SplittableRandom random = new SplittableRandom(seed);
        List<List<Back>> all = new ArrayList<>();
        for (int second = 0; second < count; second++) {
            List<Back> these = new ArrayList<>();
            for (int probe = random.nextInt(40); probe > 0; probe--) {
                long end = second * SECOND + random.nextLong(SECOND);
                these.add(new Back(random.nextInt(brokers), end, account(random, brokers)));
            }
            all.add(these);
        }
        return all;
    }

    private static List<List<Suspect>> named(List<List<Back>> seconds, Random order) {
        Suspects suspects = new Suspects(Instant.EPOCH::plusNanos);
        List<List<Suspect>> all = new ArrayList<>();
        suspects.turn(0);
        for (int second = 0; second < seconds.size() + 60; second++) {
            List<Back> these = new ArrayList<>(second < seconds.size() ? seconds.get(second) : List.of());
            Collections.shuffle(these, order);
            these.forEach(each -> suspects.add(each.leader, each.leader, each.end, each.account));
            if (second % 5 == 0 && !these.isEmpty()) {
                suspects.open(these.get(0).leader, these.get(0).account);
            }
            suspects.turn((second + 1) * SECOND);
            all.add(suspects.named());
        }
        return all;
    }

    @Property(tries = 100)
    void everyNameIsWellFormedAndAllEnd(@ForAll long seed, @ForAll @IntRange(min = 1, max = 40) int brokers) {
        List<List<Suspect>> all = named(seconds(seed, brokers, 60), new Random(1));
        for (List<Suspect> named : all) {
            Set<Whom> who = new HashSet<>();
            double longest = named.isEmpty() ? 0 : named.get(0).seconds();
            double before = longest;
            assertThat(named).hasSizeLessThanOrEqualTo(Suspects.MOST_NAMED);
            for (Suspect each : named) {
                assertThat(who.add(new Whom(each.broker(), each.role())))
                        .as("named once: %s", each)
                        .isTrue();
                assertThat(each.role()).isNotIn(Role.UNKNOWN, Role.NETWORK, Role.CLIENT);
                assertThat(each.phases().values()).isNotEmpty().allMatch(seconds -> seconds > 0);
                assertThat(each.leaders()).isNotEmpty().isSorted().doesNotHaveDuplicates();
                assertThat(each.seconds()).isLessThanOrEqualTo(before).isGreaterThan(0);
                before = each.seconds();
                assertThat(SuspectSentence.of(named)).endsWith(".").doesNotContain("-1");
            }
        }
        assertThat(all.get(all.size() - 1)).as("a minute later").isEmpty();
    }

    @Property(tries = 50)
    void theOrderWithinASecondDoesNotMatter(@ForAll long seed, @ForAll long one, @ForAll long other) {
        List<List<Back>> seconds = seconds(seed, 3, 40);
        Suspects first = new Suspects(Instant.EPOCH::plusNanos);
        Suspects second = new Suspects(Instant.EPOCH::plusNanos);
        first.turn(0);
        second.turn(0);
        for (int i = 0; i < seconds.size(); i++) {
            add(first, seconds.get(i), new Random(one));
            add(second, seconds.get(i), new Random(other));
            first.turn((i + 1) * SECOND);
            second.turn((i + 1) * SECOND);
            assertThat(second.named()).isEqualTo(first.named());
        }
    }

    private static void add(Suspects to, List<Back> these, Random order) {
        List<Back> shuffled = new ArrayList<>(these);
        Collections.shuffle(shuffled, order);
        shuffled.forEach(each -> to.add(each.leader, each.leader, each.end, each.account));
    }

    @Property(tries = 20)
    void aLeaderHasABoundedNumberOfBrokersAndRoles(@ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Tally tally = new Tally();
        long given = 0;
        for (int probe = 0; probe < 2_000; probe++) {
            Account account = account(random, 1_000_000);
            tally.add(account, 0);
            given += account.size();
        }
        assertThat(given).isGreaterThan(Tally.MOST);
        assertThat(tally.size()).isEqualTo(Tally.MOST);
    }

    @Property(tries = 50)
    void aTallyHoldsExactlyWhatWasGiven(@ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Tally tally = new Tally();
        Tally both = new Tally();
        long given = 0;
        for (int probe = 0; probe < 100; probe++) {
            Account account = account(random, 5);
            tally.add(account, 0);
            for (int part = 0; part < account.size(); part++) {
                given += account.nanos(part);
            }
        }
        both.addAll(tally);
        both.addAll(tally);
        assertThat(sum(tally)).isEqualTo(given);
        assertThat(sum(both)).isEqualTo(2 * given);
        assertThat(both.probes()).isEqualTo(200);
    }

    private static long sum(Tally tally) {
        long sum = 0;
        for (int at = 0; at < tally.size(); at++) {
            for (int phase = 0; phase < Phase.values().length; phase++) {
                sum += tally.nanos(at, phase);
            }
        }
        return sum;
    }
}
