/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.phasewise.experiments.matrix.Setup;
import io.phasewise.experiments.measure.Scrape;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
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
                                                0,
                                                List.of()))
                        .toList();
        SoakDocument document = document(samples);

        assertThat(Drift.of("threads", samples, Sample::threads, Limit.of(0, 7)))
                .isEqualTo(new Drift("threads", 45.5, 53.5, 40, 55, Limit.of(0, 7)));
        assertThat(document.markdown())
                .containsPattern("canary: threads +\\| 46 +\\| 54 +\\| \\+17.6 % .*too much")
                .contains("Brokers were not asked.")
                .contains("1 of them with a fault", "Faults: x 1.")
                .doesNotContain("Troubles");
        assertThat(document.good()).as("threads grew by more than 4").isFalse();
        assertThat(document.json()).contains("\"during\" : \"x\"");
    }

    @Test
    void aFigureMayGrowByItsLimitAndNoMore() {
        Limit limit = new Limit(0.1, 5);

        assertThat(limit.keptBy(drift(100, 115))).isTrue();
        assertThat(limit.keptBy(drift(100, 115.1))).isFalse();
        assertThat(limit.keptBy(drift(100, 20))).isTrue();
        assertThat(limit.keptBy(drift(100, Double.NaN))).isFalse();
        assertThat(drift(1, 1_000).kept()).as("not judged").isTrue();
    }

    private static Drift drift(double early, double late) {
        return new Drift("x", early, late, early, late, Limit.NONE);
    }

    @Test
    void theBrokerWithTheMostIsJudgedAndRestartsAreSaid() {
        List<Sample> samples =
                IntStream.range(0, 16)
                        .mapToObj(
                                i -> sample(0, List.of(broker(1, 7, 300), broker(2, i / 12, 400))))
                        .toList();
        SoakDocument document = document(samples);

        assertThat(document.markdown())
                .containsPattern("broker with the most: memory, MiB +\\| 400 +\\| 400 ")
                .contains("Brokers were started 1 times by faults");
        assertThat(document.good()).isTrue();
    }

    private static BrokerSample broker(int id, long pid, long mebibytes) {
        return new BrokerSample(id, pid, mebibytes, 90, 2_000, 30);
    }

    @Test
    void aTroubleAndAProbeThatIsNeverAccountedForAreNotGood() {
        List<Sample> well = Collections.nCopies(16, sample(0));
        List<Sample> onePage = new ArrayList<>(well);
        onePage.set(15, sample(1));

        SoakDocument troubled =
                new SoakDocument(
                        "now",
                        "command",
                        "machine",
                        Setup.UNKNOWN,
                        well,
                        Map.of(),
                        List.of("sample 4, x: why"));
        assertThat(troubled.good()).isFalse();
        assertThat(troubled.markdown()).contains("\n- sample 4, x: why\n");
        assertThat(document(onePage).good()).isTrue();
        assertThat(document(Collections.nCopies(16, sample(2))).good()).isFalse();
    }

    @Test
    void aProbeWithTwoOutcomesIsNotGoodEither() {
        SoakDocument twice = document(Collections.nCopies(16, sample(-2)));
        List<Sample> either = new ArrayList<>(Collections.nCopies(16, sample(-1)));
        either.set(14, sample(1));

        assertThat(twice.good()).isFalse();
        assertThat(twice.markdown())
                .contains("2 more outcomes at the end than probes were scheduled");
        assertThat(document(either).good()).as("pages that are off by one, both ways").isTrue();
    }

    @Test
    void whatWasLeftOutAndWhatItRanWithIsOnThePage() throws Exception {
        SoakDocument document =
                new SoakDocument(
                        "now",
                        "command",
                        "machine",
                        new Setup(Map.of("Phasewise", "abc"), Map.of("canary", Map.of("rate", 5))),
                        Collections.nCopies(16, sample(0)),
                        Map.of("disk-slow", "not root"),
                        List.of());

        assertThat(document.markdown())
                .contains("With Phasewise: abc.")
                .contains("Left out:\n\n- disk-slow: not root\n");
        assertThat(new ObjectMapper().readValue(document.json(), SoakDocument.class))
                .isEqualTo(document);
    }

    private static SoakDocument document(List<Sample> samples) {
        return new SoakDocument(
                "now", "command", "machine", Setup.UNKNOWN, samples, Map.of(), List.of());
    }

    private static Sample sample(long unaccounted) {
        return sample(unaccounted, List.of());
    }

    private static Sample sample(long unaccounted, List<BrokerSample> brokers) {
        return new Sample(1, "", 100, 50, 40, 9, 7, 5, 100, unaccounted, brokers);
    }

    @Test
    void aFewSamplesSayNothing() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Drift.of("threads", List.of(), Sample::threads, Limit.NONE));
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
