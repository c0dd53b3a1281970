/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.phasewise.lab.junit.ScrapedPage;
import io.phasewise.lab.junit.ScrapedPage.Sample;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ScrapeTest {
    private final ScrapedPage page = ScrapedPage.of("""
                    # HELP a_total is counted
                    # TYPE a_total counter
                    a_total{leader="1",outcome="lost"} 2.0
                    a_total{leader="2",outcome="lost"} 3.0 # {probe_id="x"} 1.0
                    a_total_created{leader="1"} 1.7E9
                    up 1.0
                    wait_count{client_id="a} b\\""} +Inf
                    """);

    private final Scrape scrape = page.scrape();

    @Test
    void seriesOfOneNameAreAddedUpByLabels() {
        assertThat(scrape.sum("a_total")).isEqualTo(5);
        assertThat(scrape.sum("a_total", "leader=\"2\"", "outcome=\"lost\"")).isEqualTo(3);
        assertThat(scrape.sum("up")).isEqualTo(1);
        assertThat(scrape.sum("absent")).isZero();
    }

    @Test
    void anotherPageIsRefused() {
        assertThatThrownBy(() -> Scrape.of("<html>")).isInstanceOf(NumberFormatException.class);
        assertThatThrownBy(() -> Scrape.of("not found")).isInstanceOf(NumberFormatException.class);
    }

    @Test
    void aSeriesIsReadWithItsLabels() {
        assertThat(page.named("wait_count"))
                .containsExactly(new Sample("wait_count", Map.of("client_id", "a} b\\\""), Double.POSITIVE_INFINITY));
        assertThat(page.samples()).hasSize(5);
        assertThat(page.names("a_")).containsExactly("a_total", "a_total_created");
        assertThat(page.type("a_total")).isEqualTo("counter");
        assertThat(page.type("up")).isEqualTo("none");
    }

    @Test
    void whatIsThereTwiceHasNoOneValue() {
        assertThat(page.value("a_total", Scrape.label("leader", 2))).isEqualTo(3);
        assertThatThrownBy(() -> page.value("a_total")).hasMessage("a_total[] is there 2 times");
    }
}
