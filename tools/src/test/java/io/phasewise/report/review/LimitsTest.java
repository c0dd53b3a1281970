/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.review;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.report.fleet.Fleet;
import io.phasewise.report.fleet.FleetReviewer;
import io.phasewise.report.latency.SampleWindow;
import io.phasewise.report.query.Form;
import io.phasewise.report.query.Steps;
import io.phasewise.report.query.Window;
import io.phasewise.report.source.FakePrometheus;
import io.phasewise.report.source.FakePrometheus.Answer;
import io.phasewise.report.source.FakePrometheus.Asked;
import io.phasewise.report.source.PrometheusReader;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whole reviews of a server with limits, which hold no more than what the questions are about. */
class LimitsTest {

    private static final Instant TO = Instant.parse("2026-11-01T00:00:00Z");
    private static final int POINTS = 11_000;
    private static final String LABELS = "\"cluster\":\"big\",\"leader\":\"1\",\"broker\":\"1\",\"phase\":\"commit\","
            + "\"verdict\":\"good\",\"le\":\"%s\"";

    @AutoClose
    private FakePrometheus fake;

    private int limit;
    private String refusal;
    private int most;
    private int refused;

    @BeforeEach
    void serve() throws IOException {
        fake = new FakePrometheus(this::answer);
        limit = POINTS;
        refusal = "exceeded maximum resolution of 11,000 points per timeseries";
    }

    @Test
    void noQuestionAboutNinetyDaysHasMorePointsThanPrometheusAllows() throws Exception {
        Review review = reviewed(Duration.ofDays(90));
        assertThat(review.latency().form()).isEqualTo(Form.RECORDED_CLASSIC);
        assertThat(review.latency().window().blocks()).isEqualTo(90 * 24);
        assertThat(review.latency().objective().probes()).isEqualTo(90.0 * 24);
        assertThat(refused).isZero();
        assertThat(most).isLessThan(POINTS / 4);
    }

    @Test
    void aReviewOfAFleetAsksNoQuestionThatTheServerRefuses() throws Exception {
        Fleet fleet = new FleetReviewer(server(), Steps.UNTOLD, InstantSource.fixed(TO))
                .review(SampleWindow.fleet(".*", window(Duration.ofDays(90))));
        assertThat(fleet.members()).singleElement().extracting("cluster").isEqualTo("big");
        assertThat(fleet.members().get(0).objective().probes()).isEqualTo(90.0 * 24);
        assertThat(refused).isZero();
        assertThat(most).isLessThan(POINTS / 4);
    }

    @Test
    void aServerThatAllowsFarFewerSamplesIsReadWhole() throws Exception {
        limit = 5;
        refusal = "query processing would load too many samples into memory in query execution";
        Review review = reviewed(Duration.ofDays(7));
        assertThat(refused).isPositive();
        assertThat(review.latency().objective().probes()).isEqualTo(7.0 * 24);
        assertThat(review.latency().endToEnd().get(0).effective()).isPositive();
    }

    private Review reviewed(Duration length) throws Exception {
        return new Reviewer(server(), Steps.UNTOLD, InstantSource.fixed(TO))
                .review(SampleWindow.question("big", window(length)));
    }

    private static Window window(Duration length) {
        return Window.fine(TO.minus(length), TO);
    }

    private PrometheusReader server() {
        return fake.reader(time -> {});
    }

    /** Classic recorded histograms of a hundred leaders; a single number where one is asked for. */
    private Answer answer(Asked question) {
        String path = question.path();
        if (path.startsWith("/api/v1/label/")) {
            return Answer.of(labels(path.split("/")[4], question.form().get("match[]")));
        } else if (path.equals("/api/v1/stores")) {
            return Answer.of("{}");
        } else if (path.equals("/api/v1/labels")) {
            return Answer.of("[\"cluster\"]");
        } else if (path.endsWith("/query")) {
            return Answer.of("{\"resultType\":\"vector\",\"result\":[]}");
        }
        most = Math.max(most, question.points());
        if (question.points() > limit) {
            refused++;
            return new Answer(422, "{\"status\":\"error\",\"error\":\"" + refusal + "\"}");
        }
        return matrix(question);
    }

    private static String labels(String label, String selector) {
        return switch (label) {
            case "leader" ->
                IntStream.range(0, 100).mapToObj("\"%d\""::formatted).toList().toString();
            case "__name__" -> selector.matches(".*rate5m.*le!=.*") ? "[\"there\"]" : "[]";
            case "cluster" -> "[\"big\"]";
            default -> "[\"default\"]";
        };
    }

    private static Answer matrix(Asked question) {
        String query = question.form().get("query");
        boolean histogram = query.contains("rate5m") && query.contains("by (");
        List<String> les = histogram ? List.of("0.01", "0.1", "+Inf") : List.of("");
        String[] series = new String[les.size()];
        for (int i = 0; i < series.length; i++) {
            int bucket = i;
            series[i] = question.series(LABELS.formatted(les.get(i)), n -> value(query, bucket));
        }
        return Answer.matrix(series);
    }

    /** One probe a block, of which none is bad; a thousand in its histograms. */
    private static long value(String query, int bucket) {
        if (query.contains("bad_probes") || query.contains("stalled") || query.contains("lost")) {
            return 0;
        }
        return query.contains("latency_seconds") ? List.of(500, 990, 1000).get(bucket) : 1;
    }
}
