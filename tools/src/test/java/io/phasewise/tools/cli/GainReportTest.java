/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.tools.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.phasewise.common.cli.UsageException;
import io.phasewise.common.progress.Screen;
import io.phasewise.common.progress.Terminal;
import io.phasewise.common.stack.LocalStack;
import io.phasewise.ops.prediction.Prediction;
import io.phasewise.ops.prometheus.FakePrometheus;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

class GainReportTest {

    @TempDir
    Path directory;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    @AutoClose
    private FakePrometheus prometheus;

    private Duration passed = Duration.ZERO;

    @Command
    private static final class Given {
        @Mixin
        private PrometheusOption figures;
    }

    @BeforeEach
    void start() throws Exception {
        prometheus = new FakePrometheus()
                .vector("group by (cluster)", "{\"cluster\":\"local\"} 1")
                .vector("vector(0)", "{} 0");
        probes(0.100, 0.004);
    }

    /** Ten batches of a hundred probes of brokers 1 and 2 each. */
    private void probes(double first, double second) {
        prometheus.raw("histogram_sum(increase(kafka_canary_end", matrix(100 * first, 100 * second));
        prometheus.raw("histogram_count(increase(kafka_canary_end", matrix(100, 100));
    }

    private static String matrix(double first, double second) {
        return "\"matrix\",\"result\":[" + series(1, first) + "," + series(2, second) + "]";
    }

    private static String series(int leader, double value) {
        String labels = "{\"metric\":{\"leader\":\"" + leader + "\"},\"values\":[";
        return IntStream.rangeClosed(1, 10)
                .mapToObj(i -> String.format(Locale.ROOT, "[%d,\"%f\"]", 100 * i, value))
                .collect(Collectors.joining(",", labels, "]}"));
    }

    private GainReport open(Optional<LocalStack> local, String... options) throws Exception {
        Given given = new Given();
        new CommandLine(given).parseArgs(options);
        PrintStream stream = new PrintStream(out, true, StandardCharsets.UTF_8);
        Screen screen = new Screen(stream, Terminal.plain());
        Context.Pause settle = time -> passed = passed.plus(time);
        Context context = new Context(
                directory,
                directory,
                Map.of(),
                "./phasewise",
                screen,
                InstantSource.system(),
                System::nanoTime,
                settle);
        return GainReport.open(context, given.figures, local);
    }

    private String said() {
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void whatWasPredictedIsMeasuredAfterItsWindowAndSomeTimeToSettle() throws Exception {
        GainReport report =
                open(Optional.empty(), "--prometheus", prometheus.url().toString(), "--window=60");

        Prediction prediction = report.predict(1).orElseThrow();
        probes(0.100, 0.006);
        report.measure(prediction);

        assertThat(passed).isEqualTo(GainReport.SETTLES.plusSeconds(60));
        assertThat(said())
                .contains(
                        "Predicted once it leads nothing: 48.0 ms less",
                        "Measured:  46.0 ms less, not within the interval");
    }

    /** Twelve scrapes are in a minute, and each of ten parts needs two. */
    @Test
    void aWindowThatIsTooShortForTheScrapesIsRefusedWithOneThatIsNot() throws Exception {
        scrapedEvery(5);

        assertThat(open(Optional.empty(), "--prometheus=" + prometheus.url(), "--window=60")
                        .predict(1))
                .isEmpty();
        assertThat(said()).contains("No prediction: window too short: 12 scrapes, 20 needed. Try --window 120");
        assertThat(open(Optional.empty(), "--prometheus=" + prometheus.url(), "--window=120")
                        .predict(1))
                .isPresent();
    }

    @ParameterizedTest
    @CsvSource({"5, 300", "15, 300", "30, 600", "60, 1200"})
    void theWindowIsLongEnoughForTheScrapesUnlessOneIsSaid(int interval, int window) throws Exception {
        scrapedEvery(interval);

        GainReport report = open(Optional.empty(), "--prometheus=" + prometheus.url());
        report.measure(report.predict(1).orElseThrow());

        assertThat(said()).contains("Mean end to end, last " + window + " s");
        assertThat(passed).isEqualTo(GainReport.SETTLES.plusSeconds(window));
    }

    private void scrapedEvery(int seconds) {
        String times = IntStream.range(0, 900 / seconds)
                .mapToObj(i -> String.format(Locale.ROOT, "[%d.%03d,\"7\"]", i * seconds, i % 3))
                .collect(Collectors.joining(","));
        prometheus.raw(
                "kafka_canary_probes_scheduled_total{",
                "\"matrix\",\"result\":[{\"metric\":{\"leader\":\"1\"},\"values\":[" + times + "]}]");
    }

    @Test
    void theLocalStackHasAPrometheusOfItsOwn() throws Exception {
        LocalStack stack = new LocalStack(directory);
        stack.write("127.0.0.1:1", prometheus.url().toString());

        assertThat(open(Optional.of(stack)).predict(1)).isPresent();
    }

    @Test
    void thatNothingCanBePredictedIsSaidWithItsReason() throws Exception {
        assertThat(open(Optional.empty()).predict(1)).isEmpty();
        assertThat(open(Optional.empty(), "--prometheus=http://127.0.0.1:1").predict(1))
                .isEmpty();
        assertThat(open(Optional.empty(), "--prometheus=" + prometheus.url()).predict(7))
                .isEmpty();

        assertThat(said())
                .contains(
                        "No prediction: --prometheus URL says where",
                        "No prediction: http://127.0.0.1:1: no connection",
                        "No prediction: no probe was led by broker 7");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''                              | has no figures of a canary",
                "{\"job\":\"pods\"} 1          | (its series are of the job pods; allowed: job kafka-canary, which",
                "{} 1                            | (its series have no label 'job'; allowed: job kafka-canary, which",
            })
    void aCanaryThatAnotherJobScrapesIsNoReasonNotToDemote(String job, String why) throws Exception {
        prometheus.vector("group by (cluster)");
        prometheus.vector("group by (job)", job.isEmpty() ? new String[0] : new String[] {job});

        GainReport report = open(Optional.empty(), "--prometheus=" + prometheus.url(), "--cluster=orders");

        assertThat(report.predict(1)).isEmpty();
        assertThat(said()).startsWith("No prediction: " + prometheus.url()).contains(why);
    }

    @Test
    void aClusterThatAnotherJobScrapesIsSaidToBe() {
        prometheus.vector("group by (job)", "{\"job\":\"pods\"} 1");

        assertThatThrownBy(() -> open(Optional.empty(), "--prometheus=" + prometheus.url(), "--cluster=orders"))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("--cluster: no figures of a canary of orders (its series are of the job pods;")
                .hasMessageEndingWith(" has local");
    }

    @Test
    void afterwardsAPrometheusThatIsGoneIsSaidToBe() throws Exception {
        GainReport report = open(Optional.empty(), "--prometheus=" + prometheus.url());
        Prediction prediction = report.predict(1).orElseThrow();

        prometheus.close();
        report.measure(prediction);

        assertThat(said()).contains("What it gained is not known: ");
    }
}
