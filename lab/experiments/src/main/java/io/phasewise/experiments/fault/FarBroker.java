/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.fault;

import io.phasewise.experiments.measure.CanaryProcess;
import io.phasewise.lab.fault.Way;
import io.phasewise.lab.kafka.KafkaCluster;
import io.phasewise.lab.measure.Scrape;
import io.phasewise.lab.process.Await;
import io.phasewise.ops.demotion.Demotion;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A broker that clients reach by a slow path, while the other brokers reach it as before; and, if
 * wanted, leadership is moved off it as {@code ./phasewise demote} does, once the canary shows
 * which broker it is. The brokers must be behind links.
 *
 * @param broker its id
 * @param delay of what clients send to it
 * @param demoted whether leadership is moved off it
 */
public record FarBroker(int broker, Duration delay, boolean demoted) implements Fault {
    private static final Duration BOUND = Duration.ofSeconds(60);
    private static final String LATENCY = "kafka_canary_end_to_end_latency_seconds";

    /** Probes through each broker before anything is said of it. */
    private static final int ENOUGH = 30;

    /** So many times as slow as any other: not what busy machines do by themselves for long. */
    private static final double STANDS_OUT = 2;

    @Override
    public String about() {
        return "what clients send to broker "
                + broker
                + " arrives "
                + delay.toMillis()
                + " ms late"
                + (demoted
                        ? "; it is demoted as soon as its probes take twice as long as any other's"
                        : "");
    }

    @Override
    public Broken begin(FaultTarget target) throws IOException, InterruptedException {
        KafkaCluster cluster = target.cluster();
        Way way = cluster.clientLink(broker).there();
        Broken slow = () -> way.delay(Duration.ZERO);
        if (!demoted) {
            way.delay(delay);
            return slow;
        }
        CanaryProcess canary = target.canaries().get(0);
        Scrape before = canary.scrape();
        way.delay(delay);
        boolean begun = false;
        try {
            Broken restored = demote(cluster, awaitSlowest(canary, before));
            begun = true;
            return () -> {
                // Healthy first, as an operator would.
                slow.close();
                restored.close();
            };
        } finally {
            if (!begun) {
                slow.close();
            }
        }
    }

    /** The broker whose probes stand out, by what the canary exports and nothing else. */
    private static int awaitSlowest(CanaryProcess canary, Scrape before)
            throws InterruptedException {
        int[] slowest = new int[1];
        Await.that("the canary shows a broker that is slower than the others", BOUND)
                .every(Duration.ofMillis(500))
                .until(
                        () -> {
                            Map<Integer, Double> means = means(before, canary.scrape());
                            Optional<Integer> found = slowest(means);
                            found.ifPresent(leader -> slowest[0] = leader);
                            return found.isPresent()
                                    ? Optional.empty()
                                    : Optional.of("mean seconds by leader: " + means);
                        });
        return slowest[0];
    }

    /** Mean latency by leader since a reading; without those of whom too few probes told. */
    private static Map<Integer, Double> means(Scrape before, Scrape now) {
        Map<Integer, Double> means = new TreeMap<>();
        for (int leader = 1; leader <= 3; leader++) {
            String label = "leader=\"" + leader + "\"";
            double probes = now.grown(before, LATENCY + "_count", label);
            if (probes >= ENOUGH) {
                means.put(leader, now.grown(before, LATENCY + "_sum", label) / probes);
            }
        }
        return means;
    }

    /** The one that stands out; empty when none does, or too little is known. */
    static Optional<Integer> slowest(Map<Integer, Double> means) {
        if (means.size() < 2) {
            return Optional.empty();
        }
        Map.Entry<Integer, Double> most =
                means.entrySet().stream().max(Map.Entry.comparingByValue()).orElseThrow();
        boolean standsOut =
                means.entrySet().stream()
                        .filter(each -> !each.getKey().equals(most.getKey()))
                        .allMatch(each -> most.getValue() > STANDS_OUT * each.getValue());
        return standsOut ? Optional.of(most.getKey()) : Optional.empty();
    }

    private static Broken demote(KafkaCluster cluster, int broker)
            throws IOException, InterruptedException {
        Path wayBack = cluster.broker(broker).log().resolveSibling("demotion.json");
        Files.deleteIfExists(wayBack);
        Demotion demotion = new Demotion(cluster.admin(), broker, wayBack);
        boolean done = false;
        try {
            Demotion.Report report = demotion.execute(topic -> false);
            if (!report.obstacles().isEmpty()) {
                throw new IOException(
                        "broker " + broker + " cannot be demoted: " + report.obstacles());
            }
            done = true;
            return () -> revert(demotion, wayBack);
        } catch (Demotion.DemotionException refused) {
            throw new IOException(refused.getMessage(), refused);
        } finally {
            if (!done) {
                revert(demotion, wayBack);
            }
        }
    }

    private static void revert(Demotion demotion, Path wayBack) throws InterruptedException {
        try {
            if (Files.exists(wayBack)) {
                demotion.revert();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (Demotion.DemotionException refused) {
            throw new UncheckedIOException(new IOException(refused.getMessage(), refused));
        }
    }
}
