/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.account;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.common.marks.FollowedMark;
import io.phasewise.common.marks.GapMark;
import io.phasewise.common.marks.MarkPage;
import io.phasewise.common.marks.RecordMark;
import io.phasewise.common.marks.RequestMark;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What is kept of a broker goes by its age, and by whose it is. */
class BrokerTimesTest {
    private static final long SECOND = 1_000_000_000L;

    private static final Set<String> CONSUMERS =
            IntStream.range(0, 12).mapToObj(i -> "own-" + i + "-consumer").collect(Collectors.toSet());

    private final BrokerTimes times = new BrokerTimes(new OwnClients(CONSUMERS, Set.of("own-0-producer-")));

    private static RecordMark record(long second) {
        long at = second * SECOND;
        return new RecordMark("t", 0, 1, second, second, at, at, at, at, Map.of(), Map.of());
    }

    private void page(long second) {
        long at = second * SECOND;
        MarkPage page = MarkPage.second("boot", true, second, 0);
        page.add(record(second));
        page.add(new RequestMark(RequestMark.Api.PRODUCE, "own-0-producer-1", 1, at, at, at, at, at, at));
        times.add(page);
    }

    @Test
    void recordsAndRequestsAreForgottenAfterSeventyFiveSeconds() {
        page(0);
        page(1);
        page(75);
        assertThat(times.record("t", 0, 0)).isPresent();
        assertThat(times.request(record(0))).isPresent();
        page(76);
        assertThat(times.record("t", 0, 0)).isEmpty();
        assertThat(times.request(record(0))).isEmpty();
        assertThat(times.record("t", 0, 1)).isPresent();
        assertThat(times.request(record(1))).isPresent();
        assertThat(times.record("t", 0, 76)).isPresent();
    }

    private void requests(RequestMark.Api api, Iterable<String> clients) {
        MarkPage page = MarkPage.second("boot", true, 1, 0);
        long at = SECOND;
        for (String client : clients) {
            page.add(new RequestMark(api, client, 1, at, at, at, at, at, at));
            at += SECOND / 1_000;
        }
        times.add(page);
    }

    /** A canary with twelve profiles has so many consumers at each broker. */
    @Test
    void noConsumerOfThisCanaryTakesThePlaceOfAnother() {
        requests(RequestMark.Api.FETCH, CONSUMERS);

        assertThat(CONSUMERS)
                .allSatisfy(consumer ->
                        assertThat(times.consumer(consumer)).isNotNull().returns(1, Rows::size));
    }

    @Test
    void requestsOfOtherCanariesAreNotKept() {
        requests(RequestMark.Api.FETCH, List.of("other-consumer", "own-0-consumer-look"));
        requests(RequestMark.Api.PRODUCE, List.of("other-producer-1", "own-0-producer-7"));

        assertThat(times.consumer("other-consumer")).isNull();
        assertThat(times.consumer("own-0-consumer-look")).isNull();
        assertThat(times.request(received(SECOND))).isEmpty();
        assertThat(times.request(received(SECOND + SECOND / 1_000))).isPresent();
    }

    private static RecordMark received(long at) {
        return new RecordMark("t", 0, 1, 1, 1, at, at, at, at, Map.of(), Map.of());
    }

    /** An agent of the release before does not say whose they were. */
    @Test
    void produceRequestsOfTheFirstFormAreKept() {
        MarkPage page = new MarkPage("boot", true, 1, 0);
        page.add(new RequestMark(SECOND, SECOND, SECOND, SECOND, SECOND, SECOND));
        times.add(page);

        assertThat(times.request(received(SECOND))).isPresent();
    }

    private static final long MS = 1_000_000L;

    private final Gaps gaps = new Gaps();

    private static FollowedMark followed(int leader, int fetcher, long request, long offset) {
        return new FollowedMark(leader, fetcher, request, "t", 0, 1, offset, 30 * MS, 20 * MS, 10 * MS);
    }

    private static GapMark gap(int leader, int fetcher, long request) {
        return new GapMark(leader, fetcher, request, 50 * MS, 0, 0, false);
    }

    /** Of broker 2, with one follower. */
    private Gaps followedAt(long offset) {
        times.followed(new RecordMark("t", 0, 1, offset, offset, 0, 0, 0, 0, Map.of(), Map.of()), offset, 2, gaps);
        return gaps;
    }

    private static MarkPage made(long second) {
        return MarkPage.second("boot", true, second, 0).madeAt(second * SECOND);
    }

    private void take(MarkPage page) {
        times.add(page);
    }

    /** So an agent of the release before reports it. */
    @Test
    void withoutANumberOnlyTheGapOfTheRecordsOwnAnswerIsKnown() {
        MarkPage page = made(1);
        page.add(followed(2, 0, MarkPage.UNKNOWN, 6));
        page.add(followed(2, 0, MarkPage.UNKNOWN, 7));
        take(page);

        assertThat(followedAt(7).before(0)).isNotNegative();
        assertThat(gaps.gap(gaps.before(0))).isEqualTo(30 * MS);
        assertThat(gaps.appends(gaps.before(0))).isEqualTo(20 * MS);
        assertThat(gaps.pauses(gaps.before(0))).isEqualTo(10 * MS);
        assertThat(gaps.before(1)).isEqualTo(Gaps.UNKNOWN);
    }

    /** A broker of a large cluster follows with more threads than have room. */
    @Test
    void gapsOfManyThreadsTakeNothingFromARecordsOwnAnswer() {
        MarkPage page = made(1);
        page.add(followed(2, 0, 10, 7));
        for (int leader = 10; leader < 100; leader++) {
            page.add(gap(leader, 0, 5));
        }
        page.add(gap(2, 0, 9));
        take(page);

        assertThat(gaps(7)).containsExactly(30 * MS, 50 * MS);

        page = made(2);
        for (int leader = 10; leader < 70; leader++) {
            page.add(followed(leader, 0, 5, 1));
        }
        take(page);

        assertThat(gaps.gap(followedAt(7).before(0))).isEqualTo(30 * MS);
    }

    /** Of a record's own answer and of the one before. */
    private List<Long> gaps(long offset) {
        return followedAt(offset).before(1) < 0
                ? List.of()
                : List.of(gaps.gap(gaps.before(0)), gaps.gap(gaps.before(1)));
    }

    @Test
    void whatAFollowerDidIsForgottenAfterSeventyFiveSeconds() {
        MarkPage page = made(1);
        page.add(followed(2, 0, 10, 7));
        take(page);
        take(made(76));
        assertThat(times.hasFollowed("t", 0, 7, 2)).isTrue();
        take(made(77));
        assertThat(times.hasFollowed("t", 0, 7, 2)).isFalse();

        page = made(78);
        page.add(followed(2, 0, 11, 8));
        take(page);

        assertThat(followedAt(8).before(1)).as("the gap before").isEqualTo(Gaps.UNKNOWN);
    }

    /** Gaps come after what was followed in the same second. */
    @Test
    void theGapsOfAFullPageAreWaitedForAndUntilThenUnknown() {
        MarkPage page = made(1);
        page.add(followed(2, 0, 6, 6));
        take(page);
        page = made(2).withMore(true);
        page.add(followed(2, 0, 8, 7));
        take(page);

        assertThat(times.hasFollowed("t", 0, 6, 2)).as("in a whole page").isTrue();
        assertThat(times.hasFollowed("t", 0, 7, 2)).as("in a part of a page").isFalse();
        assertThat(followedAt(7).before(0)).isNotNegative();
        assertThat(gaps.before(1)).isEqualTo(Gaps.UNKNOWN);

        page = made(2);
        page.add(gap(2, 0, 7));
        take(page);

        assertThat(times.hasFollowed("t", 0, 7, 2)).isTrue();
        assertThat(gaps(7)).containsExactly(30 * MS, 50 * MS);
    }

    @Test
    void aFullPageAndItsRestCountAsOne() {
        take(made(1));
        take(made(2).withMore(true));
        take(made(2).withMore(true));
        assertThat(times.pages()).isEqualTo(1);
        take(made(2));
        assertThat(times.pages()).isEqualTo(2);
        take(made(3).withMore(true));
        take(made(4).withMore(true));
        assertThat(times.pages()).as("the rest of the third is in the fourth").isEqualTo(3);
    }

    /** Its request may be in the rest. */
    @Test
    void aRecordInAPartOfAPageCameLastUntilTheNextPage() {
        MarkPage page = made(1).withMore(true);
        page.add(record(1));
        take(page);
        assertThat(times.cameLast("t", 0, 1)).isTrue();
        take(made(1));
        assertThat(times.cameLast("t", 0, 1)).isTrue();
        take(made(2));
        assertThat(times.cameLast("t", 0, 1)).isFalse();
    }
}
