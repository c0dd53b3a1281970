/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.phasewise.experiments.measure.Scrape;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SoakDocumentTest {
    @Test
    void whatGrowsIsShownAgainstTheSecondQuarter() {
        List<Sample> samples =
                IntStream.range(0, 16)
                        .mapToObj(
                                i ->
                                        new Sample(
                                                i,
                                                i == 3 ? "x" : "",
                                                100,
                                                50,
                                                40 + i,
                                                9,
                                                7,
                                                i == 3 ? Double.NaN : 5,
                                                i,
                                                0))
                        .toList();
        SoakDocument document = new SoakDocument("now", "command", "machine", samples, List.of());

        assertThat(Drift.of("threads", samples, Sample::threads))
                .isEqualTo(new Drift("threads", 45.5, 53.5, 40, 55));
        assertThat(document.markdown())
                .contains("| threads              | 46             | 54           | +17.6 %")
                .contains("1 of them with a fault", "Faults: x 1.")
                .doesNotContain("Troubles");
        assertThat(document.good()).isTrue();
        assertThat(document.json()).contains("\"during\" : \"x\"");
    }

    @Test
    void aTroubleAndAProbeThatIsNeverAccountedForAreNotGood() {
        List<Sample> well = Collections.nCopies(16, sample(0));
        List<Sample> onePage = new ArrayList<>(well);
        onePage.set(15, sample(1));

        SoakDocument troubled =
                new SoakDocument("now", "command", "machine", well, List.of("sample 4, x: why"));
        assertThat(troubled.good()).isFalse();
        assertThat(troubled.markdown()).contains("\n- sample 4, x: why\n");
        assertThat(new SoakDocument("", "", "", onePage, List.of()).good()).isTrue();
        assertThat(
                        new SoakDocument("", "", "", Collections.nCopies(16, sample(2)), List.of())
                                .good())
                .isFalse();
    }

    private static Sample sample(long unaccounted) {
        return new Sample(1, "", 100, 50, 40, 9, 7, 5, 100, unaccounted);
    }

    @Test
    void aFewSamplesSayNothing() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Drift.of("threads", List.of(), Sample::threads));
    }

    @Test
    void thePercentileIsThatOfTheProbesSinceTheEarlierPage() {
        Scrape earlier = buckets(50, 100);
        Scrape now = buckets(50, 300);

        assertThat(Sample.p99(earlier, now)).isEqualTo(20);
        assertThat(Sample.p99(now, now)).isNaN();
    }

    private static Scrape buckets(int fast, int all) {
        String name =
                "kafka_canary_end_to_end_latency_seconds_bucket{leader=\"1\",profile=\"default\",le=\"";
        return Scrape.of(
                name
                        + "0.01\"} "
                        + fast
                        + "\n"
                        + name
                        + "0.02\"} "
                        + all
                        + "\n"
                        + name
                        + "+Inf\"} "
                        + all
                        + "\n");
    }
}
