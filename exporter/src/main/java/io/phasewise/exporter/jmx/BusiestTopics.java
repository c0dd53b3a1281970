/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.jmx;

import io.phasewise.exporter.series.SeriesRegistry;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;

/**
 * Throughput of the busiest topics, and of no others, so that the number of series has a bound.
 * {@link #rank} decides which topics these are, outside of any scrape: those with the most bytes in
 * and out since the last time, with a preference for topics that are shown already. Beside that it
 * sums up the size of all logs, if asked to.
 */
public final class BusiestTopics implements MultiCollector {

    /** A shown topic stays until another has a quarter more traffic: series should not flicker. */
    private static final double PREFERENCE = 1.25;

    private static final String SERIES = "kafka_server_brokertopicmetrics_topic_";
    private static final String BEANS = "kafka.server:type=BrokerTopicMetrics,name=";

    /** Kafka's meters. The series of each is called like it: lower case, and _total for PerSec. */
    private static final List<String> METERS = List.of(
            "MessagesInPerSec",
            "BytesInPerSec",
            "BytesOutPerSec",
            "TotalProduceRequestsPerSec",
            "TotalFetchRequestsPerSec",
            "FailedProduceRequestsPerSec",
            "FailedFetchRequestsPerSec");

    private final PrometheusRegistry metrics = new PrometheusRegistry();
    private final MBeanServer server;
    private final BeanIndex index;
    private final List<ObjectName> traffic;
    private final List<ObjectName> logSizes;
    private final int most;
    private final Map<String, Long> lastBytes = new HashMap<>();
    private volatile Set<String> shown = Set.of();
    private volatile double logBytes = Double.NaN;

    /**
     * Follows the topics of a broker; shows none before the first {@link #rank}.
     *
     * @param most topics to show, 0 or more
     * @param logSize whether to sum up the size of the logs
     * @throws JMException when the bean server cannot be followed
     */
    public BusiestTopics(MBeanServer server, int most, boolean logSize) throws JMException {
        this.server = server;
        this.most = most;
        List<ObjectName> patterns = new ArrayList<>();
        patterns.add(new ObjectName(BEANS + "BytesInPerSec,topic=*"));
        patterns.add(new ObjectName(BEANS + "BytesOutPerSec,topic=*"));
        if (logSize) {
            patterns.add(new ObjectName("kafka.log:type=Log,name=Size,topic=*,partition=*"));
        }
        traffic = patterns.subList(0, 2);
        logSizes = patterns.subList(2, patterns.size());
        index = BeanIndex.follow(server, patterns);
        declare(new SeriesRegistry(metrics));
    }

    /** Chooses the topics again and sums up the logs. Not to be called by two threads at once. */
    public void rank() {
        Map<String, Long> bytes = new HashMap<>();
        for (ObjectName pattern : traffic) {
            for (ObjectName bean : index.matching(pattern)) {
                String topic = bean.getKeyProperty("topic");
                bytes.merge(topic, (long) read(bean, "Count", 0), Long::sum);
            }
        }
        Set<String> before = shown;
        Set<String> ranked = bytes.keySet().stream()
                .sorted(Comparator.comparingDouble((String topic) -> -weight(topic, bytes, before))
                        // Without traffic all stays as it is.
                        .thenComparing(topic -> !before.contains(topic))
                        .thenComparing(topic -> -bytes.get(topic))
                        .thenComparing(Comparator.naturalOrder()))
                .limit(most)
                .collect(Collectors.toCollection(TreeSet::new));
        lastBytes.clear();
        lastBytes.putAll(bytes);
        shown = ranked;
        for (ObjectName pattern : logSizes) {
            double sum = 0;
            for (ObjectName bean : index.matching(pattern)) {
                sum += read(bean, "Value", 0);
            }
            logBytes = sum;
        }
    }

    private double weight(String topic, Map<String, Long> bytes, Set<String> before) {
        double since = bytes.get(topic) - lastBytes.getOrDefault(topic, 0L);
        return before.contains(topic) ? PREFERENCE * since : since;
    }

    private static ObjectName bean(String meter, String topic) {
        try {
            return new ObjectName(BEANS + meter + ",topic=" + topic);
        } catch (MalformedObjectNameException e) {
            // A topic's name has no character that a bean's name may not have.
            throw new IllegalStateException(topic, e);
        }
    }

    private void declare(SeriesRegistry series) {
        for (String meter : METERS) {
            series.read(
                    SERIES + meter.replace("PerSec", "_total").toLowerCase(Locale.ROOT),
                    points -> shown.forEach(topic -> add(points, meter, topic)));
        }
        series.read("kafka_log_log_size_bytes", points -> {
            if (!Double.isNaN(logBytes)) {
                points.add(logBytes);
            }
        });
    }

    private void add(SeriesRegistry.Points points, String meter, String topic) {
        ObjectName bean = bean(meter, topic);
        // Kafka makes most of a topic's meters when they first count something.
        double count = server.isRegistered(bean) ? read(bean, "Count", Double.NaN) : 0;
        if (count >= 0) {
            points.add(count, topic);
        }
    }

    @Override
    public MetricSnapshots collect() {
        return metrics.scrape();
    }

    /** A bean can go at any time. */
    private double read(ObjectName bean, String attribute, double otherwise) {
        try {
            Object value = server.getAttribute(bean, attribute);
            return value instanceof Number ? ((Number) value).doubleValue() : otherwise;
        } catch (JMException | RuntimeException e) {
            return otherwise;
        }
    }

    /** How many topics have series now. */
    public int topics() {
        return shown.size();
    }
}
