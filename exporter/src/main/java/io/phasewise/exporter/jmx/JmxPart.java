/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.jmx;

import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import javax.management.JMException;
import javax.management.MBeanServer;

/**
 * All that is read from beans: the JVM, what the rules name, the busiest topics. The parts are put
 * together when somebody asks for the first time, because that is most of what the exporter would
 * cost a broker at its start. If one part fails, the others still work.
 */
public final class JmxPart {

    private final String rules;
    private final boolean percentiles;
    private final int topTopics;
    private final boolean logSize;
    private final Consumer<String> errorLog;
    private final Consumer<String> infoLog;
    private List<MultiCollector> collectors;
    private BusiestTopics topics;

    /**
     * @param rules in the format of the JMX exporter
     * @param percentiles whether to read the percentiles of Kafka's own request timings too
     * @param topTopics how many topics have series of their own, 0 or more
     * @param logSize whether to sum up the size of the logs
     * @param errorLog takes a line for each part that cannot be had, and each rule that fails
     * @param infoLog takes a line for each rule that no longer fails
     */
    public JmxPart(
            String rules,
            boolean percentiles,
            int topTopics,
            boolean logSize,
            Consumer<String> errorLog,
            Consumer<String> infoLog) {
        this.rules = rules;
        this.percentiles = percentiles;
        this.topTopics = topTopics;
        this.logSize = logSize;
        this.errorLog = errorLog;
        this.infoLog = infoLog;
    }

    /** What there is to read, in the order of precedence. */
    public synchronized List<MultiCollector> collectors() {
        if (collectors == null) {
            collectors = new ArrayList<>();
            putTogether();
        }
        return collectors;
    }

    /** The choice of topics, which somebody has to have made now and then; empty where it fails. */
    public synchronized Optional<BusiestTopics> topics() {
        collectors();
        return Optional.ofNullable(topics);
    }

    private void putTogether() {
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        collectors.add(new JvmPart(System::nanoTime));
        BrokerInfo info = new BrokerInfo(server, System.getProperty("sun.java.command"));
        collectors.add(() -> new MetricSnapshots(info.collect()));
        try {
            collectors.add(new BrokerBeans(
                    RuleFile.parse(rules),
                    percentiles,
                    PartitionChanges::noticed,
                    System::nanoTime,
                    errorLog,
                    infoLog));
        } catch (JMException | RuntimeException e) {
            errorLog.accept("jmx.rules: " + e.getMessage());
        }
        try {
            topics = new BusiestTopics(server, topTopics, logSize);
            collectors.add(topics);
        } catch (JMException | RuntimeException e) {
            errorLog.accept("topics: " + e.getMessage());
        }
    }
}
