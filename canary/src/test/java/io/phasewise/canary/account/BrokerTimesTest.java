/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.account;

import static org.assertj.core.api.Assertions.assertThat;

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
}
