/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.run;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What the probes of one run are like; the canary's configuration of the same meaning comes from
 * here, and the bare loop takes it too.
 *
 * <p>A canary keeps one partition on each broker and sends at most 10,000 probes a second to one.
 * More partitions, and more probes, come as several entries in its configuration, each with a topic
 * of its own.
 *
 * @param topic name of the entries' topics, which a number completes
 * @param entries how many of those, at least 1
 * @param partitions of each entry's topic, which is there already; 0 where the canary makes it,
 *     with one on each broker
 * @param rate probes a second and partition
 * @param acks all, 1 or 0
 * @param replicationFactor of the topics
 * @param lanes most producers of each entry
 * @param size bytes of a probe
 * @param pipelined one producer for each entry carries all probes, which may share a request; else
 *     each probe is a request of its own, on a lane
 * @param lingerMillis for how long produce requests gather, pipelined only; 0 for not longer than
 *     it takes anyway
 * @param inFlight requests under way on a connection at most, pipelined only; 0 for Kafka's default
 * @param fetchWaitMillis for how long fetches gather, likewise
 */
public record Load(
        String topic,
        int entries,
        int partitions,
        double rate,
        String acks,
        int replicationFactor,
        int lanes,
        int size,
        boolean pipelined,
        int lingerMillis,
        int inFlight,
        int fetchWaitMillis) {
    /** More than comes together in the time, so that time decides. */
    private static final int GATHERED_BYTES = 1 << 18;

    /** As the canary measures unless told otherwise. */
    public static Load ofDefaults() {
        return new Load("bench", 1, 0, 20, "all", 3, 16, 1024, false, 0, 0, 0);
    }

    /** Another number of entries and rate. */
    public Load at(int otherEntries, double otherRate) {
        return new Load(
                topic,
                otherEntries,
                partitions,
                otherRate,
                acks,
                replicationFactor,
                lanes,
                size,
                pipelined,
                lingerMillis,
                inFlight,
                fetchWaitMillis);
    }

    /** Probes a second altogether. */
    public double total(int brokers) {
        return entries * rate * (partitions == 0 ? brokers : partitions);
    }

    /** The name of an entry and of its topic. */
    public String topic(int entry) {
        return topic + "-" + entry;
    }

    /** The canary's configuration, to be written as JSON, which is YAML. */
    Map<String, Object> configuration(String bootstrap) {
        Map<String, Object> clusters = new LinkedHashMap<>();
        for (int entry = 0; entry < entries; entry++) {
            clusters.put(
                    topic(entry),
                    Map.of(
                            "bootstrap-servers", bootstrap,
                            "producer", producer(),
                            "consumer", consumer(),
                            "topic",
                                    Map.of(
                                            "name", topic(entry),
                                            "replication-factor", replicationFactor,
                                            "min-insync-replicas",
                                                    Math.max(1, replicationFactor - 1),
                                            "manage", Map.of("expand", partitions == 0)),
                            "probe",
                                    Map.of(
                                            "rate", rate,
                                            "size", size,
                                            "lanes", lanes,
                                            "pipelined", pipelined)));
        }
        return Map.of("canary", Map.of("http", Map.of("port", 0), "clusters", clusters));
    }

    private Map<String, Object> producer() {
        Map<String, Object> properties = new LinkedHashMap<>();
        properties.put("acks", acks);
        if (lingerMillis > 0) {
            properties.put("linger.ms", lingerMillis);
            properties.put("batch.size", GATHERED_BYTES);
        }
        if (inFlight > 0) {
            properties.put("max.in.flight.requests.per.connection", inFlight);
        }
        return properties;
    }

    private Map<String, Object> consumer() {
        return fetchWaitMillis == 0
                ? Map.of()
                : Map.of("fetch.min.bytes", GATHERED_BYTES, "fetch.max.wait.ms", fetchWaitMillis);
    }
}
