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
 * Runs the turns of all variants, interleaved: a first turn of each, then a second one of each in
 * another order, and so on. So a drift of the machine affects all variants alike. Comparing them is
 * left to the statistics.
 *
 * <p>When all variants have the same settings of the canary, one canary runs all the time. When
 * they differ, each turn has a new one. Either way the warm-up of a turn is not measured.
 */
public final class Runner {
    /** The beginning of all topics' names. */
    private static final String TOPICS = "phasewise-lab-";

    private final LabCluster cluster;
    private final Consumer<String> progress;
    private final Set<String> loadTopics = new HashSet<>();
    private CanaryProcess canary;

    /**
     * @param cluster that is measured, and broken
     * @param progress takes a line for each step
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
                // So that the JVMs of brokers and load have compiled the code that only this
                // variant uses.
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
            // Kafka's clients leave the interrupt flag set.
            Thread.interrupted();
            if (canary != null) {
                canary.close();
                canary = null;
            }
        }
    }

    /** Begins a variant's load; returns null when it has none. */
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
            // Load and fault go on until all probes have ended.
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
            // A broker is being restarted: then there are no figures of any broker.
        }
        return new TurnConditions.Pages(canary.timedScrape(), brokers);
    }

    /**
     * The order of the variants in each repeat: random, and reversed in the next one. So neither a
     * drift nor what a variant leaves behind affects one variant more than another.
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

    /** Replaces the running canary by one with this variant's settings. */
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
