/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.common.phase.Phase;
import io.phasewise.experiments.cluster.Administration;
import io.phasewise.experiments.cluster.ClusterSpec;
import io.phasewise.experiments.cluster.LabCluster;
import io.phasewise.experiments.fault.HeldFault.Bounds;
import io.phasewise.experiments.fault.HeldFault.Whose;
import io.phasewise.experiments.fault.admin.BrokerSetting;
import io.phasewise.experiments.fault.debugger.Debugger;
import io.phasewise.experiments.fault.debugger.SlowConsumer;
import io.phasewise.experiments.fault.host.SlowBrokerDisk;
import io.phasewise.experiments.fault.network.StuckAnswers;
import io.phasewise.experiments.fault.overload.BusyHandlers;
import io.phasewise.experiments.fault.overload.ColdData;
import io.phasewise.experiments.fault.overload.ColdReaders;
import io.phasewise.experiments.fault.pause.StallLog;
import io.phasewise.experiments.fault.pause.StallingProcess;
import io.phasewise.experiments.fault.restart.KilledBrokers;
import io.phasewise.experiments.load.Load;
import io.phasewise.experiments.load.Producers;
import io.phasewise.experiments.measure.CanaryProcess;
import io.phasewise.experiments.measure.HeldTimes;
import io.phasewise.experiments.measure.ProbeRecord;
import io.phasewise.experiments.measure.ThreadWitness;
import io.phasewise.lab.fault.PageCache;
import io.phasewise.lab.junit.BrokerLogs;
import io.phasewise.lab.kafka.ClusterBuilder;
import io.phasewise.lab.kafka.ListenerSecurity;
import io.phasewise.lab.measure.EvidenceRun;
import io.phasewise.lab.measure.Scrape;
import io.phasewise.lab.net.PortLease;
import io.phasewise.lab.process.Await;
import io.phasewise.lab.process.ManagedProcess;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.TopicPartitionInfo;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * For whom probes waited, by the accounts of the canary ({@code kafka_canary_wait_seconds_total}), held against what was
 * added. Whom each fault makes probes wait for is declared with it. What it added is, of each probe, the part of its way
 * from T0 to T5 in which the fault held: by the fault's own log of pauses, or by a witness that looks at the threads of
 * the broker from outside. So neither the agent nor the split of a probe says what is expected. From both sides the same
 * is taken off: what probes waited in the stretch before, without the fault.
 *
 * <p>Where a witness is asked, brokers have one network thread for each listener: from outside it cannot be seen which
 * one has the connection of a probe.
 */
@Tag("long")
@Isolated
class HeldFaultsIT {
    private static final Path ROOT = Path.of(System.getProperty("phasewise.root"));
    private static final int BROKERS = 3;
    private static final int PROBES_PER_SECOND = 20;
    private static final String LATENCY = "kafka_canary_phase_latency_seconds";
    private static final String WAITS = "kafka_canary_wait_seconds_total";
    private static final Pattern LABELS = Pattern.compile("broker=\"(\\w+)\".*role=\"(\\w+)\"");
    private static final Duration WARM_UP = Duration.ofSeconds(20);
    private static final Duration QUIET = Duration.ofSeconds(15);
    private static final Duration LENGTH = Duration.ofSeconds(Integer.getInteger("held.seconds", 40));

    /** A probe waits so long for its marks, and then some until it is counted. */
    private static final Duration COUNTED = Duration.ofSeconds(7);

    /** At 20 probes a second less than the lanes can take: none waits behind another. */
    private static final Duration STANDSTILL = Duration.ofMillis(400);

    private static final Duration PERIOD = Duration.ofSeconds(2);

    /** Of the time of a fault, and of the quiet before it, the witness may have missed so much. */
    private static final double BLIND = 0.05;

    private static final Duration STEP = Duration.ofNanos(500_000);
    private static final long DISK_BYTES = 6_000_000;
    private static final String TOPIC = "phasewise-canary";
    private static final String PASSWORD = "canary-of-the-lab";

    private final List<String> wrong = new ArrayList<>();
    private final List<List<String>> table = new ArrayList<>();
    private Path files;
    private LabCluster brokers;
    private CanaryProcess canary;

    /** What the canary said at one moment. */
    private record Look(Instant at, Scrape page) {}

    /**
     * What must be seen of a fault.
     *
     * @param leaders whose probes are judged
     * @param whose whom they wait for
     */
    private record Declared(String fault, Set<Integer> leaders, Set<Whose> whose, Bounds bounds, Added added) {}

    /** When a fault held that some probes wait for. */
    @FunctionalInterface
    private interface Added {
        /** Within a stretch that is over, and whose fault is. */
        HeldTimes held(Instant from, Instant to) throws IOException;
    }

    /** What is done with a cluster. */
    @FunctionalInterface
    private interface Body {
        void run() throws Exception;
    }

    /** Begins a fault. */
    @FunctionalInterface
    private interface Beginning {
        ActiveFault begin() throws Exception;
    }

    @Test
    void pausesAndStuckAnswers(@TempDir Path directory) throws Exception {
        run("pausesAndStuckAnswers", directory, UnaryOperator.identity(), true, () -> {
            StallLog second = new StallLog();
            held(
                    () -> stalling(PERIOD, Map.of(2, second)),
                    declared("broker 2 is paused", Set.of(1, 3), Whose.of(2, "process"), second),
                    declared("broker 2 is paused, its own probes", Set.of(2), Whose.of(2, "process"), second));
            StallLog leader = new StallLog();
            StallLog follower = new StallLog();
            held(
                    () -> inTurn(Map.of(1, leader, 2, follower)),
                    declared("brokers 1 and 2 are paused in turn", Set.of(1), Whose.of(1, "process"), leader),
                    declared("brokers 1 and 2 are paused in turn: 2", Set.of(1), Whose.of(2, "process"), follower));
            StallLog one = new StallLog();
            StallLog other = new StallLog();
            held(
                    () -> stalling(PERIOD, Map.of(2, one, 3, other)),
                    new Declared(
                            "brokers 2 and 3 are paused at once",
                            Set.of(1),
                            Set.of(Whose.of(2, "process"), Whose.of(3, "process")),
                            Bounds.LOG,
                            (from, to) -> times(one, from, to).or(times(other, from, to))));
            stuck(
                    new StuckAnswers(1, 2, STANDSTILL, PERIOD),
                    Set.of(1),
                    Whose.of(2, "network"),
                    "answers of 1 to 2 are stuck");
            stuck(
                    new SlowConsumer(Duration.ofMillis(600), Duration.ofMillis(1_130)),
                    Set.of(1, 2, 3),
                    new Whose(Whose.NONE, "client"),
                    "the canary's consumer is away");
        });
    }

    @Test
    void electionsAndHandlers(@TempDir Path directory) throws Exception {
        run("electionsAndHandlers", directory, UnaryOperator.identity(), false, () -> {
            witnessed(
                    new BusyHandlers(1, 35, 50_000),
                    1,
                    name -> name.contains("request-handler"),
                    "RD",
                    "broker 1 has one handler, which is busy",
                    Set.of(1),
                    Whose.of(1, "handlers"));
            List<Election> elections = new ArrayList<>();
            held(
                    () -> {
                        elections.add(new Election());
                        return elections.get(0);
                    },
                    new Declared(
                            "broker 1 is killed: its probes wait for another leader",
                            Set.of(1),
                            Set.of(Whose.of(1, "process"), new Whose(Whose.NONE, "controller")),
                            Bounds.LOG,
                            (from, to) -> elections.get(0).times()));
        });
    }

    @Test
    void coldReads(@TempDir Path directory) throws Exception {
        run("coldReads", directory, HeldFaultsIT::oneNetworkThread, false, this::coldReads);
    }

    @Test
    void coldReadsByTls(@TempDir Path directory) throws Exception {
        UnaryOperator<ClusterBuilder> secured = builder -> oneNetworkThread(builder)
                .security(new ListenerSecurity.SaslSsl("lab", PASSWORD, Map.of("canary", PASSWORD), false));
        run("coldReadsByTls", directory, secured, false, () -> cold("by TLS, ", List.of(1)));
    }

    @Test
    void slowDisks(@TempDir Path directory) throws Exception {
        run("slowDisks", directory, HeldFaultsIT::oneNetworkThread, false, () -> {
            Predicate<String> fetcher = "ReplicaFetcherThread-0-1"::equals;
            BrokerSetting flushed =
                    new BrokerSetting("every record is forced to disk", "log.flush.interval.messages", "1");
            try (ActiveFault forcing = flushed.begin(target())) {
                witnessed(
                        new SlowBrokerDisk(2, Integer.getInteger("held.writes", 400)),
                        2,
                        fetcher,
                        "D",
                        "follower 2 has a slow disk, every record is forced to it",
                        Set.of(1),
                        Whose.of(2, "disk"));
            }
            try (ActiveFault forced = forcedTopic()) {
                witnessed(
                        new SlowBrokerDisk(2, Integer.getInteger("held.writes", 400)),
                        2,
                        fetcher,
                        "D",
                        "follower 2 has one fetcher for leader 1, which forces another topic's records to a slow disk",
                        Set.of(1),
                        Whose.of(2, "disk"));
            }
        });
    }

    private static ClusterBuilder oneNetworkThread(ClusterBuilder builder) {
        return builder.brokerProperty("num.network.threads", "1");
    }

    private void coldReads() throws Exception {
        cold("", List.of(1));
        cold("", List.of(1, 2));
        try (ActiveFault old = oldData(1);
                ThreadWitness witness = witness(1, HeldFaultsIT::isNetwork)) {
            StallLog log = new StallLog();
            held(
                    () -> ActiveFaults.begin(
                            List.<Beginning>of(
                                    () -> new ColdReaders(1, DISK_BYTES, 1).begin(target()),
                                    () -> stalling(PERIOD, Map.of(2, log))),
                            HeldFaultsIT::begin),
                    new Declared(
                            "old data are read from broker 1, and broker 2 is paused",
                            Set.of(1),
                            Set.of(Whose.of(1, "network_threads"), Whose.of(2, "process")),
                            Bounds.WITNESS,
                            (from, to) ->
                                    seen(witness, HeldFaultsIT::isNetwork, "RD").or(times(log, from, to))));
        }
    }

    private static ActiveFault begin(Beginning each) throws IOException, InterruptedException {
        try {
            return each.begin();
        } catch (IOException | InterruptedException | RuntimeException refused) {
            throw refused;
        } catch (Exception refused) {
            throw new IOException(refused);
        }
    }

    /** Old data of some brokers are read at once. */
    private void cold(String how, List<Integer> from) throws Exception {
        Map<Integer, ThreadWitness> witnesses = new TreeMap<>();
        try (ActiveFaults old = ActiveFaults.begin(from, this::oldData)) {
            for (int id : from) {
                witnesses.put(id, witness(id, HeldFaultsIT::isNetwork));
            }
            List<Fault> faults = new ArrayList<>();
            from.forEach(id -> faults.add(new ColdReaders(id, DISK_BYTES, 1)));
            List<Declared> declared = new ArrayList<>();
            if (from.size() == 1) {
                declared.add(new Declared(
                        how + "old data are read from broker 1",
                        Set.of(1),
                        Set.of(Whose.of(1, "network_threads")),
                        Bounds.WITNESS,
                        (begin, end) -> seen(witnesses.get(1), HeldFaultsIT::isNetwork, "RD")));
            } else {
                for (int id : from) {
                    // The other broker, a follower, reads slowly for others, too. But no probe of this leader waits
                    // for that: the follower fetches by a thread of its own.
                    declared.add(new Declared(
                            how + "old data are read from brokers " + from + ", probes of " + id,
                            Set.of(id),
                            Set.of(Whose.of(id, "network_threads")),
                            Bounds.WITNESS,
                            (begin, end) -> seen(witnesses.get(id), HeldFaultsIT::isNetwork, "RD")));
                }
            }
            held(() -> ActiveFaults.begin(faults, target()), declared.toArray(Declared[]::new));
        } finally {
            witnesses.values().forEach(ThreadWitness::close);
        }
    }

    /** Old data of a broker, on its disk alone. */
    private ActiveFault oldData(int broker) throws IOException, InterruptedException {
        ActiveFault written = new ColdData(broker, mebibytes()).begin(target());
        Path data = brokers.kafka().broker(broker).dataDirectory();
        return ActiveFault.after(
                () -> {
                    try (DirectoryStream<Path> logs = Files.newDirectoryStream(data, "phasewise-lab-*-0")) {
                        for (Path each : logs) {
                            PageCache.forget(each, ".log");
                        }
                    }
                },
                written);
    }

    /** Enough for the whole fault. */
    private static int mebibytes() {
        return (int) (DISK_BYTES * (LENGTH.toSeconds() + 20) >> 20);
    }

    private static boolean isNetwork(String thread) {
        return thread.contains("network-thread") && thread.contains("CLIENT");
    }

    private ThreadWitness witness(int broker, Predicate<String> threads) throws Exception {
        Path log = Files.createTempFile(files, "witness-" + broker + "-", ".log");
        return ThreadWitness.begin(brokers.kafka().broker(broker).pid(), threads, log);
    }

    private static HeldTimes seen(ThreadWitness witness, Predicate<String> threads, String states) throws IOException {
        witness.close();
        assertThat(witness.blindSeconds())
                .as("seconds in which the witness saw nothing")
                .isLessThan(BLIND * QUIET.plus(LENGTH).toSeconds());
        return witness.held(threads, states);
    }

    private void witnessed(
            Fault fault,
            int broker,
            Predicate<String> threads,
            String states,
            String what,
            Set<Integer> leaders,
            Whose whose)
            throws Exception {
        try (ThreadWitness witness = witness(broker, threads)) {
            Added added = (from, to) -> seen(witness, threads, states);
            held(() -> fault.begin(target()), new Declared(what, leaders, Set.of(whose), Bounds.WITNESS, added));
        }
    }

    /** A fault that knows when it held. */
    private void stuck(Fault fault, Set<Integer> leaders, Whose whose, String what) throws Exception {
        List<ActiveFault> begun = new ArrayList<>();
        held(
                () -> {
                    begun.add(fault.begin(target()));
                    return begun.get(0);
                },
                new Declared(
                        what,
                        leaders,
                        Set.of(whose),
                        Bounds.LOG,
                        (from, to) -> HeldTimes.where(
                                from, to, STEP, at -> begun.get(0).addedMillis(at) > 0)));
    }

    private static Declared declared(String what, Set<Integer> leaders, Whose whose, StallLog log) {
        return new Declared(what, leaders, Set.of(whose), Bounds.LOG, (from, to) -> times(log, from, to));
    }

    private static HeldTimes times(StallLog log, Instant from, Instant to) {
        return HeldTimes.where(from, to, STEP, at -> log.leftMillis(at) > 0);
    }

    /** Brokers that are paused at the same time. */
    private ActiveFault stalling(Duration period, Map<Integer, StallLog> logs)
            throws IOException, InterruptedException {
        return ActiveFaults.begin(List.copyOf(logs.keySet()), id -> {
            ManagedProcess victim = process(id);
            StallingProcess stalling = new StallingProcess(STANDSTILL, period);
            return RepeatedAction.every(period, () -> stalling.once(victim, logs.get(id)), victim::resume);
        });
    }

    /** First one broker is paused, a second later the other one, and so on. */
    private ActiveFault inTurn(Map<Integer, StallLog> logs) {
        List<Integer> ids = List.copyOf(new TreeMap<>(logs).keySet());
        StallingProcess stalling = new StallingProcess(STANDSTILL, PERIOD);
        AtomicInteger turns = new AtomicInteger();
        return RepeatedAction.every(
                PERIOD.dividedBy(ids.size()),
                () -> {
                    int id = ids.get(turns.getAndIncrement() % ids.size());
                    stalling.once(process(id), logs.get(id));
                },
                () -> {
                    for (int id : ids) {
                        process(id).resume();
                    }
                });
    }

    private ManagedProcess process(int broker) {
        return brokers.kafka().broker(broker).process().orElseThrow();
    }

    /** An application's topic, led by broker 1, each record of which is forced to the disk of all three. */
    private ActiveFault forcedTopic() throws Exception {
        String name = "phasewise-lab-forced";
        int partitions = 8;
        Map<Integer, List<Integer>> replicas = new HashMap<>();
        IntStream.range(0, partitions).forEach(partition -> replicas.put(partition, List.of(1, 2, 3)));
        Administration.create(
                brokers.kafka().admin(), new NewTopic(name, replicas).configs(Map.of("flush.messages", "1")));
        Producers producers = new Producers(
                new Load(1, 60, 1_000, partitions, Map.of()),
                name,
                brokers.kafka().clientProperties());
        return () -> {
            producers.close();
            Administration.delete(brokers.kafka().admin(), name);
        };
    }

    /** Broker 1 is killed until this is closed; some time later another one leads its probes' partition. */
    private final class Election implements ActiveFault {
        private final ActiveFault killed;
        private final Instant begun;
        private final Instant ended;

        Election() throws Exception {
            Map<String, Object> properties = brokers.kafka().clientProperties();
            properties.put("bootstrap.servers", brokers.kafka().broker(2).bootstrap());
            properties.put("request.timeout.ms", 1_000);
            properties.put("default.api.timeout.ms", 2_000);
            try (Admin other = Admin.create(properties)) {
                Set<Integer> led = led(other, 1);
                begun = Instant.now();
                killed = new KilledBrokers(List.of(1), false).begin(target());
                Await.that("others lead what broker 1 led", Duration.ofSeconds(60))
                        .every(Duration.ofMillis(10))
                        .until(() -> Collections.disjoint(led, led(other, 1)), () -> "broker 1 leads still");
                ended = Instant.now();
            }
        }

        private Set<Integer> led(Admin admin, int broker) throws InterruptedException {
            return Administration.await(
                            "look for leaders",
                            admin.describeTopics(List.of(TOPIC)).allTopicNames())
                    .get(TOPIC)
                    .partitions()
                    .stream()
                    .filter(partition ->
                            partition.leader() != null && partition.leader().id() == broker)
                    .map(TopicPartitionInfo::partition)
                    .collect(Collectors.toSet());
        }

        HeldTimes times() {
            return new HeldTimes(List.of(new HeldTimes.Stretch(begun, ended)));
        }

        @Override
        public void close() throws InterruptedException {
            killed.close();
        }
    }

    private FaultTarget target() {
        return FaultTarget.of(brokers.kafka(), canary);
    }

    private void run(String method, Path directory, UnaryOperator<ClusterBuilder> special, boolean links, Body body)
            throws Exception {
        files = directory;
        boolean ended = false;
        ClusterSpec spec = links ? ClusterSpec.PLAIN.behindLinks(false, false) : ClusterSpec.PLAIN;
        try (PortLease debugger = PortLease.take(1);
                LabCluster cluster =
                        LabCluster.start(ROOT, directory, spec, builder -> special.apply(builder.shortLived()))) {
            brokers = cluster;
            Map<String, String> exporters = new HashMap<>();
            for (int id = 1; id <= BROKERS; id++) {
                exporters.put(String.valueOf(id), cluster.exporter(id));
            }
            Map<String, Object> client = cluster.kafka().clientProperties("canary", PASSWORD);
            client.remove("bootstrap.servers");
            canary = cluster.canary(
                    List.of(Map.of("client", client, "exporters", Map.of("addresses", exporters))),
                    Debugger.listening(debugger.port(0)));
            BrokerLogs.withFailure(cluster.kafka(), () -> {
                pass(WARM_UP);
                body.run();
            });
            ended = true;
        } finally {
            if (canary != null) {
                canary.close();
            }
            evidence(method, ended).write(ROOT.resolve("proving/experiments/target/evidence"), "held-faults");
        }
        assertThat(wrong).as(table.toString()).isEmpty();
    }

    /** Holds a fault for a while, after some time without it, and judges what was declared of it. */
    private void held(Beginning fault, Declared... declared) throws Exception {
        Look quiet = look();
        pass(QUIET);
        Look from = look();
        ActiveFault broken = fault.begin();
        try {
            pass(LENGTH);
        } finally {
            broken.close();
        }
        Instant over = Instant.now();
        canary.probes(from.at(), over);
        pass(COUNTED);
        Look to = look();
        List<ProbeRecord> probes = canary.probes(quiet.at(), to.at());
        for (Declared each : declared) {
            Set<Whose> beside = Stream.of(declared)
                    .filter(other -> !Collections.disjoint(other.leaders(), each.leaders()))
                    .flatMap(other -> other.whose().stream())
                    .collect(Collectors.toSet());
            judge(each, beside, quiet, from, to, probes);
        }
    }

    private void judge(Declared declared, Set<Whose> beside, Look quiet, Look from, Look to, List<ProbeRecord> all)
            throws IOException {
        HeldTimes held = declared.added().held(quiet.at(), to.at());
        List<ProbeRecord> probes = all.stream()
                .filter(probe -> declared.leaders().contains(probe.leader()))
                .toList();
        List<ProbeRecord> before =
                probes.stream().filter(probe -> probe.due().isBefore(from.at())).toList();
        List<ProbeRecord> during = probes.stream()
                .filter(probe -> !probe.due().isBefore(from.at()))
                .toList();
        double ratio = (double) during.size() / before.size();
        double added = seconds(held, during) - ratio * seconds(held, before);
        Map<Whose, Double> waits = new TreeMap<>(Comparator.comparing(Whose::toString));
        for (int leader : declared.leaders()) {
            Map<Whose, Double> usual = waits(quiet, from, leader);
            double share = count(from, to, leader) / count(quiet, from, leader);
            waits(from, to, leader).forEach((whose, seconds) -> waits.merge(whose, seconds, Double::sum));
            usual.forEach((whose, seconds) -> waits.merge(whose, -share * seconds, Double::sum));
        }
        HeldFault judged = new HeldFault(declared.whose(), beside, declared.bounds(), added, waits);
        double account = judged.share() * added;
        List<String> row = List.of(
                declared.fault(),
                declared.whose().toString(),
                text("%.2f", added),
                text("%.2f", account),
                text("%.1f %%", 100 * judged.share()),
                judged.largestOther(),
                text("%.1f %%", 100 * judged.unknown()),
                Integer.toString(during.size()));
        table.add(row);
        System.out.println(row + " all: " + rounded(waits));
        judged.wrong().forEach(what -> wrong.add(declared.fault() + ": " + what));
        long lost = during.stream().filter(probe -> !probe.cameBack()).count();
        if (lost > 0) {
            wrong.add(declared.fault() + ": " + lost + " probes did not come back");
        }
    }

    private static Map<Whose, String> rounded(Map<Whose, Double> waits) {
        Map<Whose, String> shown = new TreeMap<>(Comparator.comparing(Whose::toString));
        waits.forEach((whose, seconds) -> {
            if (Math.abs(seconds) >= 0.05) {
                shown.put(whose, text("%.2f", seconds));
            }
        });
        return shown;
    }

    /** Of the probes' ways what lies in some stretches. */
    private static double seconds(HeldTimes held, List<ProbeRecord> probes) {
        return probes.stream()
                .filter(ProbeRecord::cameBack)
                .mapToDouble(probe ->
                        held.seconds(probe.due(), probe.due().plusNanos(Math.round(probe.endToEnd() * 1e6))))
                .sum();
    }

    private static Map<Whose, Double> waits(Look from, Look to, int leader) {
        Map<Whose, Double> waits = new HashMap<>();
        to.page().find(WAITS, Scrape.label("leader", leader)).forEach(series -> {
            Matcher labels = LABELS.matcher(series.getKey());
            if (!labels.find()) {
                throw new IllegalStateException(series.getKey());
            }
            double grown = series.getValue() - from.page().values().getOrDefault(series.getKey(), 0.0);
            waits.merge(new Whose(labels.group(1), labels.group(2)), grown, Double::sum);
        });
        return waits;
    }

    private static double count(Look from, Look to, int leader) {
        return to.page()
                .grown(
                        from.page(),
                        LATENCY + "_count",
                        Scrape.label("leader", leader),
                        Scrape.label("phase", Phase.FETCH.label()));
    }

    private Look look() throws IOException, InterruptedException {
        return new Look(Instant.now(), canary.scrape());
    }

    /** Waits until so much time has passed and probes still come back. */
    private void pass(Duration time) throws IOException, InterruptedException {
        double enough = split() + BROKERS * PROBES_PER_SECOND * time.toSeconds();
        Await.that(time + " of probes are split", time.multipliedBy(2).plusSeconds(60))
                .every(Duration.ofMillis(500))
                .until(() -> split() >= enough, () -> split() + " of " + enough);
    }

    private double split() throws IOException, InterruptedException {
        return canary.scrape().sum(LATENCY + "_count", Scrape.label("phase", Phase.FETCH.label()));
    }

    private EvidenceRun evidence(String method, boolean ended) throws Exception {
        return EvidenceRun.now(
                ROOT,
                "mvn verify -pl proving/experiments,lab/kafka-4.4 -am -Dit.test=HeldFaultsIT#" + method
                        + " -Dtests.included=long -Dtests.excluded=none -Dheld.seconds=" + LENGTH.toSeconds(),
                ended && wrong.isEmpty(),
                wrong,
                List.of("fault", "declared", "added, s", "account, s", "share", "largest other", "unknown", "probes"),
                table);
    }

    private static String text(String form, Object... values) {
        return String.format(Locale.ROOT, form, values);
    }
}
