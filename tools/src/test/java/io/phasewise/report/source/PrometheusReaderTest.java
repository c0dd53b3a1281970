/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.phasewise.report.source.FakePrometheus.Answer;
import io.phasewise.report.source.FakePrometheus.Asked;
import io.phasewise.report.stats.Histogram;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is asked of a server, in how many pieces, and what is made of its answers and refusals. */
class PrometheusReaderTest {

    private static final Instant START = Instant.parse("2026-11-01T01:00:00Z");
    private static final Duration HOUR = Duration.ofHours(1);

    /** As Thanos 0.42 refuses where a sidecar is away. */
    private static final Answer AWAY = new Answer(422, """
                    {"status":"error","errorType":"execution","error":"expanding series: proxy Series(): fetch
                    series for {replica=\\"b\\"} Addr: b:10901 MinTime: 1 MaxTime: 2: rpc error: code = Unavailable
                    desc = connection error: transport: Error while dialing: i/o timeout"}
                    """);

    private final List<Asked> asked = new ArrayList<>();
    private final List<Duration> pauses = new ArrayList<>();
    private Answer stores = new Answer(404, "");
    private Function<Asked, Answer> answers = PrometheusReaderTest::series;

    @AutoClose
    private FakePrometheus fake;

    @BeforeEach
    void serve() throws IOException {
        fake = new FakePrometheus(question -> {
            if (question.path().equals("/api/v1/stores")) {
                return stores;
            }
            asked.add(question);
            return answers.apply(question);
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"status\":\"error\",\"error\":\"query processing would load too many samples into memory\"}",
                "rpc error: code = Aborted desc = receive series from a: rpc error: code ="
                        + " DeadlineExceeded desc = context deadline exceeded"
            })
    void aChunkThatIsTooLargeOrTakesTooLongIsHalvedUntilTheServerTakesIt(String refusal) throws Exception {
        answers = question -> question.points() > 2 ? new Answer(422, refusal) : series(question);
        List<Integer> done = new ArrayList<>();
        Instant end = START.plus(HOUR.multipliedBy(7));
        List<Series> series = server().range("x", START, end, HOUR, 8, (d, of) -> done.add(d));
        assertThat(series)
                .singleElement()
                .satisfies(one -> assertThat(one.values()).hasSize(8));
        assertThat(done).containsExactly(2, 4, 6, 8);
        assertThat(pauses).isEmpty();
    }

    @Test
    void whatIsTooLargeEvenForOneInstantIsRefused() {
        answers = question -> new Answer(422, "too many samples");
        assertThatThrownBy(() -> read(server(), 1, 8))
                .isInstanceOf(SourceException.class)
                .hasMessageContaining("answers 422: too many samples");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aServerThatFailsHalfWayIsAskedAgain(boolean breaksOff) throws Exception {
        Answer failure = breaksOff ? null : new Answer(503, "restarting");
        answers = question -> asked.size() == 3 ? failure : series(question);
        PrometheusReader server = answeredOnce();
        List<Series> series = read(server, 3, 2);
        assertThat(series.get(0).values()).hasSize(4);
        assertThat(pauses).containsExactly(Duration.ofSeconds(1));
    }

    @Test
    void aServerThatNeverAnsweredIsNotWaitedFor() {
        fake.close();
        assertThatThrownBy(() -> server().instant("x", START))
                .isInstanceOf(SourceException.class)
                .hasMessageContaining("does not answer");
        assertThat(pauses).isEmpty();
    }

    @Test
    void nativeHistogramsAreRead() throws Exception {
        says("""
                {"status":"success","data":{"resultType":"vector","result":[{"metric":{"phase":"commit"},
                "histogram":[1762000000.5,{"count":"7","sum":"9.5","buckets":[
                [3,"-0.001","0.001","1"],[0,"1","2","2"],[0,"2","4","4"]]}]}]},"warnings":["w"]}
                """);
        List<Series> series = server().instant("x", START);
        assertThat(series.get(0).label("phase")).isEqualTo("commit");
        Histogram histogram = series.get(0).histograms().firstEntry().getValue();
        assertThat(histogram.count()).isEqualTo(7);
        assertThat(histogram.atMost(0.001)).isEqualTo(1);
        assertThat(histogram.atMost(2)).isEqualTo(3);
        assertThat(histogram.mean()).isCloseTo(9.5 / 7, within(1e-12));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "none",
            value = {
                "'warnings':['PromQL info: x','receive series from b\\nrefused'] | receive series from b refused",
                "'warnings':['PromQL info: metric might not be a counter'],'infos':['x'] | none",
                "'isPartial':true | isPartial"
            },
            quoteCharacter = '~')
    void whatTheServerHoldsAgainstItsAnswersIsKept(String fields, String kept) throws Exception {
        says(("{'status':'success','data':{'resultType':'vector','result':[]}," + fields + "}").replace('\'', '"'));
        PrometheusReader server = server();
        assertThat(server.warnings()).isEqualTo(Warnings.NONE);
        server.instant("x", START);
        server.instant("x", START);
        assertThat(server.warnings()).isEqualTo(kept == null ? Warnings.NONE : new Warnings(2, List.of(kept)));
    }

    @Test
    void aStoreThatThanosAnswersWithoutIsNamed() throws Exception {
        stores = Answer.of("""
                        {"sidecar":[{"name":"a:10901","lastError":null,"minTime":1},
                        {"name":"b:10901","lastError":"rpc error: connection refused","labelSets":[{"replica":"b"}]}]}
                        """);
        PrometheusReader server = answeredOnce();
        assertThat(server.warnings())
                .isEqualTo(new Warnings(0, List.of("store b:10901 is away: rpc error: connection refused")));
    }

    @Test
    void anAnswerWithoutNamesOfLabelsIsEmpty() throws Exception {
        says("{\"status\":\"success\",\"data\":null}");
        assertThat(server().labelNames("x", START, START.plus(HOUR))).isEmpty();
        assertThat(asked.get(0).form()).containsEntry("start", "1793494800");
    }

    @Test
    void aStoreThatIsAwayForAWhileIsWaitedForAndTheAnswerIsWhole() throws Exception {
        answers = question -> asked.size() == 2 ? AWAY : series(question);
        PrometheusReader server = answeredOnce();
        read(server, 1, 2);
        assertThat(pauses).containsExactly(Duration.ofSeconds(1));
        assertThat(server.warnings()).isEqualTo(Warnings.NONE);
        assertThat(asked).allMatch(question -> !isPartial(question));
    }

    @Test
    void whereAStoreStaysAwayTheOthersAreReadAndItIsSaid() throws Exception {
        answers = question -> asked.size() == 1 ? series(question) : isPartial(question) ? warned(question) : AWAY;
        PrometheusReader server = answeredOnce();
        for (int i = 0; i < 2; i++) {
            assertThat(read(server, 1, 2))
                    .singleElement()
                    .satisfies(one -> assertThat(one.values()).hasSize(2));
        }
        assertThat(pauses).hasSize(4);
        assertThat(server.warnings()).isEqualTo(new Warnings(2, List.of("sidecar-b is away")));
    }

    @Test
    void aStoreThatWasAwayFromTheBeginIsNotWaitedFor() throws Exception {
        answers = question -> isPartial(question) ? warned(question) : AWAY;
        PrometheusReader server = answeredOnce();
        assertThat(pauses).isEmpty();
        assertThat(server.warnings().answers()).isEqualTo(1);
    }

    private void says(String body) {
        answers = question -> new Answer(200, body);
    }

    /** A value for each of so many hours and one more, so many at once. */
    private static List<Series> read(PrometheusReader server, int hours, int chunk) throws Exception {
        Instant end = START.plus(HOUR.multipliedBy(hours));
        return server.range("x", START, end, HOUR, chunk, (done, of) -> {});
    }

    private static boolean isPartial(Asked question) {
        return question.form().get("partial_response").equals("true");
    }

    private static Answer series(Asked question) {
        return Answer.matrix(question.series("\"a\":\"b\""));
    }

    private static Answer warned(Asked question) {
        String whole = series(question).body();
        return new Answer(200, whole.replaceFirst("}$", ",\"warnings\":[\"sidecar-b is away\"]}"));
    }

    private PrometheusReader answeredOnce() throws Exception {
        PrometheusReader server = server();
        server.range("x", START, START, HOUR, 1, (done, of) -> {});
        return server;
    }

    private PrometheusReader server() {
        return fake.reader(pauses::add);
    }
}
