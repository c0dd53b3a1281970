/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.jmx;

import io.prometheus.jmx.JmxCollector;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import javax.management.MalformedObjectNameException;

/**
 * The JMX exporter's collector for one set of rules and beans, which says whether it failed; what
 * to do about that is left to the caller.
 */
final class RuleCollector {

    /** The collector's own: above 0 where it could not read all of its beans. */
    static final String ERROR = "jmx_scrape_error";

    /** Held, as the JVM forgets the level of a logger that nobody holds. */
    private static final Logger LOG = Logger.getLogger(JmxCollector.class.getName());

    private final JmxCollector collector;

    /** The collector's own metrics, read after it: before, they would tell of the last reading. */
    private final PrometheusRegistry own = new PrometheusRegistry();

    /**
     * @param rules with every bean named
     * @throws IllegalArgumentException when the collector refuses them
     */
    RuleCollector(String rules) {
        try {
            collector = new JmxCollector(rules).register(own);
        } catch (MalformedObjectNameException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
        own.unregister(collector);
    }

    /** What was read, or why not all could be. */
    static final class Reading {
        private final MetricSnapshots metrics;
        private final RuntimeException thrown;
        private final String failure;

        private Reading(MetricSnapshots metrics, RuntimeException thrown, String failure) {
            this.metrics = metrics;
            this.thrown = thrown;
            this.failure = failure;
        }

        /**
         * Also where something is missing.
         *
         * @throws RuntimeException where all is missing
         */
        MetricSnapshots metrics() {
            if (thrown != null) {
                throw thrown;
            }
            return metrics;
        }

        /** Whether matching a pattern took all of the stack. */
        boolean overflowed() {
            return thrown != null && thrown.getCause() instanceof StackOverflowError;
        }

        /** Empty where nothing failed. */
        Optional<String> failure() {
            return Optional.ofNullable(failure);
        }
    }

    Reading read() {
        try {
            MetricSnapshots beans = collector.collect();
            MetricSnapshots about = own.scrape();
            boolean failed = about.stream().anyMatch(RuleCollector::isError);
            return new Reading(
                    new MetricSnapshots(
                            Stream.concat(beans.stream(), about.stream()).toArray(MetricSnapshot[]::new)),
                    null,
                    failed ? "the reason is in the JMX exporter's own message before this one" : null);
        } catch (StackOverflowError e) { // of a pattern such as (a|.)* with a long text
            return failed(new IllegalStateException("a pattern takes too much of the stack: " + e, e));
        } catch (RuntimeException e) {
            return failed(e);
        }
    }

    private static Reading failed(RuntimeException e) {
        return new Reading(null, e, e.getMessage() == null ? e.toString() : e.getMessage());
    }

    /** Without the twenty lines that the collector writes of each failure: it has written them once. */
    Reading readQuietly() {
        Level before = LOG.getLevel();
        LOG.setLevel(Level.OFF);
        try {
            return read();
        } finally {
            LOG.setLevel(before);
        }
    }

    static boolean isError(MetricSnapshot metric) {
        return metric instanceof GaugeSnapshot
                && metric.getMetadata().getPrometheusName().equals(ERROR)
                && ((GaugeSnapshot) metric).getDataPoints().stream().anyMatch(point -> point.getValue() > 0);
    }
}
