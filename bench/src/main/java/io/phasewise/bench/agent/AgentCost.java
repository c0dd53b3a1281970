/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.agent;

import io.phasewise.bench.agent.SwitchedBroker.Reading;
import io.phasewise.bench.agent.SwitchedBroker.State;
import io.phasewise.bench.run.MedianInterval;
import io.phasewise.lab.kafka.ClusterBuilder;
import io.phasewise.lab.kafka.KafkaBroker;
import io.phasewise.lab.kafka.KafkaCluster;
import io.phasewise.lab.measure.Table;
import io.phasewise.lab.net.PortLease;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;
import org.apache.kafka.clients.admin.NewTopic;

/**
 * What the agent costs brokers under load: three brokers, each of which has the agent's hooks
 * switched while it runs, in an order of its own. What one period of a round used is compared with
 * what the others of the same round and broker did.
 */
public final class AgentCost {
    /** Of the records: what gets lost while thousands of partitions get their leaders. */
    private static final double MOST_FAILURES = 0.001;

    private static final int BROKERS = 3;
    private static final int HEAP_MEBIBYTES = 512;
    private static final int WARM_UP_ROUNDS = 4;
    private static final int BURSTS = 1_000;
    private static final int RECORDS_IN_BURST = 10;
    private static final int RECORD_BYTES = 100;
    private static final int PROBES = 20 * BROKERS;
    private static final int PROBE_BYTES = 1_024;
    private static final Duration SETTLING = Duration.ofMillis(1_200);

    private final Path root;
    private final Path directory;
    private final int partitions;
    private final Random random;
    private final Consumer<String> progress;

    /**
     * @param root the repository's root, with the agent built
     * @param directory for the brokers' files
     * @param partitions in all; one of ten has load
     * @param seed of the order
     * @param progress takes a line now and then
     */
    public AgentCost(
            Path root, Path directory, int partitions, long seed, Consumer<String> progress) {
        this.root = root;
        this.directory = directory;
        this.partitions = partitions;
        this.random = new Random(seed);
        this.progress = progress;
    }

    /** What one broker used in one period. */
    private record Period(
            double cpuNanosPerRequest,
            double requestsPerSecond,
            double appendsPerRequest,
            double hookNanosPerRequest) {}

    /**
     * Compares periods in which hooks are on and off.
     *
     * @param rounds compared; each gives a comparison for each of three brokers
     * @param length of a period
     * @throws Exception when a broker, a topic or the load fails; nothing is left running
     */
    public Table compare(int rounds, Duration length) throws Exception {
        return underLoad(
                List.of(),
                (cluster, brokers) -> {
                    List<Map<State, Period>> taken = new ArrayList<>();
                    for (int round = -WARM_UP_ROUNDS; round < rounds; round++) {
                        List<Map<State, Period>> of = round(cluster, brokers, length);
                        if (round >= 0) {
                            taken.addAll(of);
                            progress.accept(line(round, rounds, taken));
                        }
                    }
                    return table(taken);
                });
    }

    /**
     * Samples what the threads do with all hooks on.
     *
     * @param length of the time that is sampled, after as long to warm up
     * @throws Exception when a broker, a topic, the load or the profiler fails; nothing is left
     *     running
     */
    public Table sample(Duration length) throws Exception {
        Profiler profiler = new Profiler(directory);
        return underLoad(
                Profiler.JVM_OPTIONS,
                (cluster, brokers) -> {
                    Thread.sleep(length.toMillis());
                    progress.accept("warm; sampling for " + length.toSeconds() + " s");
                    Map<Integer, Reading> before = new HashMap<>();
                    for (KafkaBroker broker : cluster.brokers()) {
                        profiler.start(broker.pid());
                        before.put(broker.id(), brokers.get(broker.id()).read(broker.pid()));
                    }
                    Thread.sleep(length.toMillis());
                    HookSamples samples = new HookSamples(0, Map.of());
                    List<Double> nanos = new ArrayList<>();
                    for (KafkaBroker broker : cluster.brokers()) {
                        Reading first = before.get(broker.id());
                        Reading last = brokers.get(broker.id()).read(broker.pid());
                        samples = samples.plus(profiler.stop(broker.pid()));
                        nanos.add(last.cpuNanosPerRequest(first));
                        progress.accept(calls(broker.id(), first, last));
                    }
                    return sampled(samples, MedianInterval.of(nanos).median());
                });
    }

    /** What the hooks were called for, each time of one request. */
    private String calls(int broker, Reading first, Reading last) {
        double requests = last.requests() - first.requests();
        double fetches = (last.followerFetches() - first.followerFetches()) / requests;
        return String.format(
                Locale.ROOT,
                "broker %d: a request comes with %.2f appends, %.2f fetches of followers and %.1f"
                        + " looks at a partition",
                broker,
                (last.appends() - first.appends()) / requests,
                fetches,
                fetches * partitions / BROKERS);
    }

    private static Table sampled(HookSamples samples, double nanosPerRequest) {
        Table table = new Table("", "samples", "share", "95 % interval", "a request");
        row(table, "all", samples.all(), samples, nanosPerRequest);
        row(table, "whole agent", samples.of(""), samples, nanosPerRequest);
        row(table, "marks", samples.of("marks."), samples, nanosPerRequest);
        row(table, "timing", samples.of("timing."), samples, nanosPerRequest);
        samples.calls().forEach((call, count) -> row(table, call, count, samples, nanosPerRequest));
        return table;
    }

    private static void row(
            Table table, String what, long count, HookSamples samples, double nanosPerRequest) {
        double share = count / (double) samples.all();
        table.row(
                what,
                Long.toString(count),
                format("%.3f %%", 100 * share),
                format("%.3f", 100 * samples.interval(count).getLowerBound())
                        + format(" to %.3f %%", 100 * samples.interval(count).getUpperBound()),
                format("%.2f us", share * nanosPerRequest / 1e3));
    }

    /** What is done with loaded brokers. */
    private interface Measurement {
        Table of(KafkaCluster cluster, Map<Integer, SwitchedBroker> brokers) throws Exception;
    }

    private Table underLoad(List<String> jvmOptions, Measurement measurement) throws Exception {
        Map<Integer, SwitchedBroker> brokers = new HashMap<>();
        try (PortLease ports = PortLease.take(BROKERS);
                KafkaCluster cluster = cluster(ports, brokers, jvmOptions)) {
            cluster.start();
            int loaded = Math.max(BROKERS, partitions / 10);
            topic(cluster, "load", loaded);
            topic(cluster, "idle", partitions - loaded);
            topic(cluster, "phasewise-canary", BROKERS);
            try (SteadyLoad load =
                            new SteadyLoad(
                                    cluster.bootstrap(),
                                    "load",
                                    "load",
                                    loaded,
                                    BURSTS,
                                    RECORDS_IN_BURST,
                                    RECORD_BYTES);
                    SteadyLoad probes =
                            new SteadyLoad(
                                    cluster.bootstrap(),
                                    "phasewise-canary-bench",
                                    "phasewise-canary",
                                    BROKERS,
                                    PROBES,
                                    1,
                                    PROBE_BYTES)) {
                Table table = measurement.of(cluster, brokers);
                long failed = load.failures() + probes.failures();
                progress.accept(failed + " of " + load.sent() + " records could not be sent");
                if (failed > MOST_FAILURES * load.sent()) {
                    throw new IllegalStateException("too many records could not be sent");
                }
                return table;
            }
        }
    }

    private KafkaCluster cluster(
            PortLease ports, Map<Integer, SwitchedBroker> brokers, List<String> jvmOptions) {
        Path jar = root.resolve("exporter/target/phasewise-exporter.jar");
        for (int id = 1; id <= BROKERS; id++) {
            Path file = directory.resolve("agents").resolve(id + ".yml");
            brokers.put(id, new SwitchedBroker(file, ports.port(id - 1)));
            brokers.get(id).write(State.ALL);
        }
        ClusterBuilder builder = KafkaCluster.builder(root, directory).brokers(BROKERS);
        jvmOptions.forEach(builder::jvmOption);
        return builder.heapMebibytes(HEAP_MEBIBYTES)
                .jvmOption(
                        id ->
                                "-javaagent:%s=127.0.0.1:%d:%s/agents/%d.yml"
                                        .formatted(jar, ports.port(id - 1), directory, id))
                .build();
    }

    private static void topic(KafkaCluster cluster, String name, int partitions)
            throws InterruptedException, ExecutionException {
        short replicas = BROKERS;
        cluster.admin().createTopics(List.of(new NewTopic(name, partitions, replicas))).all().get();
    }

    /** All brokers at the same time, each in its own order. */
    private List<Map<State, Period>> round(
            KafkaCluster cluster, Map<Integer, SwitchedBroker> brokers, Duration length)
            throws InterruptedException {
        Map<Integer, List<State>> orders = new HashMap<>();
        List<Map<State, Period>> periods = new ArrayList<>();
        for (int id = 1; id <= BROKERS; id++) {
            List<State> order = Arrays.asList(State.values());
            Collections.shuffle(order, random);
            orders.put(id, order);
            periods.add(new EnumMap<>(State.class));
        }
        for (int turn = 0; turn < State.values().length; turn++) {
            Map<Integer, Reading> before = new HashMap<>();
            for (KafkaBroker broker : cluster.brokers()) {
                brokers.get(broker.id()).write(orders.get(broker.id()).get(turn));
            }
            Thread.sleep(SETTLING.toMillis());
            for (KafkaBroker broker : cluster.brokers()) {
                brokers.get(broker.id()).read(broker.pid()); // the agent looks at its file
            }
            for (KafkaBroker broker : cluster.brokers()) {
                before.put(broker.id(), brokers.get(broker.id()).read(broker.pid()));
            }
            Thread.sleep(length.toMillis());
            for (KafkaBroker broker : cluster.brokers()) {
                Reading first = before.get(broker.id());
                Reading last = brokers.get(broker.id()).read(broker.pid());
                periods.get(broker.id() - 1)
                        .put(
                                orders.get(broker.id()).get(turn),
                                new Period(
                                        last.cpuNanosPerRequest(first),
                                        last.requestsPerNano(first) * 1e9,
                                        (last.appends() - first.appends())
                                                / (last.requests() - first.requests()),
                                        1e9
                                                * (last.hookSeconds() - first.hookSeconds())
                                                / (last.requests() - first.requests())));
            }
        }
        return periods;
    }

    private static String line(int round, int rounds, List<Map<State, Period>> taken) {
        return String.format(
                Locale.ROOT,
                "round %d of %d: marks %s; agent %s",
                round + 1,
                rounds,
                compared(taken, State.NO_MARKS),
                compared(taken, State.NOTHING));
    }

    private static Table table(List<Map<State, Period>> taken) {
        Table table =
                new Table(
                        "",
                        "requests/s",
                        "appends a request",
                        "processor time a request",
                        "hooks, by their own count",
                        "all on costs more by");
        for (State state : State.values()) {
            table.row(
                    state.name().toLowerCase(Locale.ROOT).replace('_', ' '),
                    format("%.0f", median(taken, state, Period::requestsPerSecond)),
                    format("%.3f", median(taken, state, Period::appendsPerRequest)),
                    format("%.1f us", median(taken, state, Period::cpuNanosPerRequest) / 1e3),
                    format("%.3f us", median(taken, state, Period::hookNanosPerRequest) / 1e3),
                    state == State.ALL ? "" : compared(taken, state));
        }
        return table;
    }

    private static double median(
            List<Map<State, Period>> taken, State state, ToDoubleFunction<Period> what) {
        return MedianInterval.of(
                        taken.stream().map(round -> what.applyAsDouble(round.get(state))).toList())
                .median();
    }

    /** With all on, against a state of the same round and broker: of each round the difference. */
    private static String compared(List<Map<State, Period>> taken, State state) {
        MedianInterval share =
                MedianInterval.of(
                        taken.stream()
                                .map(
                                        round ->
                                                100
                                                        * (round.get(State.ALL).cpuNanosPerRequest
                                                                        / round.get(state)
                                                                                .cpuNanosPerRequest
                                                                - 1))
                                .toList());
        double nanos =
                MedianInterval.of(
                                taken.stream()
                                        .map(
                                                round ->
                                                        round.get(State.ALL).cpuNanosPerRequest
                                                                - round.get(state)
                                                                        .cpuNanosPerRequest)
                                        .toList())
                        .median();
        return format("%+.2f %%", share.median())
                + format(" (%.1f %% interval", 100 * share.coverage())
                + format(" %+.2f", share.low())
                + format(" to %+.2f", share.high())
                + ", "
                + share.values()
                + " pairs)"
                + format(", %+.0f ns", nanos);
    }

    private static String format(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }
}
