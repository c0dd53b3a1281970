/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.common.phase.Phase;
import io.phasewise.experiments.cluster.ClusterSpec;
import io.phasewise.experiments.cluster.LabCluster;
import io.phasewise.experiments.measure.CanaryProcess;
import io.phasewise.lab.fault.AdjustableClock;
import io.phasewise.lab.fault.LinkDirection;
import io.phasewise.lab.fault.SlowDisk;
import io.phasewise.lab.junit.BrokerLogs;
import io.phasewise.lab.measure.EvidenceRun;
import io.phasewise.lab.measure.Scrape;
import io.phasewise.lab.net.PortLease;
import io.phasewise.lab.process.Await;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Faults land in their phase at the canary's default settings: where the leader tells when it
 * appended and committed a probe, with every broker's stamps hours away and drifting, and by the
 * estimates of another canary beside, which nobody tells anything. At length brokers' wall clocks
 * drift, and there are faults of which an estimate is only shown.
 *
 * <p>Alone, as it measures (acceptance, too, comes after): another cluster beside it takes the
 * processors from the brokers, and commits grow.
 */
@Isolated
class FaultPhasesIT {
    private static final int BROKERS = 3;
    private static final int LEADER = 1;
    private static final String LED = Scrape.label("leader", LEADER);
    private static final String PUBLISH = Scrape.label("phase", Phase.PUBLISH.label());
    private static final String LATENCY = "kafka_canary_phase_latency_seconds";

    /** The canary that leaders tell. */
    private static final String TOLD = "reported";

    /** The one that nobody tells anything. */
    private static final String BLIND = "estimated";

    /** An estimate has at least so much of what is expected in its phase. */
    private static final double ESTIMATED = 0.85;

    private static final Path ROOT = Path.of(System.getProperty("phasewise.root"));
    private static final int PROBES_PER_SECOND = 20;
    private static final int LARGE = 100_000;
    private static final long NARROW = 10_000_000;
    private static final int WRITES_PER_SECOND = 700;
    private static final Duration WARM_UP = Duration.ofSeconds(15);
    private static final Duration REST = Duration.ofSeconds(30);
    private static final Duration LENGTH = Duration.ofSeconds(Integer.getInteger("phases.seconds", 60));

    /** Without a fault. */
    private static final int STRETCHES = 3;

    private final List<String> wrong = new ArrayList<>();
    /** As {@code docs/evidence/runs} keeps them. */
    private final List<List<String>> table = new ArrayList<>();

    /** Whether it came to its end: a run that was broken off has not passed. */
    private boolean ended;

    private LabCluster brokers;

    private final Map<String, CanaryProcess> canaries = new HashMap<>();

    /** A phase's share of what is expected of it. */
    private double share;

    private Duration delay;

    /** Of every two seconds. */
    private Duration standstill;

    /** What the canaries, by name, and the leader's exporter said at one moment. */
    private record Look(Map<String, Scrape> canaries, Scrape exporter) {}

    /** Some time in stretches, with a look before and after each. */
    private record Stretches(List<Look> looks) {

        /** Mean seconds of each phase of the leader's probes, by canary. */
        Map<String, Map<Phase, Double>> means() {
            Map<String, Map<Phase, Double>> all = new HashMap<>();
            for (String canary : looks.get(0).canaries().keySet()) {
                Map<Phase, Double> means = new EnumMap<>(Phase.class);
                for (Phase phase : Phase.values()) {
                    String label = Scrape.label("phase", phase.label());
                    means.put(phase, mean(look -> look.canaries().get(canary), LATENCY, LED, label));
                }
                all.put(canary, means);
            }
            return all;
        }

        /** Mean seconds of the canaries' produce requests from their receipt to their append. */
        double untilAppended() {
            return request("request_queue") + request("local");
        }

        private double request(String phase) {
            String[] labels = {Scrape.label("request", "Produce"), Scrape.label("phase", phase)};
            return mean(Look::exporter, "kafka_canary_request_phase_seconds", labels);
        }

        /** The median of the stretches' means: a second in which the machine stands still is in one of them. */
        private double mean(Function<Look, Scrape> of, String name, String... labels) {
            double[] means = new double[looks.size() - 1];
            for (int i = 0; i < means.length; i++) {
                Scrape from = of.apply(looks.get(i));
                Scrape to = of.apply(looks.get(i + 1));
                means[i] = to.grown(from, name + "_sum", labels) / to.grown(from, name + "_count", labels);
            }
            Arrays.sort(means);
            return means[means.length / 2];
        }

        /** Of probes that {@link #TOLD} split: an estimate has an error where it is known better. */
        double shareReported() {
            Scrape from = looks.get(0).canaries().get(TOLD);
            Scrape to = ended().canaries().get(TOLD);
            String errors = "kafka_canary_phase_estimate_error_seconds_count";
            return to.grown(from, errors, LED, PUBLISH) / to.grown(from, LATENCY + "_count", LED, PUBLISH);
        }

        Look ended() {
            return looks.get(looks.size() - 1);
        }
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
        assertThat(SlowDisk.obstacle(directory)).isEmpty();
        assertThat(AdjustableClock.library()).as("libfaketime").isPresent();
        try {
            run(directory.resolve("small"), true, Map.of(), () -> rare(common(LENGTH), LENGTH));
            run(directory.resolve("large"), true, Map.of("probe", Map.of("size", LARGE)), () -> narrow(LENGTH));
            ended = true;
        } finally {
            evidence().write(ROOT.resolve("lab/experiments/target/evidence"), "fault-phases");
        }
        assertThat(wrong).as(oneLine()).isEmpty();
    }

    private EvidenceRun evidence() throws Exception {
        List<String> phases = Stream.of(Phase.values()).map(Phase::label).toList();
        List<String> columns = new ArrayList<>(List.of("fault", "expected", "phases are"));
        columns.addAll(phases);
        columns.add("clock known to");
        return EvidenceRun.now(
                ROOT,
                "mvn verify -pl lab/experiments,lab/kafka-4.4 -am -Dit.test=FaultPhasesIT -Dtests.included=long"
                        + " -Dtests.excluded=none -Dphases.seconds=" + LENGTH.toSeconds(),
                ended && wrong.isEmpty(),
                wrong,
                columns,
                table);
    }

    private String oneLine() {
        return table.toString();
    }

    private void run(Path directory, boolean falseClocks, Map<String, Object> settings, Callable<Stretches> body)
            throws Exception {
        List<ShiftedMarks> shifted = new ArrayList<>();
        Map<Integer, AdjustableClock> clocks = new HashMap<>();
        if (falseClocks) {
            for (int id = 1; id <= BROKERS; id++) {
                Path file = directory.resolve("clock-" + id);
                clocks.put(id, new AdjustableClock(AdjustableClock.library().orElseThrow(), file));
            }
        }
        try (PortLease debuggers = PortLease.take(2);
                LabCluster started = LabCluster.start(
                        ROOT,
                        directory,
                        ClusterSpec.PLAIN.behindLinks(false, false),
                        builder -> builder.shortLived().environment(id -> environment(clocks, id)));
                Fault.Broken drift = drifting(clocks)) {
            brokers = started;
            Map<String, String> exporters = new HashMap<>();
            for (int id = 1; id <= BROKERS; id++) {
                ShiftedMarks marks = new ShiftedMarks(started.exporter(id), id);
                shifted.add(marks);
                exporters.put(String.valueOf(id), "127.0.0.1:" + marks.port());
            }
            Map<String, Object> told = Map.of("exporters", Map.of("addresses", exporters));
            Map<String, Object> untold = Map.of("topic", Map.of("name", "untold"));
            String first = Debugger.listening(debuggers.port(0));
            String second = Debugger.listening(debuggers.port(1));
            canaries.put(TOLD, started.canary(List.of(settings, told), first));
            canaries.put(BLIND, started.canary(List.of(settings, untold), second));
            BrokerLogs.withFailure(started.kafka(), body::call);
        } finally {
            canaries.values().forEach(CanaryProcess::close);
            canaries.clear();
            shifted.forEach(ShiftedMarks::close);
        }
    }

    private static Map<String, String> environment(Map<Integer, AdjustableClock> clocks, int broker) {
        return clocks.containsKey(broker) ? clocks.get(broker).environment() : Map.of();
    }

    /** Has brokers' wall clocks gain or lose 50 us a second. */
    private static Fault.Broken drifting(Map<Integer, AdjustableClock> clocks) {
        long began = System.nanoTime();
        return RepeatedAction.every(
                Duration.ofMillis(200),
                () -> {
                    long gained = (System.nanoTime() - began) / 20_000;
                    clocks.forEach((id, clock) ->
                            clock.set(Duration.ofSeconds(7L * id).plusNanos(id % 2 == 0 ? gained : -gained)));
                },
                () -> {});
    }

    private Stretches common(Duration length) throws Exception {
        pass(WARM_UP);
        Stretches usual = rest(length);
        assertThat(usual.shareReported())
                .as("share of probes that the leader reports")
                .isGreaterThan(0.9);
        double seconds = delay.toMillis() / 1e3;
        String longer = " take " + delay.toMillis() + " ms longer";
        StallingBroker follower = new StallingBroker(2, standstill, Duration.ofSeconds(2));
        LinkDirection toServer = brokers.kafka().clientLink(LEADER).toServer();
        LinkDirection toClient = brokers.kafka().clientLink(LEADER).toClient();
        Grown requests = judge("requests" + longer, usual, length, () -> later(toServer), during -> seconds);
        double late = meanWaitForAnswersSeconds(seconds);
        Grown answers = judge("answers" + longer, usual, length, () -> later(toClient), during -> late);
        Grown commits = judge(
                "broker 2 is paused for " + standstill.toMillis() + " ms of every 2000 ms",
                usual,
                length,
                () -> follower.begin(target()),
                during -> meanWaitSeconds(standstill, follower.period()));
        SlowConsumer consumer = new SlowConsumer(Duration.ofMillis(600), Duration.ofMillis(1_130));
        Grown away = judge(
                "the consumer is away for 600 ms of every 1130 ms",
                usual,
                length,
                () -> consumer.begin(target()),
                during -> meanWaitSeconds(consumer.standstill(), consumer.period()));
        Rests rests = new Rests(usual.means(), rest(length).means());
        lies(requests, rests, Phase.PUBLISH, Set.of(Phase.PRODUCE, Phase.COMMIT), TOLD, BLIND);
        Set<Phase> notFetch = Set.of(Phase.PUBLISH, Phase.COMMIT, Phase.CATCH_UP);
        lies(answers, rests, Phase.FETCH, notFetch, TOLD, BLIND);
        lies(commits, rests, Phase.COMMIT, Set.of(Phase.PUBLISH), TOLD, BLIND);
        lies(away, rests, Phase.CATCH_UP, Set.of(Phase.PUBLISH, Phase.COMMIT), TOLD, BLIND);
        return usual;
    }

    private Stretches rare(Stretches usual, Duration length) throws Exception {
        Grown queued = judge(
                "broker 1 has one request handler, which 35 producers keep busy with batches to compress",
                usual,
                length,
                () -> new BusyHandlers(LEADER, 35, 50_000).begin(target()),
                during -> during.untilAppended() - usual.untilAppended());
        lies(queued, null, Phase.PUBLISH, Set.of(), TOLD);
        BrokerSetting flushed = new BrokerSetting("every record is forced to disk", "log.flush.interval.messages", "1");
        try (Fault.Broken forcing = flushed.begin(target())) {
            Stretches forced = rest(length);
            Grown written = judge(
                    "leader 1 may write " + WRITES_PER_SECOND + " times a second",
                    forced,
                    length,
                    () -> new SlowBrokerDisk(LEADER, WRITES_PER_SECOND).begin(target()),
                    during -> during.untilAppended() - forced.untilAppended());
            lies(written, null, Phase.PUBLISH, Set.of(), TOLD);
        }
        return usual;
    }

    private Stretches narrow(Duration length) throws Exception {
        pass(WARM_UP);
        Stretches usual = rest(length);
        SlowPath narrow = new SlowPath(
                List.of(LEADER),
                SlowPath.Path.CLIENTS,
                SlowPath.Direction.TO_BROKER,
                Optional.empty(),
                Optional.of(NARROW));
        Grown sent = judge(
                "probes of 100 kB, 10 MB a second on the way to leader 1",
                usual,
                length,
                () -> narrow.begin(target()),
                during -> meanWayOfLargeRecordsSeconds());
        lies(sent, null, Phase.PUBLISH, Set.of(), TOLD);
        return usual;
    }

    private FaultTarget target() {
        return FaultTarget.of(brokers.kafka(), canaries.values().toArray(CanaryProcess[]::new));
    }

    /**
     * A probe is due at any moment with equal chance, so within a standstill with chance S/P, and
     * then waits S/2.
     */
    private static double meanWaitSeconds(Duration standstill, Duration period) {
        double s = standstill.toMillis() / 1e3;
        return s * s / (2 * period.toMillis() / 1e3);
    }

    /**
     * A probe that is ready while an answer is under way waits for the next one, which takes as
     * long: half of the delay on the mean, and the delay. One that finds the long poll waiting, as
     * no probe came for as long as the answer before it took, waits for the delay alone.
     */
    private static double meanWaitForAnswersSeconds(double delay) {
        double under = PROBES_PER_SECOND * delay;
        double idle = Math.exp(-under) / (under + Math.exp(-under));
        return delay * (1.5 - idle / 2);
    }

    /**
     * A record's own time on the narrow path, and the wait for those in front of it: Poisson
     * arrivals of both canaries and equal sizes, so that the mean wait is that of M/D/1 (Pollaczek
     * and Khinchine).
     */
    private double meanWayOfLargeRecordsSeconds() {
        double own = (double) LARGE / NARROW;
        double busy = canaries.size() * PROBES_PER_SECOND * own;
        return own * (1 + busy / (2 * (1 - busy)));
    }

    private Fault.Broken later(LinkDirection direction) {
        direction.delay(delay);
        return () -> direction.delay(Duration.ZERO);
    }

    /**
     * What a fault added to each phase, seconds by canary.
     *
     * @param expected of it, seconds
     * @param uncertainty of the leader's clock, seconds by canary
     */
    private record Grown(
            String fault, double expected, Map<String, Map<Phase, Double>> seconds, Map<String, Double> uncertainty) {}

    /** Means without a fault, before all of them and after, by canary. */
    private record Rests(Map<String, Map<Phase, Double>> before, Map<String, Map<Phase, Double>> after) {}

    /**
     * @param rests null where nothing was measured after it
     */
    private void lies(Grown grown, Rests rests, Phase where, Set<Phase> not, String... judged) {
        double expected = grown.expected();
        for (String canary : List.of(TOLD, BLIND)) {
            Map<Phase, Double> phases = grown.seconds().get(canary);
            List<String> row =
                    new ArrayList<>(List.of(grown.fault(), text("%s %.1f ms", where.label(), 1e3 * expected), canary));
            phases.values().forEach(s -> row.add(text("%+.2f", 1e3 * s)));
            row.add(text("%.2f ms", 1e3 * grown.uncertainty().get(canary)));
            table.add(row);
        }
        for (String canary : judged) {
            double least = canary.equals(TOLD) ? share : Math.min(share, ESTIMATED);
            Growth growth = new Growth(expected, grown.seconds().get(canary));
            List<String> found = rests == null
                    ? growth.wrong(where, not, least)
                    : growth.wrong(
                            where,
                            not,
                            least,
                            rests.before().get(canary),
                            rests.after().get(canary));
            found.forEach(what -> wrong.add(grown.fault() + ", " + canary + ": " + what));
        }
    }

    private static String text(String form, Object... values) {
        return String.format(Locale.ROOT, form, values);
    }

    /**
     * @param expectation how much longer a probe takes by the fault, seconds, from what was said
     *     around it
     */
    private Grown judge(
            String what,
            Stretches usual,
            Duration length,
            Callable<Fault.Broken> fault,
            ToDoubleFunction<Stretches> expectation)
            throws Exception {
        Stretches during;
        try (Fault.Broken broken = fault.call()) {
            // What is told is told a second later.
            pass(Duration.ofSeconds(3));
            during = stretches(1, length);
        }
        Map<String, Map<Phase, Double>> usually = usual.means();
        Map<String, Map<Phase, Double>> grown = during.means();
        Map<String, Double> uncertainty = new HashMap<>();
        grown.forEach((canary, means) -> {
            usually.get(canary).forEach((phase, mean) -> means.merge(phase, -mean, Double::sum));
            String known = "kafka_canary_clock_uncertainty_seconds";
            Scrape page = during.ended().canaries().get(canary);
            uncertainty.put(canary, page.sum(known, Scrape.label("broker", LEADER)));
        });
        pass(Duration.ofSeconds(5));
        return new Grown(what, expectation.applyAsDouble(during), grown, uncertainty);
    }

    /** Half a minute at most without a fault. */
    private Stretches rest(Duration length) throws Exception {
        return stretches(STRETCHES, length.compareTo(REST) < 0 ? length : REST);
    }

    private Stretches stretches(int count, Duration whole) throws Exception {
        List<Look> looks = new ArrayList<>(List.of(look()));
        for (int i = 0; i < count; i++) {
            pass(whole.dividedBy(count));
            looks.add(look());
        }
        return new Stretches(looks);
    }

    private Look look() throws IOException, InterruptedException {
        Map<String, Scrape> all = new HashMap<>();
        for (Map.Entry<String, CanaryProcess> canary : canaries.entrySet()) {
            all.put(canary.getKey(), canary.getValue().scrape());
        }
        return new Look(all, brokers.scrape(LEADER).page());
    }

    private static double split(CanaryProcess canary) throws IOException, InterruptedException {
        return canary.scrape().sum(LATENCY + "_count", LED, "phase=\"fetch\"");
    }

    /** Waits until as many probes of the leader were split as it gets in a time, by each canary. */
    private void pass(Duration time) throws IOException, InterruptedException {
        Map<CanaryProcess, Double> enough = new HashMap<>();
        for (CanaryProcess canary : canaries.values()) {
            enough.put(canary, split(canary) + PROBES_PER_SECOND * time.toSeconds());
        }
        for (CanaryProcess canary : canaries.values()) {
            double wanted = enough.get(canary);
            Await.that(wanted + " probes are split", time.multipliedBy(2).plusSeconds(30))
                    .every(Duration.ofMillis(500))
                    .until(() -> split(canary) >= wanted, () -> split(canary) + " are");
        }
    }
}
