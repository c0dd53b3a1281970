/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.stack;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * What the launcher wants to know of the canary's {@code /status}: the latency of each broker, and
 * what troubles the canary.
 *
 * @param ready whether a probe went all the way round for every reachable broker
 * @param brokers of the first cluster, by its first profile, by id
 * @param problems of all clusters, in words
 */
public record CanaryStatus(boolean ready, List<BrokerLatency> brokers, List<String> problems) {

    private static final ObjectMapper MAPPER = new ObjectMapper();

    public CanaryStatus {
        brokers = List.copyOf(brokers);
        problems = List.copyOf(problems);
    }

    /**
     * End-to-end latency of the probes that one broker led, over a window.
     *
     * @param leads whether it leads a partition of the canary's topic
     * @param ready whether probes come round at present
     * @param windowSeconds how far back the quantiles reach
     * @param p50Seconds empty while there were no probes in the window
     * @param p99Seconds empty while there were no probes in the window
     */
    public record BrokerLatency(
            int id,
            boolean leads,
            boolean ready,
            int windowSeconds,
            OptionalDouble p50Seconds,
            OptionalDouble p99Seconds) {}

    /**
     * Reads the JSON.
     *
     * @throws IOException when it is none
     */
    static CanaryStatus read(byte[] json) throws IOException {
        JsonNode root = MAPPER.readTree(json);
        List<String> problems = new ArrayList<>();
        for (JsonNode cluster : root.path("clusters")) {
            for (JsonNode problem : cluster.path("problems")) {
                problems.add(
                        name(cluster)
                                + ": "
                                + problem.path("key").asText()
                                + ": "
                                + problem.path("message").asText());
            }
        }
        List<BrokerLatency> brokers = new ArrayList<>();
        for (JsonNode broker : root.path("clusters").path(0).path("brokers")) {
            JsonNode endToEnd = broker.path("endToEnd");
            brokers.add(
                    new BrokerLatency(
                            broker.path("id").asInt(),
                            broker.path("leads").asBoolean(),
                            broker.path("ready").asBoolean(),
                            broker.path("windowSeconds").asInt(),
                            quantile(endToEnd, "p50Seconds"),
                            quantile(endToEnd, "p99Seconds")));
        }
        return new CanaryStatus(root.path("ready").asBoolean(), brokers, problems);
    }

    /** As the canary's own messages tell profiles apart: the default one goes without saying. */
    private static String name(JsonNode cluster) {
        String profile = cluster.path("profile").asText("default");
        String name = cluster.path("name").asText();
        return profile.equals("default") ? name : name + ", profile " + profile;
    }

    private static OptionalDouble quantile(JsonNode endToEnd, String key) {
        JsonNode value = endToEnd.path(key);
        boolean some = value.isNumber() && endToEnd.path("count").asLong(1) > 0;
        return some ? OptionalDouble.of(value.doubleValue()) : OptionalDouble.empty();
    }
}
