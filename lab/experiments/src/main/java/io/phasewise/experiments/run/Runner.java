/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.run;

import io.phasewise.experiments.fault.Administration;
import io.phasewise.experiments.fault.Fault;
import io.phasewise.experiments.measure.CanaryProcess;
import io.phasewise.experiments.measure.Histogram;
import io.phasewise.experiments.measure.ProbeRecord;
import io.phasewise.experiments.measure.Scrape;
import io.phasewise.experiments.measure.TimedScrape;
import io.phasewise.experiments.plan.Load;
import io.phasewise.experiments.plan.Pace;
import io.phasewise.experiments.plan.Plan;
import io.phasewise.experiments.plan.UsageException;
import io.phasewise.experiments.plan.Variant;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * Gives every variant its turns, interleaved: a first turn of each, then a second of each in
 * another order, and so on, so that whatever drifts on the machine meets all alike. What the turns
 * say is left to the statistics.
 *
 * <p>One canary runs all the time where all variants have the same settings of it; where they
 * differ, every turn has a fresh one. The warm-up is cut from every turn either way.
 */
public final class Runner {
    private static final Duration ADMIN_BOUND = Duration.ofSeconds(30);

    private final Path canaryJar;
    private final Path directory;
    private final Target target;
    private final Consumer<String> progress;
    private CanaryProcess canary;

    private final RunTopics topics = RunTopics.random();

    /**
     * @param canaryJar the canary's
     * @param directory for files of the run
     * @param target what to measure
     * @param progress takes a line now and then
     */
    public Runner(Path canaryJar, Path directory, Target target, Consumer<String> progress) {
        this.canaryJar = canaryJar;
        this.directory = directory;
        this.target = target;
        this.progress = progress;
    }

    /**
     * Runs all turns.
     *
     * @throws UsageException when a fault is asked for on a cluster that is not the lab's, or more
     *     probes a minute than a canary logs
     * @throws IOException when a process cannot be started or asked
     * @throws InterruptedException when interrupted; nothing stays broken, nothing is left running
     */
    public List<Turn> run(Plan plan, Pace pace)
            throws UsageException, IOException, InterruptedException {
        List<Turn> turns = new ArrayList<>();
        boolean finished = false;
        int variants = plan.variants().size();
        refuseWhatTheLogCannotHold(pace);
        try {
            boolean anew = plan.variants().stream().map(Variant::canary).distinct().count() > 1;
            for (Variant variant : plan.variants()) {
                progress.accept("settling: " + variant.name());
                if (anew || canary == null) {
                    start(variant, pace);
                }
                settle(variant, pace);
            }
            for (List<Variant> order : order(plan.variants(), pace.repeats(), pace.seed())) {
                for (Variant variant : order) {
                    progress.accept(
                            String.format(
                                    "[%d/%d] %s",
                                    turns.size() + 1, pace.repeats() * variants, variant.name()));
                    if (anew) {
                        start(variant, pace);
                    }
                    turns.add(turn(plan, variant, turns.size() / variants, pace));
                }
            }
            finished = true;
        } finally {
            end(finished);
        }
        return turns;
    }

    /** Every probe has to be in the canary's log. */
    private void refuseWhatTheLogCannotHold(Pace pace) throws UsageException, InterruptedException {
        int brokers;
        try (Admin admin = Admin.create(target.client())) {
            brokers =
                    Administration.done("describe the cluster", admin.describeCluster().nodes())
                            .size();
        }
        double most = CanaryProcess.mostPerSecond() / brokers;
        if (pace.rate() > most) {
            throw new UsageException(
                    List.of(
                            String.format(
                                    Locale.ROOT,
                                    "rate: %s a second to each of %d brokers is more than a canary"
                                            + " logs; allowed: 1 to %.0f",
                                    pace.rate(),
                                    brokers,
                                    Math.floor(most))));
        }
    }

    /** What a variant alone asks of the brokers' and the loads' JVMs is compiled then. */
    private void settle(Variant variant, Pace pace) throws InterruptedException {
        List<BackgroundLoad> loads = new ArrayList<>();
        try {
            begin(variant, loads);
            Thread.sleep(pace.settle().toMillis());
        } finally {
            loads.forEach(BackgroundLoad::close);
        }
    }

    /**
     * Begins a variant's loads.
     *
     * @param begun gets each, also where a later one cannot be begun
     */
    private void begin(Variant variant, List<BackgroundLoad> begun) throws InterruptedException {
        for (Load load : variant.loads()) {
            String topic = topics.ofLoad(load, begun.size());
            if (topics.add(topic)) {
                BackgroundLoad.create(load, topic, target.client());
            }
            begun.add(BackgroundLoad.on(load, topic, target.client()));
        }
    }

    private Turn turn(Plan plan, Variant variant, int repeat, Pace pace)
            throws UsageException, IOException, InterruptedException {
        List<BackgroundLoad> loads = new ArrayList<>();
        Optional<Fault.Broken> broken = Optional.empty();
        try {
            begin(variant, loads);
            if (variant.fault().isPresent()) {
                broken = Optional.of(variant.fault().get().begin(target.toBreak(), canary));
            }
            Thread.sleep(pace.warmUp().toMillis());
            Scrape before = canary.scrape();
            List<TimedScrape> brokersBefore = exporters();
            ProcessorTime processors = ProcessorTime.now();
            Instant from = Instant.now();
            Sent sentBefore = Sent.by(loads);
            Thread.sleep(pace.measured().toMillis());
            Sent sent = Sent.by(loads).since(sentBefore);
            Instant to = Instant.now();
            double share = ProcessorTime.now().shareSince(processors);
            List<TimedScrape> brokersAfter = exporters();
            Map<String, Double> others = new HashMap<>(loads.isEmpty() ? Map.of() : sent.figures());
            others.put(
                    "slowest exporter page, ms",
                    brokersAfter.stream()
                            .mapToDouble(TimedScrape::millis)
                            .max()
                            .orElse(Double.NaN));
            TimedScrape after = canary.timedScrape();
            others.put("canary page, ms", after.millis());
            others.put(
                    "canary late, p99 ms",
                    late(after.page()).since(late(before)).quantile(0.99) * 1e3);
            // Under the same conditions as before, until all of them have ended.
            List<ProbeRecord> probes =
                    canary.probes(from, to).stream()
                            .filter(probe -> plan.compares(probe.leader()))
                            .toList();
            return new Turn(
                    variant.name(),
                    repeat,
                    from,
                    to,
                    probes,
                    Circumstances.between(
                            brokersBefore, brokersAfter, sent.records(), share, others));
        } finally {
            try {
                if (broken.isPresent()) {
                    broken.get().close();
                }
            } finally {
                loads.forEach(BackgroundLoad::close);
            }
        }
    }

    /** How late the canary itself was with its probes so far. */
    private static Histogram late(Scrape page) {
        return Histogram.of(page, "kafka_canary_schedule_lag_seconds");
    }

    /** Nothing where one is down, as brokers are while they are restarted. */
    private List<TimedScrape> exporters() throws InterruptedException {
        try {
            return target.exporters();
        } catch (IOException down) {
            return List.of();
        }
    }

    /**
     * The order of every repeat: drawn at random, and backwards in the next one, so that neither
     * what drifts nor what a variant leaves behind meets one of them more than another.
     */
    static List<List<Variant>> order(List<Variant> variants, int repeats, long seed) {
        Random random = new Random(seed);
        List<List<Variant>> all = new ArrayList<>();
        for (int repeat = 0; repeat < repeats; repeat++) {
            List<Variant> next = new ArrayList<>(repeat % 2 == 0 ? variants : all.get(repeat - 1));
            if (repeat % 2 == 0) {
                Collections.shuffle(next, random);
            } else {
                Collections.reverse(next);
            }
            all.add(next);
        }
        return all;
    }

    /** A canary as a variant wants it, in place of the one that runs. */
    private void start(Variant variant, Pace pace) throws IOException, InterruptedException {
        if (canary != null) {
            canary.close();
        }
        Map<String, Object> given = new HashMap<>(variant.canary());
        given.merge("topic", Map.of("name", topics.ofCanary(variant.name())), Runner::both);
        given.merge("probe", Map.of("seed", pace.seed()), Runner::both);
        Map<String, Object> client = target.client();
        client.remove("bootstrap.servers");
        given.merge("client", client, Runner::both);
        canary =
                CanaryProcess.start(
                        canaryJar,
                        Files.createTempDirectory(directory, "canary"),
                        CanaryProcess.configuration(target.bootstrap(), pace.rate(), given));
    }

    private static Object both(Object given, Object added) {
        Map<Object, Object> all = new HashMap<>((Map<?, ?>) added);
        all.putAll((Map<?, ?>) given);
        return all;
    }

    /**
     * @param finished whether all turns were made: they are worth more than a topic left behind,
     *     while nobody may be told that all was undone where it was not
     */
    private void end(boolean finished) throws InterruptedException {
        // Kafka's clients leave it set.
        Thread.interrupted();
        if (canary != null) {
            canary.close();
            canary = null;
        }
        if (target.own().isEmpty()) {
            List<String> left = deleteTopics();
            left.forEach(progress);
            if (!finished && !left.isEmpty()) {
                throw new UncheckedIOException(new IOException(String.join("; ", left)));
            }
        }
    }

    /**
     * On somebody else's cluster nothing is left behind.
     *
     * @return what could not be deleted, and why
     */
    private List<String> deleteTopics() throws InterruptedException {
        List<String> left = new ArrayList<>();
        try (Admin admin = Admin.create(target.client())) {
            for (String topic : topics.names()) {
                try {
                    admin.deleteTopics(Set.of(topic))
                            .all()
                            .get(ADMIN_BOUND.toSeconds(), TimeUnit.SECONDS);
                } catch (ExecutionException e) {
                    if (!(e.getCause() instanceof UnknownTopicOrPartitionException)) {
                        left.add("topic " + topic + " could not be deleted: " + e.getCause());
                    }
                } catch (TimeoutException silent) {
                    left.add("topic " + topic + " could not be deleted: no answer");
                }
            }
        }
        return left;
    }
}
