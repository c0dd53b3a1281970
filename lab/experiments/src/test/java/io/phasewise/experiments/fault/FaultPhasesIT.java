/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.common.phase.Phase;
import io.phasewise.experiments.measure.CanaryProcess;
import io.phasewise.experiments.measure.HttpPages;
import io.phasewise.lab.fault.FalseClock;
import io.phasewise.lab.fault.SlowDisk;
import io.phasewise.lab.fault.Way;
import io.phasewise.lab.kafka.KafkaBroker;
import io.phasewise.lab.kafka.KafkaCluster;
import io.phasewise.lab.measure.Scrape;
import io.phasewise.lab.net.PortLease;
import io.phasewise.lab.process.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Faults land in their phase where the leader tells when it appended and committed a probe, at the
 * canary's default settings, with every broker's stamps hours away and drifting. At length another
 * canary beside, which nobody tells anything, shows what estimates make of the same faults, with
 * brokers whose wall clocks drift.
 */
class FaultPhasesIT {
    private static final int BROKERS = 3;
    private static final int LEADER = 1;
    private static final Path ROOT = Path.of(System.getProperty("phasewise.root"));
    private static final int PROBES_PER_SECOND = 20;
    private static final int LARGE = 100_000;
    private static final long NARROW = 10_000_000;
    private static final int WRITES_PER_SECOND = 700;
    private static final Duration WARM_UP = Duration.ofSeconds(15);
    private static final Duration REST = Duration.ofSeconds(30);
    private static final Duration LENGTH =
            Duration.ofSeconds(Integer.getInteger("phases.seconds", 60));

    private final HttpPages pages = new HttpPages();
    private final List<String> wrong = new ArrayList<>();
    private final StringBuilder table =
            new StringBuilder(
                    "| fault | canary | expected | produce | publish | commit | catch_up | fetch |"
                            + " clock known to |\n|---|---|---|---|---|---|---|---|---|\n");

    private KafkaCluster cluster;
    private int exporterPort;

    /** Whom the leader tells, and, at length, whom nobody tells anything. */
    private final Map<String, CanaryProcess> canaries = new HashMap<>();

    /** What the leader's exporter said around the last stretch without a fault. */
    private Scrape restBegun;

    private Scrape restEnded;

    /** Without a fault. */
    private static final int STRETCHES = 3;

    /** A phase's share of what is expected of it. */
    private double share;

    private Duration delay;

    /** Of every two seconds. */
    private Duration standstill;

    private interface Beginning {
        Fault.Broken begin() throws Exception;
    }

    /**
     * How much longer a probe takes by the fault, seconds, from what the leader's exporter said.
     */
    private interface Expectation {
        double seconds(Scrape begun, Scrape ended);
    }

    @Test
    void delaysAndStandstillsLandInTheirPhase(@TempDir Path directory) throws Exception {
        // Beside other tests phases grow and shrink by tens of milliseconds: so faults are large.
        share = 0.7;
        delay = Duration.ofMillis(400);
        standstill = Duration.ofMillis(800);
        run(directory, false, Map.of(), () -> common(Duration.ofSeconds(15)));
        assertThat(wrong).as(oneLine()).isEmpty();
    }

    @Tag("long")
    @Test
    void allFaultsDoForMinutes(@TempDir Path directory) throws Exception {
        share = 0.95;
        delay = Duration.ofMillis(100);
        standstill = Duration.ofMillis(400);
        Optional<String> obstacle =
                SlowDisk.obstacle(directory)
                        .or(
                                () ->
                                        FalseClock.library().isPresent()
                                                ? Optional.empty()
                                                : Optional.of("libfaketime is not installed"));
        assertThat(obstacle).isEmpty();
        try {
            run(directory.resolve("small"), true, Map.of(), () -> rare(common(LENGTH), LENGTH));
            run(
                    directory.resolve("large"),
                    true,
                    Map.of("probe", Map.of("size", LARGE)),
                    () -> narrow(LENGTH));
        } finally {
            Files.writeString(ROOT.resolve("lab/experiments/target/fault-phases.md"), table);
        }
        assertThat(wrong).as(oneLine()).isEmpty();
    }

    private String oneLine() {
        return table.toString().replace("\n", "; ");
    }

    private interface Body {
        void run() throws Exception;
    }

    private void run(Path directory, boolean blind, Map<String, Object> settings, Body body)
            throws Exception {
        List<ShiftedMarks> shifted = new ArrayList<>();
        Map<Integer, FalseClock> clocks = new HashMap<>();
        if (blind) {
            for (int id = 1; id <= BROKERS; id++) {
                Path file = directory.resolve("clock-" + id);
                clocks.put(id, new FalseClock(FalseClock.library().orElseThrow(), file));
            }
        }
        try (PortLease ports = PortLease.take(BROKERS + 2);
                KafkaCluster started =
                        KafkaCluster.builder(ROOT, directory.resolve("kafka"))
                                .shortLived()
                                .behindLinks()
                                .jvmOption(id -> agent(ports.port(id - 1)))
                                .environment(id -> blind ? clocks.get(id).environment() : Map.of())
                                .build();
                Drift drift = new Drift(clocks)) {
            started.start();
            cluster = started;
            exporterPort = ports.port(LEADER - 1);
            Map<String, String> exporters = new HashMap<>();
            for (int id = 1; id <= BROKERS; id++) {
                ShiftedMarks marks = new ShiftedMarks(ports.port(id - 1), id);
                shifted.add(marks);
                exporters.put(String.valueOf(id), "127.0.0.1:" + marks.port());
            }
            Map<String, Object> told = new HashMap<>(settings);
            told.put("exporters", Map.of("addresses", exporters));
            canaries.put("told", canary(directory.resolve("told"), told, ports.port(BROKERS)));
            if (blind) {
                Map<String, Object> untold = new HashMap<>(settings);
                untold.put("topic", Map.of("name", "untold"));
                canaries.put(
                        "blind",
                        canary(directory.resolve("blind"), untold, ports.port(BROKERS + 1)));
            }
            started.withLogsOnFailure(
                    () -> {
                        body.run();
                        return null;
                    });
        } finally {
            canaries.values().forEach(CanaryProcess::close);
            canaries.clear();
            shifted.forEach(ShiftedMarks::close);
        }
    }

    /** Has brokers' wall clocks gain or lose 50 us a second. */
    private static final class Drift implements AutoCloseable {
        private final Fault.Broken drifting;

        Drift(Map<Integer, FalseClock> clocks) {
            Duration period = Duration.ofMillis(200);
            long began = System.nanoTime();
            drifting =
                    Recurring.every(
                            period,
                            () -> {
                                long gained = (System.nanoTime() - began) / 20_000;
                                clocks.forEach(
                                        (id, clock) ->
                                                clock.set(
                                                        Duration.ofSeconds(7L * id)
                                                                .plusNanos(
                                                                        id % 2 == 0
                                                                                ? gained
                                                                                : -gained)));
                            },
                            Duration.ofSeconds(5),
                            () -> {});
        }

        @Override
        public void close() throws InterruptedException {
            drifting.close();
        }
    }

    private static String agent(int port) {
        Path jar = ROOT.resolve("exporter/target/phasewise-exporter.jar");
        return "-javaagent:" + jar + "=127.0.0.1:" + port;
    }

    private CanaryProcess canary(Path directory, Map<String, Object> settings, int debugger)
            throws IOException, InterruptedException {
        Map<String, Object> all = new HashMap<>(settings);
        all.put("bootstrap-servers", cluster.bootstrap());
        return CanaryProcess.start(
                ROOT.resolve("canary/target/phasewise-canary.jar"),
                directory,
                all,
                List.of(Debugger.listening(debugger)));
    }

    private Map<String, Map<Phase, Double>> common(Duration length) throws Exception {
        pass(WARM_UP);
        Map<String, Map<Phase, Double>> usual = usual(length);
        assertThat(canaries.get("told").scrape().sum(source(), leader(), "source=\"broker\""))
                .isEqualTo(1);
        double seconds = delay.toMillis() / 1e3;
        String longer = " take " + delay.toMillis() + " ms longer";
        StallingBroker follower = new StallingBroker(2, standstill, Duration.ofSeconds(2));
        Way there = cluster.clientLink(LEADER).there();
        Way back = cluster.clientLink(LEADER).back();
        Grown requests =
                judge("requests" + longer, usual, length, () -> later(there), (b, e) -> seconds);
        Grown answers =
                judge("answers" + longer, usual, length, () -> later(back), (b, e) -> seconds);
        Grown commits =
                judge(
                        follower.about(),
                        usual,
                        length,
                        () -> follower.begin(FaultTarget.of(cluster)),
                        (b, e) -> follower.meanWaitMillis() / 1e3);
        // A machine that was busier before the faults than during them would hide what they add.
        Map<String, Map<Phase, Double>> after = usual(length);
        for (Grown grown : List.of(requests, answers, commits)) {
            grown.overTheQuieterOf(usual, after);
        }
        requests.lies(Phase.PUBLISH, Set.of(Phase.PRODUCE, Phase.COMMIT));
        answers.lies(Phase.FETCH, Set.of(Phase.PUBLISH, Phase.COMMIT, Phase.CATCH_UP));
        commits.lies(Phase.COMMIT, Set.of(Phase.PUBLISH));
        return usual;
    }

    private void rare(Map<String, Map<Phase, Double>> usual, Duration length) throws Exception {
        BusyHandlers handlers = new BusyHandlers(LEADER, 35, 50_000);
        judge(
                        handlers.about(),
                        usual,
                        length,
                        () -> handlers.begin(FaultTarget.of(cluster)),
                        (begun, ended) -> grown("request_queue", begun, ended))
                .lies(Phase.PUBLISH, Set.of());
        AwayFromPoll consumer = new AwayFromPoll(Duration.ofMillis(600), Duration.ofMillis(1_130));
        judge(
                        "the consumer is away for 600 ms of every 1130 ms",
                        usual,
                        length,
                        () -> away(consumer),
                        (b, e) -> consumer.meanWaitMillis() / 1e3)
                .lies(Phase.CATCH_UP, Set.of(Phase.PUBLISH, Phase.COMMIT));
        try (Fault.Broken flushed = BrokerSetting.FLUSHED_LOGS.begin(FaultTarget.of(cluster))) {
            Map<String, Map<Phase, Double>> forced = usual(length);
            KafkaBroker slow = cluster.broker(LEADER);
            judge(
                            "leader 1 may write " + WRITES_PER_SECOND + " times a second",
                            forced,
                            length,
                            () ->
                                    SlowDisk.begin(
                                                    slow.pid(),
                                                    slow.dataDirectory(),
                                                    WRITES_PER_SECOND)
                                            ::close,
                            (begun, ended) -> grown("local", begun, ended))
                    .lies(Phase.PUBLISH, Set.of());
        }
    }

    private void narrow(Duration length) throws Exception {
        pass(WARM_UP);
        Map<String, Map<Phase, Double>> usual = usual(length);
        Way there = cluster.clientLink(LEADER).there();
        judge(
                        "probes of 100 kB, 10 MB a second on the way to leader 1",
                        usual,
                        length,
                        () -> {
                            there.narrow(NARROW);
                            return () -> there.narrow(Way.UNBOUNDED);
                        },
                        (b, e) -> (double) LARGE / NARROW)
                .lies(Phase.PUBLISH, Set.of());
    }

    private Fault.Broken later(Way way) {
        way.delay(delay);
        return () -> way.delay(Duration.ZERO);
    }

    private Fault.Broken away(AwayFromPoll consumer) throws IOException, InterruptedException {
        return consumer.begin(
                FaultTarget.of(cluster, canaries.values().toArray(CanaryProcess[]::new)));
    }

    /** By how much the mean time of the canaries' produce requests in a phase of theirs grew. */
    private double grown(String phase, Scrape begun, Scrape ended) {
        return mean(phase, begun, ended) - mean(phase, restBegun, restEnded);
    }

    private static double mean(String phase, Scrape from, Scrape to) {
        String name = "kafka_canary_request_phase_seconds";
        String[] labels = {"request=\"Produce\"", "phase=\"" + phase + "\""};
        return to.grown(from, name + "_sum", labels) / to.grown(from, name + "_count", labels);
    }

    /** What a fault added to each phase, by canary. */
    private final class Grown {
        private final String fault;
        private final double expected;
        private final Map<String, Map<Phase, Double>> seconds;
        private final Map<String, Double> uncertainty;

        Grown(
                String fault,
                double expected,
                Map<String, Map<Phase, Double>> seconds,
                Map<String, Double> uncertainty) {
            this.fault = fault;
            this.expected = expected;
            this.seconds = seconds;
            this.uncertainty = uncertainty;
        }

        /** What was measured over {@code before} counts over what each phase was at least. */
        void overTheQuieterOf(
                Map<String, Map<Phase, Double>> before, Map<String, Map<Phase, Double>> after) {
            seconds.forEach(
                    (canary, phases) ->
                            phases.replaceAll(
                                    (phase, grown) ->
                                            grown
                                                    + Math.max(
                                                            0,
                                                            before.get(canary).get(phase)
                                                                    - after.get(canary)
                                                                            .get(phase))));
        }

        void lies(Phase where, Set<Phase> not) {
            seconds.forEach(
                    (canary, phases) -> {
                        table.append(
                                String.format(
                                        Locale.ROOT,
                                        "| %s | %s | %s %.1f ms |",
                                        fault,
                                        canary,
                                        where.label(),
                                        1e3 * expected));
                        phases.forEach(
                                (phase, grown) ->
                                        table.append(
                                                String.format(
                                                        Locale.ROOT, " %+.2f |", 1e3 * grown)));
                        table.append(
                                String.format(
                                        Locale.ROOT,
                                        " %.2f ms |\n",
                                        1e3 * uncertainty.get(canary)));
                    });
            Map<Phase, Double> told = seconds.get("told");
            if (told.get(where) < share * expected) {
                wrong.add(fault + ": too little " + where);
            }
            for (Phase other : not) {
                if (told.get(other) > (1 - share) * expected) {
                    wrong.add(fault + ": too much " + other);
                }
            }
        }
    }

    private Grown judge(
            String what,
            Map<String, Map<Phase, Double>> usual,
            Duration length,
            Beginning fault,
            Expectation expectation)
            throws Exception {
        Map<String, Scrape> begun;
        Scrape exporterBegun;
        Map<String, Scrape> ended;
        Scrape exporterEnded;
        try (Fault.Broken broken = fault.begin()) {
            // What is told is told a second later.
            pass(Duration.ofSeconds(3));
            begun = scrapes();
            exporterBegun = exporter();
            pass(length);
            ended = scrapes();
            exporterEnded = exporter();
        }
        Map<String, Map<Phase, Double>> grown = new HashMap<>();
        Map<String, Double> uncertainty = new HashMap<>();
        for (String canary : canaries.keySet()) {
            Map<Phase, Double> means = means(begun.get(canary), ended.get(canary));
            usual.get(canary).forEach((phase, mean) -> means.merge(phase, -mean, Double::sum));
            grown.put(canary, means);
            uncertainty.put(
                    canary,
                    ended.get(canary)
                            .sum(
                                    "kafka_canary_clock_uncertainty_seconds",
                                    "broker=\"" + LEADER + "\""));
        }
        pass(Duration.ofSeconds(5));
        return new Grown(
                what, expectation.seconds(exporterBegun, exporterEnded), grown, uncertainty);
    }

    /**
     * Means without a fault, of half a minute at most: of three stretches the median, as one second
     * in which the machine is paused is in one of them.
     */
    private Map<String, Map<Phase, Double>> usual(Duration length) throws Exception {
        Duration whole = length.compareTo(REST) < 0 ? length : REST;
        List<Map<String, Scrape>> scrapes = new ArrayList<>(List.of(scrapes()));
        restBegun = exporter();
        for (int i = 0; i < STRETCHES; i++) {
            pass(whole.dividedBy(STRETCHES));
            scrapes.add(scrapes());
        }
        restEnded = exporter();
        Map<String, Map<Phase, Double>> usual = new HashMap<>();
        for (String canary : canaries.keySet()) {
            Map<Phase, Double> medians = new EnumMap<>(Phase.class);
            for (Phase phase : Phase.values()) {
                double[] sorted =
                        IntStream.range(0, STRETCHES)
                                .mapToDouble(
                                        i ->
                                                means(
                                                                scrapes.get(i).get(canary),
                                                                scrapes.get(i + 1).get(canary))
                                                        .get(phase))
                                .sorted()
                                .toArray();
                medians.put(phase, sorted[STRETCHES / 2]);
            }
            usual.put(canary, medians);
        }
        return usual;
    }

    private static Map<Phase, Double> means(Scrape from, Scrape to) {
        Map<Phase, Double> means = new EnumMap<>(Phase.class);
        for (Phase part : Phase.values()) {
            String phase = "phase=\"" + part.label() + "\"";
            String name = "kafka_canary_phase_latency_seconds";
            means.put(
                    part,
                    to.grown(from, name + "_sum", leader(), phase)
                            / to.grown(from, name + "_count", leader(), phase));
        }
        return means;
    }

    private Map<String, Scrape> scrapes() throws IOException, InterruptedException {
        Map<String, Scrape> all = new HashMap<>();
        for (Map.Entry<String, CanaryProcess> canary : canaries.entrySet()) {
            all.put(canary.getKey(), canary.getValue().scrape());
        }
        return all;
    }

    private Scrape exporter() throws IOException, InterruptedException {
        return pages.scrape("http://127.0.0.1:" + exporterPort + "/metrics");
    }

    private static String leader() {
        return "leader=\"" + LEADER + "\"";
    }

    private static String source() {
        return "kafka_canary_phase_source";
    }

    private double split(CanaryProcess canary) throws IOException, InterruptedException {
        return canary.scrape()
                .sum("kafka_canary_phase_latency_seconds_count", leader(), "phase=\"fetch\"");
    }

    /** Waits until as many probes of the leader were split as it gets in a time, by each canary. */
    private void pass(Duration time) throws IOException, InterruptedException {
        Map<CanaryProcess, Double> enough = new HashMap<>();
        for (CanaryProcess canary : canaries.values()) {
            enough.put(canary, split(canary) + PROBES_PER_SECOND * time.toSeconds());
        }
        for (CanaryProcess canary : canaries.values()) {
            Await.that("probes are split", time.multipliedBy(2).plusSeconds(30))
                    .every(Duration.ofMillis(500))
                    .until(
                            () -> {
                                double missing = enough.get(canary) - split(canary);
                                return missing > 0
                                        ? Optional.of(missing + " are missing")
                                        : Optional.empty();
                            });
        }
    }
}
