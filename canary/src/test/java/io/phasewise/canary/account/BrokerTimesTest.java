/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.account;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.common.marks.MarkPage;
import io.phasewise.common.marks.RecordMark;
import io.phasewise.common.marks.RequestMark;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is kept of a broker goes by its age. */
class BrokerTimesTest {
    private static final long SECOND = 1_000_000_000L;

    private final BrokerTimes times = new BrokerTimes();

    private static RecordMark record(long second) {
        long at = second * SECOND;
        return new RecordMark("t", 0, 1, second, second, at, at, at, at, Map.of(), Map.of());
    }

    private void page(long second) {
        long at = second * SECOND;
        MarkPage page = MarkPage.second("boot", true, second, 0);
        page.add(record(second));
        page.add(new RequestMark(RequestMark.Api.PRODUCE, "producer", 1, at, at, at, at, at, at));
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
}
