/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.phasewise.lab.junit.ScrapedPage.Sample;
import io.phasewise.lab.measure.Scrape;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ScrapedPageTest {
    private final ScrapedPage scrape =
            ScrapedPage.of(
                    """
                    # HELP a_total is counted
                    # TYPE a_total counter
                    a_total{leader="1",outcome="lost"} 2.0
                    a_total{leader="2",outcome="lost"} 3.0 # {probe_id="x"} 1.0
                    a_total_created{leader="1"} 1.7E9
                    up 1.0
                    wait_count{client_id="a} b\\""} +Inf
                    """);

    @Test
    void aSeriesIsReadWithItsLabels() {
        assertThat(scrape.named("wait_count"))
                .containsExactly(
                        new Sample(
                                "wait_count",
                                Map.of("client_id", "a} b\\\""),
                                Double.POSITIVE_INFINITY));
        assertThat(scrape.samples()).hasSize(5);
        assertThat(scrape.names("a_")).containsExactly("a_total", "a_total_created");
        assertThat(scrape.type("a_total")).isEqualTo("counter");
        assertThat(scrape.type("up")).isEqualTo("none");
    }

    @Test
    void whatIsThereTwiceHasNoOneValue() {
        assertThat(scrape.value("a_total", Scrape.label("leader", 2))).isEqualTo(3);
        assertThatThrownBy(() -> scrape.value("a_total")).hasMessage("a_total[] is there 2 times");
    }
}
