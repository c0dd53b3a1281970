/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.review;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.report.source.Series;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Whether a canary was scraped twice. */
class LatencyReaderTest {

    private static final Instant START = Instant.parse("2026-11-02T00:00:00Z");

    @Test
    void whatTwoServersScrapedOfOneCanaryAreCopies() {
        List<Series> targets = List.of(
                target("instance", "a:9470", "replica", "a", 0, 1),
                target("instance", "a:9470", "replica", "b", 0, 1),
                target("instance", "b:9470", "replica", "a", 0, 1));
        assertThat(LatencyReader.copies(targets)).containsExactly("replica");
    }

    @Test
    void canariesOfDifferentAddressesOrSitesOrOneAfterTheOtherAreNone() {
        List<Series> targets = List.of(
                target("instance", "a:9470", "pod", "a", 0, 1, 2),
                target("instance", "a:9470", "pod", "b", 2, 3, 4),
                target("instance", "b:9470", "pod", "c", 0, 1, 2),
                target("instance", "localhost", "site", "a", 0, 1, 2),
                target("instance", "localhost", "site", "b", 0, 1, 2),
                target("job", "pushed", "pod", "d", 0, 1, 2),
                target("job", "pushed", "pod", "e", 0, 1, 2));
        assertThat(LatencyReader.copies(targets)).isEmpty();
    }

    private static Series target(String name, String value, String other, String otherValue, int... hours) {
        return SampleWindow.hourly(START, Map.of("cluster", "orders", name, value, other, otherValue), hours);
    }
}
