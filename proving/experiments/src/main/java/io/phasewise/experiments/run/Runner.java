/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.run;

import io.phasewise.experiments.cluster.Administration;
import io.phasewise.experiments.cluster.LabCluster;
import io.phasewise.experiments.fault.ActiveFaults;
import io.phasewise.experiments.fault.FaultTarget;
import io.phasewise.experiments.load.Load;
import io.phasewise.experiments.load.Producers;
import io.phasewise.experiments.measure.CanaryProcess;
import io.phasewise.experiments.measure.ProbeRecord;
import io.phasewise.experiments.measure.TimedScrape;
import io.phasewise.experiments.plan.Pace;
import io.phasewise.experiments.plan.Plan;
import io.phasewise.experiments.plan.Variant;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Gives every variant its turns, interleaved: a first turn of each, then a second of each in
 * another order, and so on, so that whatever drifts on the machine meets all alike. What the turns
 * say is left to the statistics.
 *
 * <p>One canary runs all the time where all variants have the same settings of it; where they
 * differ, every turn has a fresh one. The warm-up is cut from every turn either way.
 */
public final class Runner {
    /** What the names of all topics begin with. */
    private static final String TOPICS = "phasewise-lab-";

    private final LabCluster cluster;
    private final Consumer<String> progress;
    private final Set<String> loadTopics = new HashSet<>();
    private CanaryProcess canary;

    /**
     * @param cluster what to measure, and to break
     * @param progress takes a line now and then
     */
    public Runner(LabCluster cluster, Consumer<String> progress) {
        this.cluster = cluster;
        this.progress = progress;
    }

    /**
     * Runs all turns.
     *
     * @throws IOException when a process cannot be started or asked
     * @throws InterruptedException when interrupted; nothing stays broken, nothing is left running
     */
    public List<Turn> run(Plan plan, Pace pace) throws IOException, InterruptedException {
        List<Turn> turns = new ArrayList<>();
        int variants = plan.variants().size();
        boolean fresh = plan.variants().stream().map(Variant::canary).distinct().count() > 1;
        try {
            for (Variant variant : plan.variants()) {
                progress.accept("settling: " + variant.name());
                if (fresh || canary == null) {
                    start(variant, pace);
                }
                // What a variant alone asks of the brokers' and the load's JVMs is compiled then.
                try (Producers load = begin(variant)) {
                    Thread.sleep(pace.settle().toMillis());
                }
            }
            for (List<Variant> order : order(plan.variants(), pace.repeats(), pace.seed())) {
                for (Variant variant : order) {
                    progress.accept(
                            String.format("[%d/%d] %s", turns.size() + 1, pace.repeats() * variants, variant.name()));
                    if (fresh) {
                        start(variant, pace);
                    }
                    turns.add(turn(plan, variant, turns.size() / variants, pace));
                }
            }
            return turns;
        } finally {
            // Kafka's clients leave it set.
            Thread.interrupted();
            if (canary != null) {
                canary.close();
                canary = null;
            }
        }
    }

    /** Begins a variant's load; null where it has none. */
    private Producers begin(Variant variant) throws InterruptedException {
        if (variant.load().isEmpty()) {
            return null;
        }
        Load load = variant.load().get();
        String topic = TOPICS + "load-" + load.partitions();
        if (loadTopics.add(topic)) {
            Administration.create(cluster.kafka().admin(), load.topic(topic));
        }
        return new Producers(load, topic, cluster.kafka().clientProperties());
    }

    private Turn turn(Plan plan, Variant variant, int repeat, Pace pace) throws IOException, InterruptedException {
        try (Producers load = begin(variant);
                ActiveFaults broken = ActiveFaults.begin(variant.faults(), FaultTarget.of(cluster.kafka(), canary))) {
            Thread.sleep(pace.warmUp().toMillis());
            TurnConditions.Pages before = pages();
            WorkCounters begun = WorkCounters.now(load);
            Thread.sleep(pace.measured().toMillis());
            WorkCounters ended = WorkCounters.now(load);
            TurnConditions around = TurnConditions.between(before, pages(), begun, ended);
            // Under the same conditions as before, until all of them have ended.
            List<ProbeRecord> probes = canary.probes(begun.at(), ended.at()).stream()
                    .filter(probe -> plan.compares(probe.leader()))
                    .toList();
            return new Turn(variant.name(), repeat, begun.at(), ended.at(), probes, around);
        }
    }

    private TurnConditions.Pages pages() throws IOException, InterruptedException {
        List<TimedScrape> brokers = List.of();
        try {
            brokers = cluster.scrapes();
        } catch (IOException down) {
            // As brokers are while they are restarted: then nothing is said of any.
        }
        return new TurnConditions.Pages(canary.timedScrape(), brokers);
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

    /** Replaces the canary that runs by one with a variant's settings. */
    private void start(Variant variant, Pace pace) throws IOException, InterruptedException {
        if (canary != null) {
            canary.close();
        }
        String topic = TOPICS + variant.name().replaceAll("[^A-Za-z0-9]+", "-");
        Map<String, Object> own =
                Map.of("topic", Map.of("name", topic), "probe", Map.of("rate", pace.rate(), "seed", pace.seed()));
        canary = cluster.canary(List.of(own, variant.canary()));
    }
}
