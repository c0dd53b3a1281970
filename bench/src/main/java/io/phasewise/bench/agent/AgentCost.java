/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.agent;

import static io.phasewise.bench.measure.Numbers.format;

import io.phasewise.bench.agent.SwitchedBroker.Period;
import io.phasewise.bench.agent.SwitchedBroker.Reading;
import io.phasewise.bench.agent.SwitchedBroker.State;
import io.phasewise.bench.measure.MedianInterval;
import io.phasewise.lab.kafka.ClusterBuilder;
import io.phasewise.lab.kafka.KafkaCluster;
import io.phasewise.lab.measure.Table;
import io.phasewise.lab.net.PortLease;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
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
    private static final int PROBES = 20 * BROKERS;
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

    /** What is done with loaded brokers. */
    private interface Measurement {
        Table of(List<SwitchedBroker> brokers) throws IOException, InterruptedException;
    }

    /**
     * Compares periods in which hooks are on and off.
     *
     * @param rounds compared; each gives a comparison for each of three brokers
     * @param length of a period
     * @throws ExecutionException when a topic cannot be created; nothing is left running
     * @throws IOException when a broker or the load fails; nothing is left running
     */
    public Table compare(int rounds, Duration length)
            throws ExecutionException, InterruptedException, IOException {
        return underLoad(
                List.of(),
                brokers -> {
                    List<Map<State, Period>> taken = new ArrayList<>();
                    for (int round = -WARM_UP_ROUNDS; round < rounds; round++) {
                        List<Map<State, Period>> of = round(brokers, length);
                        if (round >= 0) {
                            taken.addAll(of);
                            progress.accept(
                                    "round %d of %d: marks %s; agent %s"
                                            .formatted(
                                                    round + 1,
                                                    rounds,
                                                    compared(taken, State.NO_MARKS),
                                                    compared(taken, State.NOTHING)));
                        }
                    }
                    return table(taken);
                });
    }

    /**
     * Samples what the threads do with all hooks on.
     *
     * @param length of the time that is sampled, after as long to warm up
     * @throws ExecutionException when a topic cannot be created; nothing is left running
     * @throws IOException when a broker, the load or the profiler fails; nothing is left running
     */
    public Table sample(Duration length)
            throws ExecutionException, InterruptedException, IOException {
        Profiler profiler = new Profiler(directory);
        return underLoad(
                Profiler.JVM_OPTIONS,
                brokers -> {
                    Thread.sleep(length.toMillis());
                    progress.accept("warm; sampling for " + length.toSeconds() + " s");
                    List<Reading> before = new ArrayList<>();
                    for (SwitchedBroker broker : brokers) {
                        profiler.start(broker.pid());
                        before.add(broker.read());
                    }
                    Thread.sleep(length.toMillis());
                    HookSamples samples = new HookSamples(0, Map.of());
                    List<Double> nanos = new ArrayList<>();
                    for (SwitchedBroker broker : brokers) {
                        Period period = broker.read().since(before.get(broker.id() - 1));
                        samples = samples.plus(profiler.stop(broker.pid()));
                        nanos.add(period.cpuNanos());
                        progress.accept(calls(broker.id(), period));
                    }
                    return samples.table(MedianInterval.of(nanos).median());
                });
    }

    /** What the hooks were called for, each time of one request. */
    private String calls(int broker, Period period) {
        return String.format(
                Locale.ROOT,
                "broker %d: a request comes with %.2f appends, %.2f fetches of followers and %.1f"
                        + " looks at a partition",
                broker,
                period.appends(),
                period.followerFetches(),
                period.followerFetches() * partitions / BROKERS);
    }

    private Table underLoad(List<String> jvmOptions, Measurement measurement)
            throws ExecutionException, InterruptedException, IOException {
        try (PortLease ports = PortLease.take(BROKERS);
                KafkaCluster cluster = cluster(ports, jvmOptions)) {
            cluster.start();
            int loaded = Math.max(BROKERS, partitions / 10);
            topic(cluster, "load", loaded);
            topic(cluster, "idle", partitions - loaded);
            topic(cluster, "phasewise-canary", BROKERS);
            String to = cluster.bootstrap();
            try (SteadyLoad load = new SteadyLoad(to, "load", "load", loaded, 10, 100);
                    SteadyLoad probes =
                            new SteadyLoad(
                                    to,
                                    "phasewise-canary-bench",
                                    "phasewise-canary",
                                    BROKERS,
                                    1,
                                    1_024)) {
                load.start(BURSTS);
                probes.start(PROBES);
                Table table = measurement.of(switched(cluster, ports));
                long failed = load.failures() + probes.failures();
                progress.accept(failed + " of " + load.sent() + " records could not be sent");
                if (failed > MOST_FAILURES * load.sent()) {
                    throw new IOException("too many records could not be sent");
                }
                return table;
            }
        }
    }

    private KafkaCluster cluster(PortLease ports, List<String> jvmOptions) throws IOException {
        Path jar = root.resolve("exporter/target/phasewise-exporter.jar");
        ClusterBuilder builder = KafkaCluster.builder(root, directory).brokers(BROKERS);
        jvmOptions.forEach(builder::jvmOption);
        for (int id = 1; id <= BROKERS; id++) {
            State.ALL.write(file(id));
        }
        return builder.heapMebibytes(HEAP_MEBIBYTES)
                .jvmOption(
                        id ->
                                "-javaagent:%s=127.0.0.1:%d:%s"
                                        .formatted(jar, ports.port(id - 1), file(id)))
                .build();
    }

    private Path file(int broker) {
        return directory.resolve("agents").resolve(broker + ".yml");
    }

    private List<SwitchedBroker> switched(KafkaCluster cluster, PortLease ports) {
        return cluster.brokers().stream()
                .map(
                        broker ->
                                new SwitchedBroker(
                                        broker.id(),
                                        broker.pid(),
                                        file(broker.id()),
                                        URI.create(
                                                "http://127.0.0.1:%d/metrics"
                                                        .formatted(ports.port(broker.id() - 1)))))
                .toList();
    }

    private static void topic(KafkaCluster cluster, String name, int partitions)
            throws InterruptedException, ExecutionException {
        short replicas = BROKERS;
        cluster.admin().createTopics(List.of(new NewTopic(name, partitions, replicas))).all().get();
    }

    /** All brokers at the same time, each in its own order. */
    private List<Map<State, Period>> round(List<SwitchedBroker> brokers, Duration length)
            throws IOException, InterruptedException {
        List<List<State>> orders = new ArrayList<>();
        List<Map<State, Period>> periods = new ArrayList<>();
        for (int i = 0; i < brokers.size(); i++) {
            List<State> order = Arrays.asList(State.values());
            Collections.shuffle(order, random);
            orders.add(order);
            periods.add(new EnumMap<>(State.class));
        }
        for (int turn = 0; turn < State.values().length; turn++) {
            for (int i = 0; i < brokers.size(); i++) {
                orders.get(i).get(turn).write(brokers.get(i).file());
            }
            Thread.sleep(SETTLING.toMillis());
            readings(brokers); // the agents look at their files
            List<Reading> before = readings(brokers);
            Thread.sleep(length.toMillis());
            List<Reading> after = readings(brokers);
            for (int i = 0; i < brokers.size(); i++) {
                periods.get(i).put(orders.get(i).get(turn), after.get(i).since(before.get(i)));
            }
        }
        return periods;
    }

    private static List<Reading> readings(List<SwitchedBroker> brokers) throws IOException {
        List<Reading> readings = new ArrayList<>();
        for (SwitchedBroker broker : brokers) {
            readings.add(broker.read());
        }
        return readings;
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
                    format("%.3f", median(taken, state, Period::appends)),
                    format("%.1f us", median(taken, state, Period::cpuNanos) / 1e3),
                    format("%.3f us", median(taken, state, Period::hookNanos) / 1e3),
                    state == State.ALL ? "" : compared(taken, state));
        }
        return table;
    }

    private static double median(
            List<Map<State, Period>> taken, State state, ToDoubleFunction<Period> what) {
        return ofEach(taken, round -> what.applyAsDouble(round.get(state))).median();
    }

    private static MedianInterval ofEach(
            List<Map<State, Period>> taken, ToDoubleFunction<Map<State, Period>> what) {
        return MedianInterval.of(taken.stream().mapToDouble(what).boxed().toList());
    }

    /** With all on, against a state of the same round and broker: of each round the difference. */
    private static String compared(List<Map<State, Period>> taken, State state) {
        MedianInterval share = ofEach(taken, round -> 100 * (all(round) / nanos(round, state) - 1));
        MedianInterval more = ofEach(taken, round -> all(round) - nanos(round, state));
        return String.format(
                Locale.ROOT,
                "%+.2f %% (%.1f %% interval %+.2f to %+.2f, %d pairs), %+.0f ns",
                share.median(),
                100 * share.coverage(),
                share.low(),
                share.high(),
                share.values(),
                more.median());
    }

    private static double all(Map<State, Period> round) {
        return nanos(round, State.ALL);
    }

    private static double nanos(Map<State, Period> round, State state) {
        return round.get(state).cpuNanos();
    }
}
