/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.fault.admin;

import io.phasewise.experiments.fault.ActiveFault;
import io.phasewise.experiments.fault.Fault;
import io.phasewise.experiments.fault.FaultTarget;
import io.phasewise.experiments.measure.CanaryProcess;
import io.phasewise.lab.measure.Scrape;
import io.phasewise.lab.process.Await;
import io.phasewise.ops.demotion.Demotion;
import io.phasewise.ops.demotion.DemotionException;
import io.phasewise.ops.demotion.DemotionPlan;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Leadership is moved off a slow broker, as {@code ./phasewise demote} does it. First the canary
 * must show that this broker is slow: its probes take more than twice as long as those of any
 * other. Another fault makes it slow.
 *
 * @param broker its id
 */
public record DemotedBroker(int broker) implements Fault {
    private static final Duration BOUND = Duration.ofSeconds(60);
    private static final String LATENCY = "kafka_canary_end_to_end_latency_seconds";

    /** Leaders with fewer probes are not compared. */
    private static final int ENOUGH = 30;

    /**
     * The broker must be more than this many times as slow as any other. A busy machine alone
     * rarely does that for long.
     */
    private static final double STANDS_OUT = 2;

    @Override
    public ActiveFault begin(FaultTarget target) throws IOException, InterruptedException {
        CanaryProcess canary = target.canaries().get(0);
        Scrape before = canary.scrape();
        Path wayBack = target.cluster().broker(broker).log().resolveSibling("demotion.json");
        Demotion demotion = new Demotion(target.cluster().admin(), broker, wayBack);
        return ActiveFault.after(
                () -> {
                    awaitSlowest(canary, before);
                    demote(demotion, wayBack);
                },
                () -> revert(demotion, wayBack));
    }

    /** Waits until its probes stand out in what the canary exports. */
    private void awaitSlowest(CanaryProcess canary, Scrape before) throws InterruptedException {
        Await.that("the canary shows that broker " + broker + " is slower than the others", BOUND)
                .every(Duration.ofMillis(500))
                .until(() -> {
                    Map<Integer, Double> means = means(before, canary.scrape());
                    return slowest(means).filter(id -> id == broker).isPresent()
                            ? Optional.empty()
                            : Optional.of("mean seconds by leader: " + means);
                });
    }

    /**
     * Mean latency by leader since an earlier page, seconds; leaders with too few probes are left
     * out.
     */
    private static Map<Integer, Double> means(Scrape before, Scrape now) {
        Map<Integer, Double> means = new TreeMap<>();
        for (int leader = 1; leader <= 3; leader++) {
            String label = Scrape.label("leader", leader);
            double probes = now.grown(before, LATENCY + "_count", label);
            if (probes >= ENOUGH) {
                means.put(leader, now.grown(before, LATENCY + "_sum", label) / probes);
            }
        }
        return means;
    }

    /**
     * The broker that stands out; empty when none does, or when fewer than two leaders are known.
     */
    static Optional<Integer> slowest(Map<Integer, Double> means) {
        double highest = means.values().stream().max(Double::compare).orElse(Double.NaN);
        List<Integer> near = means.keySet().stream()
                .filter(leader -> highest <= STANDS_OUT * means.get(leader))
                .toList();
        return near.size() == 1 && means.size() > 1 ? Optional.of(near.get(0)) : Optional.empty();
    }

    private void demote(Demotion demotion, Path wayBack) throws IOException, InterruptedException {
        try {
            Files.deleteIfExists(wayBack);
            DemotionPlan report = demotion.execute(topic -> false);
            if (!report.obstacles().isEmpty() || !report.left().isEmpty()) {
                throw new IOException("broker " + broker + " cannot be demoted: " + report.obstacles() + report.left());
            }
        } catch (DemotionException refused) {
            throw new IOException(refused.getMessage(), refused);
        }
    }

    private void revert(Demotion demotion, Path wayBack) throws InterruptedException {
        try {
            if (Files.exists(wayBack)) {
                List<String> left = demotion.revert().left();
                if (!left.isEmpty()) {
                    throw new UncheckedIOException(
                            new IOException("broker " + broker + " does not get its leaders back: " + left));
                }
            }
        } catch (IOException | DemotionException refused) {
            throw new UncheckedIOException(new IOException(refused.getMessage(), refused));
        }
    }
}
