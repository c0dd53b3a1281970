/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.measure;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.phasewise.experiments.declared.Declaration;
import io.phasewise.lab.measure.Scrape;
import io.phasewise.lab.measure.StandaloneCanary;
import io.phasewise.lab.process.Await;
import io.phasewise.lab.process.ManagedProcess;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The canary's jar as a process of its own, as users run it, and what it measured. None of its code
 * is called: all figures come from what it exports and logs.
 *
 * <p>Single probes come from its log. It has a line for each, up to {@link #LOGGED_PER_MINUTE}: its
 * five phases to the microsecond, or that it never came back.
 */
public final class CanaryProcess implements AutoCloseable {
    /** The name of the cluster in the canary's configuration. */
    public static final String CLUSTER = "lab";

    /** At most this many lines about probes are logged in a minute. */
    static final int LOGGED_PER_MINUTE = 60_000;

    /** The canary's loss horizon, and some time until the line is written. */
    private static final Duration ALL_ENDED = ProbeLog.LOSS_HORIZON.plusSeconds(10);

    private static final Duration LEARNS = Duration.ofMinutes(30);

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration POLL = Duration.ofMillis(200);

    private final HttpPages pages = new HttpPages();
    private final StandaloneCanary canary;
    private final ProbeLog probes;

    /**
     * @param canary has a configuration made by {@link #configuration}; ended with this
     */
    public CanaryProcess(StandaloneCanary canary) {
        this.canary = canary;
        this.probes = new ProbeLog(canary.process().log());
    }

    /**
     * A configuration of a canary that logs every probe.
     *
     * @param settings below the cluster. Each one overrides those before it and the ones set
     *     here, key by key at every depth
     */
    public static Map<String, Object> configuration(String bootstrap, List<Map<String, Object>> settings) {
        ObjectNode all = JSON.createObjectNode();
        all.withObject("/canary/http").put("port", 0);
        ObjectNode cluster = all.withObject("/canary/clusters/" + CLUSTER);
        cluster.put("bootstrap-servers", bootstrap);
        cluster.putObject("slow-probes").put("log-above", "0s").put("log-per-minute", LOGGED_PER_MINUTE);
        settings.forEach(each -> Declaration.merge(cluster, JSON.valueToTree(each)));
        return JSON.convertValue(all, new TypeReference<>() {});
    }

    /** Waits until every broker's probes come back. */
    public void awaitReady() throws InterruptedException {
        canary.awaitReady();
    }

    /**
     * Waits until it knows what is usual of the network and of itself, so that it can name them: 20 minutes after its
     * start.
     *
     * @throws io.phasewise.lab.process.AwaitException when it does not in half an hour
     * @throws InterruptedException when interrupted
     */
    public void awaitLearned() throws InterruptedException {
        Await.that("the canary has learned what is usual", LEARNS)
                .every(Duration.ofSeconds(1))
                .until(() -> {
                    JsonNode suspects =
                            JSON.readTree(pages.get(url() + "/suspects").text());
                    int learned = suspects.findValue("learnedMinutes").asInt();
                    int needed = suspects.findValue("minutesToLearn").asInt();
                    return learned < needed ? Optional.of(learned + " of " + needed + " minutes") : Optional.empty();
                });
    }

    /** Its series at this moment. */
    public Scrape scrape() throws IOException, InterruptedException {
        return timedScrape().page();
    }

    /** The same, with how long the page took. */
    public TimedScrape timedScrape() throws IOException, InterruptedException {
        return pages.scrape(url() + "/metrics");
    }

    /** The address of its HTTP server, without a path. */
    public String url() {
        return canary.url();
    }

    /** The probes in its log. */
    public ProbeLog log() {
        return probes;
    }

    /** The process itself. */
    public ManagedProcess process() {
        return canary.process();
    }

    /**
     * The probes that were due within a stretch of time, in the order of their due times. Waits
     * until each has ended, which takes the loss horizon when some do not come back.
     *
     * @throws io.phasewise.lab.process.AwaitException when some are still not in the log after
     *     that time
     * @throws InterruptedException when interrupted
     */
    public List<ProbeRecord> probes(Instant from, Instant to) throws InterruptedException {
        String what = "the canary's log has all probes from %s to %s".formatted(from, to);
        Await.that(what, ALL_ENDED).every(POLL).until(() -> {
            probes.read();
            OptionalLong missing = probes.missing(from, to);
            if (missing.isEmpty()) {
                return Optional.of("the last ones are not there yet");
            }
            return Optional.of(missing.getAsLong() + " are missing").filter(some -> missing.getAsLong() > 0);
        });
        return probes.due(from, to);
    }

    @Override
    public void close() {
        canary.close();
    }
}
