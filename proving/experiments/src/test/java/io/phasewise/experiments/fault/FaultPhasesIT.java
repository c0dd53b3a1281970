/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.common.phase.Phase;
import io.phasewise.experiments.cluster.ClusterSpec;
import io.phasewise.experiments.cluster.LabCluster;
import io.phasewise.experiments.fault.admin.BrokerSetting;
import io.phasewise.experiments.fault.debugger.Debugger;
import io.phasewise.experiments.fault.debugger.SlowConsumer;
import io.phasewise.experiments.fault.host.SlowBrokerDisk;
import io.phasewise.experiments.fault.network.SlowPath;
import io.phasewise.experiments.fault.overload.BusyHandlers;
import io.phasewise.experiments.fault.pause.StallingBroker;
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
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
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
import java.util.stream.LongStream;
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

    /** The canary that asks the exporters. */
    private static final String WITH_EXPORTERS = "reported";

    /** The canary without exporters. */
    private static final String WITHOUT_EXPORTERS = "estimated";

    /** An estimate has at least so much of what is expected in its phase. */
    private static final double ESTIMATED = 0.85;

    private static final Path ROOT = Path.of(System.getProperty("phasewise.root"));
    private static final int PROBES_PER_SECOND = 20;
    private static final int LARGE = 100_000;
    private static final long NARROW = 6_000_000;
    private static final int WRITES_PER_SECOND = 700;
    private static final Duration REST = Duration.ofSeconds(30);
    private static final Duration LENGTH = Duration.ofSeconds(Integer.getInteger("phases.seconds", 60));

    private final List<String> wrong = new ArrayList<>();
    /** As {@code docs/evidence/runs} keeps them. */
    private final List<List<String>> table = new ArrayList<>();

    /** Whether it came to its end: a run that was broken off has not passed. */
    private boolean ended;

    /**
     * JVMs compile in their first minute: on a busy machine commits take twice as long until they
     * have.
     */
    private Duration warmUp;

    /** Times without a fault, in their order. */
    private final List<Stretch> rests = new ArrayList<>();

    /**
     * Whether each fault has a time without one right before it and right after; else all are
     * between the same two.
     */
    private boolean restBetween;

    private LabCluster brokers;

    private final Map<String, CanaryProcess> canaries = new HashMap<>();

    /** A phase's share of what is expected of it. */
    private double share;

    private Duration delay;

    /** Of every two seconds. */
    private Duration standstill;

    /** What the canaries, by name, and the leader's exporter said at one moment. */
    private record Look(Instant at, Map<String, Scrape> canaries, Scrape exporter) {}

    /** Some time, with a look before it and one after. */
    private record Stretch(Look from, Look to) {

        /** Mean seconds of a phase of the leader's probes. */
        double phase(String canary, Phase phase) {
            return mean(look -> look.canaries().get(canary), LATENCY, LED, Scrape.label("phase", phase.label()));
        }

        /**
         * Mean seconds of produce requests of {@link #WITH_EXPORTERS} from their receipt until they
         * are handled.
         */
        double untilHandled() {
            return request("request_queue") + request("local");
        }

        /**
         * Mean seconds for which produce requests of {@link #WITH_EXPORTERS} waited for followers,
         * as Kafka has it.
         */
        double remote() {
            return request("remote");
        }

        private double request(String phase) {
            String[] labels = {Scrape.label("request", "Produce"), Scrape.label("phase", phase)};
            return mean(Look::exporter, "kafka_canary_request_phase_seconds", labels);
        }

        private double mean(Function<Look, Scrape> of, String name, String... labels) {
            Scrape before = of.apply(from);
            Scrape after = of.apply(to);
            return after.grown(before, name + "_sum", labels) / after.grown(before, name + "_count", labels);
        }

        /**
         * Of probes that {@link #WITH_EXPORTERS} split: an estimate has an error where it is known
         * better.
         */
        double shareReported() {
            Scrape before = from.canaries().get(WITH_EXPORTERS);
            Scrape after = to.canaries().get(WITH_EXPORTERS);
            String errors = "kafka_canary_phase_estimate_error_seconds_count";
            return after.grown(before, errors, LED, PUBLISH) / after.grown(before, LATENCY + "_count", LED, PUBLISH);
        }
    }

    @Test
    void delaysAndStandstillsLandInTheirPhase(@TempDir Path directory) throws Exception {
        // Beside other tests phases grow and shrink by tens of milliseconds: so faults are large.
        warmUp = Duration.ofSeconds(15);
        share = 0.7;
        delay = Duration.ofMillis(400);
        standstill = Duration.ofMillis(800);
        run(directory, false, Map.of(), () -> common(Duration.ofSeconds(15)));
        assertThat(wrong).as(oneLine()).isEmpty();
    }

    @Tag("long")
    @Test
    void everyFaultHeldForMinutesLandsInItsPhase(@TempDir Path directory) throws Exception {
        warmUp = Duration.ofSeconds(60);
        share = 0.95;
        delay = Duration.ofMillis(100);
        standstill = Duration.ofMillis(400);
        restBetween = true;
        assertThat(SlowDisk.obstacle(directory)).isEmpty();
        assertThat(AdjustableClock.library()).as("libfaketime").isPresent();
        try {
            run(directory.resolve("small"), true, Map.of(), () -> {
                common(LENGTH);
                rare(LENGTH);
            });
            run(directory.resolve("large"), true, Map.of("probe", Map.of("size", LARGE)), () -> narrow(LENGTH));
            ended = true;
        } finally {
            evidence().write(ROOT.resolve("proving/experiments/target/evidence"), "fault-phases");
        }
        assertThat(wrong).as(oneLine()).isEmpty();
    }

    /** What is done with a cluster. */
    @FunctionalInterface
    private interface Body {
        void run() throws Exception;
    }

    private EvidenceRun evidence() throws Exception {
        List<String> phases = Stream.of(Phase.values()).map(Phase::label).toList();
        List<String> columns = new ArrayList<>(List.of("fault", "expected", "phases are"));
        columns.addAll(phases);
        columns.add("Kafka's remote time");
        columns.add("clock known to");
        return EvidenceRun.now(
                ROOT,
                "mvn verify -pl proving/experiments,lab/kafka-4.4 -am -Dit.test=FaultPhasesIT -Dtests.included=long"
                        + " -Dtests.excluded=none -Dphases.seconds=" + LENGTH.toSeconds(),
                ended && wrong.isEmpty(),
                wrong,
                columns,
                table);
    }

    private String oneLine() {
        return table.toString();
    }

    private void run(Path directory, boolean falseClocks, Map<String, Object> settings, Body body) throws Exception {
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
                        Optional.of(exporterSettings(directory)),
                        builder -> builder.shortLived().environment(id -> environment(clocks, id)));
                ActiveFault drift = drifting(clocks)) {
            brokers = started;
            Map<String, String> exporters = new HashMap<>();
            for (int id = 1; id <= BROKERS; id++) {
                ShiftedMarks marks = new ShiftedMarks(started.exporter(id), id);
                shifted.add(marks);
                exporters.put(String.valueOf(id), "127.0.0.1:" + marks.port());
            }
            Map<String, Object> withExporters = Map.of("exporters", Map.of("addresses", exporters));
            Map<String, Object> withoutExporters =
                    Map.of("profiles", Map.of("default", Map.of("enabled", false), WITHOUT_EXPORTERS, Map.of()));
            String first = Debugger.listening(debuggers.port(0));
            String second = Debugger.listening(debuggers.port(1));
            canaries.put(WITH_EXPORTERS, started.canary(List.of(settings, withExporters), first));
            canaries.put(WITHOUT_EXPORTERS, started.canary(List.of(settings, withoutExporters), second));
            BrokerLogs.withFailure(started.kafka(), body::run);
        } finally {
            canaries.values().forEach(CanaryProcess::close);
            canaries.clear();
            shifted.forEach(ShiftedMarks::close);
        }
    }

    /**
     * Has exporters time the requests of {@link #WITH_EXPORTERS} alone: those of the other one are
     * other
     * requests, and would make the mean another one.
     */
    private static Path exporterSettings(Path directory) throws IOException {
        Files.createDirectories(directory);
        String prefix = "phasewise-canary-" + CanaryProcess.CLUSTER + "-";
        return Files.writeString(
                directory.resolve("exporter.yml"), "timing: {canary-client-id-prefix: " + prefix + "}\n");
    }

    private static Map<String, String> environment(Map<Integer, AdjustableClock> clocks, int broker) {
        return clocks.containsKey(broker) ? clocks.get(broker).environment() : Map.of();
    }

    /** Has brokers' wall clocks gain or lose 50 us a second. */
    private static ActiveFault drifting(Map<Integer, AdjustableClock> clocks) {
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

    private void common(Duration length) throws Exception {
        begin(length);
        assertThat(rests.get(0).shareReported())
                .as("share of probes that the leader reports")
                .isGreaterThan(0.9);
        double seconds = delay.toMillis() / 1e3;
        double late = meanWaitForAnswersSeconds(seconds);
        String longer = " take " + delay.toMillis() + " ms longer";
        StallingBroker follower = new StallingBroker(2, standstill, Duration.ofSeconds(2));
        SlowConsumer consumer = new SlowConsumer(Duration.ofMillis(600), Duration.ofMillis(1_130));
        LinkDirection toServer = brokers.kafka().clientLink(LEADER).toServer();
        LinkDirection toClient = brokers.kafka().clientLink(LEADER).toClient();
        Measured requests = measure("requests" + longer, length, () -> later(toServer));
        Measured answers = measure("answers" + longer, length, () -> later(toClient));
        String paused = "broker 2 is paused for " + standstill.toMillis() + " ms of every 2000 ms";
        Measured commits = measure(paused, length, () -> follower.begin(target()));
        String absent = "the consumer is away for 600 ms of every 1130 ms";
        Measured away = measure(absent, length, () -> consumer.begin(target()));
        if (!restBetween) {
            rest(length);
        }
        lies(requests, seconds, Phase.PUBLISH, Set.of(Phase.PRODUCE, Phase.COMMIT), WITH_EXPORTERS, WITHOUT_EXPORTERS);
        lies(
                answers,
                late,
                Phase.FETCH,
                Set.of(Phase.PUBLISH, Phase.COMMIT, Phase.CATCH_UP),
                WITH_EXPORTERS,
                WITHOUT_EXPORTERS);
        // A pause's log leaves out what a follower needs after it goes on; Kafka's timing has it.
        double waited = grown(commits, Stretch::remote);
        if (!(waited >= share * commits.addedSeconds())) {
            wrong.add(paused + ": Kafka's own remote time says less than the log of the pauses");
        }
        lies(commits, waited, Phase.COMMIT, Set.of(Phase.PUBLISH), WITH_EXPORTERS, WITHOUT_EXPORTERS);
        lies(
                away,
                away.addedSeconds(),
                Phase.CATCH_UP,
                Set.of(Phase.PUBLISH, Phase.COMMIT),
                WITH_EXPORTERS,
                WITHOUT_EXPORTERS);
    }

    private void rare(Duration length) throws Exception {
        Measured queued = measure(
                "broker 1 has one request handler, which 35 producers keep busy with batches to compress",
                length,
                () -> new BusyHandlers(LEADER, 35, 50_000).begin(target()));
        lies(queued, grown(queued, Stretch::untilHandled), Phase.PUBLISH, Set.of(), WITH_EXPORTERS);
        BrokerSetting flushed = new BrokerSetting("every record is forced to disk", "log.flush.interval.messages", "1");
        try (ActiveFault forcing = flushed.begin(target())) {
            rest(length);
            Measured written = measure(
                    "leader 1 may write " + WRITES_PER_SECOND + " times a second",
                    length,
                    () -> new SlowBrokerDisk(LEADER, WRITES_PER_SECOND).begin(target()));
            lies(written, grown(written, Stretch::untilHandled), Phase.PUBLISH, Set.of(), WITH_EXPORTERS);
        }
    }

    private void narrow(Duration length) throws Exception {
        begin(length);
        SlowPath narrow = new SlowPath(
                List.of(LEADER),
                SlowPath.Path.CLIENTS,
                SlowPath.Direction.TO_BROKER,
                Optional.empty(),
                Optional.of(NARROW));
        Measured sent =
                measure("probes of 100 kB, 6 MB a second on the way to leader 1", length, () -> narrow.begin(target()));
        lies(sent, meanWayOfLargeRecordsSeconds(), Phase.PUBLISH, Set.of(), WITH_EXPORTERS);
    }

    private FaultTarget target() {
        return FaultTarget.of(brokers.kafka(), canaries.values().toArray(CanaryProcess[]::new));
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

    private ActiveFault later(LinkDirection direction) {
        direction.delay(delay);
        return () -> direction.delay(Duration.ZERO);
    }

    /**
     * Some time with a fault.
     *
     * @param rest the number of the one without a fault before it; the next one comes after it
     */
    private record Measured(String fault, int rest, Stretch during, ActiveFault broken) {

        /**
         * How much longer probes take on the mean that are due at any moment, by the fault's own
         * log; seconds.
         */
        double addedSeconds() {
            Instant from = during.from().at();
            return LongStream.range(0, Duration.between(from, during.to().at()).toMillis())
                            .mapToDouble(millis -> broken.addedMillis(from.plusMillis(millis)))
                            .average()
                            .orElseThrow()
                    / 1e3;
        }
    }

    /**
     * Measures a fault after a time without one; one without comes after it, too, sooner or later.
     */
    private Measured measure(String what, Duration length, Callable<ActiveFault> fault) throws Exception {
        int before = rests.size() - 1;
        Measured measured;
        try (ActiveFault broken = fault.call()) {
            // Marks reach the canary a second later.
            pass(Duration.ofSeconds(3));
            measured = new Measured(what, before, stretch(length), broken);
        }
        pass(Duration.ofSeconds(5));
        if (restBetween) {
            rest(length);
        }
        return measured;
    }

    /** By how much a mean was longer with a fault than without, before it and after. */
    private double grown(Measured measured, ToDoubleFunction<Stretch> mean) {
        double before = mean.applyAsDouble(rests.get(measured.rest()));
        double after = mean.applyAsDouble(rests.get(measured.rest() + 1));
        return mean.applyAsDouble(measured.during()) - (before + after) / 2;
    }

    private void lies(Measured measured, double expected, Phase where, Set<Phase> not, String... judged) {
        double remote = grown(measured, Stretch::remote);
        for (String canary : List.of(WITH_EXPORTERS, WITHOUT_EXPORTERS)) {
            Map<Phase, Double> phases = new EnumMap<>(Phase.class);
            for (Phase phase : Phase.values()) {
                phases.put(phase, grown(measured, stretch -> stretch.phase(canary, phase)));
            }
            List<String> row = new ArrayList<>(
                    List.of(measured.fault(), text("%s %.1f ms", where.label(), 1e3 * expected), canary));
            phases.values().forEach(s -> row.add(text("%+.2f", 1e3 * s)));
            row.add(text("%+.2f", 1e3 * remote));
            Scrape page = measured.during().to().canaries().get(canary);
            double known = page.sum("kafka_canary_clock_uncertainty_seconds", Scrape.label("broker", LEADER));
            row.add(text("%.2f ms", 1e3 * known));
            table.add(row);
            if (List.of(judged).contains(canary)) {
                double least = canary.equals(WITH_EXPORTERS) ? share : Math.min(share, ESTIMATED);
                new Growth(expected, phases, remote)
                        .wrong(where, not, least)
                        .forEach(what -> wrong.add(measured.fault() + ", " + canary + ": " + what));
            }
        }
    }

    private static String text(String form, Object... values) {
        return String.format(Locale.ROOT, form, values);
    }

    /** Lets a new cluster and its canaries warm up. */
    private void begin(Duration length) throws Exception {
        pass(warmUp);
        rests.clear();
        rest(length);
    }

    /** Half a minute at most without a fault. */
    private void rest(Duration length) throws Exception {
        rests.add(stretch(length.compareTo(REST) < 0 ? length : REST));
    }

    private Stretch stretch(Duration length) throws Exception {
        Look from = look();
        pass(length);
        return new Stretch(from, look());
    }

    private Look look() throws IOException, InterruptedException {
        Map<String, Scrape> all = new HashMap<>();
        for (Map.Entry<String, CanaryProcess> canary : canaries.entrySet()) {
            all.put(canary.getKey(), canary.getValue().scrape());
        }
        return new Look(Instant.now(), all, brokers.scrape(LEADER).page());
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
