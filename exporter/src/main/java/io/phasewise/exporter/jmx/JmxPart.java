/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.jmx;

import io.phasewise.exporter.config.ExporterConfig;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import javax.management.JMException;
import javax.management.MBeanServer;

/**
 * All that is read from beans: the JVM, what the rules name, the busiest topics. It is put together
 * when somebody asks for the first time, because that is the larger part of what the exporter costs
 * a broker at its start. One that fails takes no other with it.
 */
public final class JmxPart {

    private final ExporterConfig config;
    private final Consumer<String> errorLog;
    private List<MultiCollector> collectors;
    private BusiestTopics topics;

    /**
     * @param config what to read
     * @param errorLog takes a line for each part that cannot be had
     */
    public JmxPart(ExporterConfig config, Consumer<String> errorLog) {
        this.config = config;
        this.errorLog = errorLog;
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
        PrometheusRegistry own = new PrometheusRegistry();
        collectors.add(new JvmPart(System::nanoTime));
        own.register(new BrokerInfo(server, System.getProperty("sun.java.command")));
        collectors.add(own::scrape);
        try {
            collectors.add(
                    new BrokerBeans(
                            RuleFile.parse(config.rules()),
                            config.percentiles(),
                            PartitionChanges::noticed,
                            System::nanoTime));
        } catch (JMException | RuntimeException e) {
            errorLog.accept(
                    config.rulesFile().map(Object::toString).orElse("built-in rules")
                            + ": jmx.rules: "
                            + e.getMessage());
        }
        try {
            topics = BusiestTopics.follow(server, config.topics().top(), config.topics().logSize());
            collectors.add(topics);
        } catch (JMException | RuntimeException e) {
            errorLog.accept("topics: " + e.getMessage());
        }
    }
}
