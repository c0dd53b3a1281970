/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.kafka.KafkaClientMetrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.Labels;
import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import org.apache.kafka.clients.admin.AdminClient;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;

/**
 * Exports the Kafka clients' own metrics through Micrometer, on the same page as the canary's;
 * their names and meaning are Micrometer's and Kafka's.
 */
public final class KafkaClients implements AutoCloseable {
    /**
     * How often new metrics are looked for: a partition has none before its first fetch, which
     * comes after the client was bound. Micrometer's own default is a minute.
     */
    private static final Duration REFRESH = Duration.ofSeconds(10);

    private final ScrapedMeters meters = new ScrapedMeters();
    private final Tags everywhere;
    private final ScheduledExecutorService refresher;

    /**
     * @param registry where the series go
     * @param everywhere labels that all series carry, beside their own
     * @param refresher reads the clients' metrics now and then; ended by this
     */
    public KafkaClients(PrometheusRegistry registry, Labels everywhere, ScheduledExecutorService refresher) {
        registry.register(meters);
        this.everywhere = Tags.of(everywhere.stream()
                .map(label -> Tag.of(label.getName(), label.getValue()))
                .toList());
        this.refresher = refresher;
    }

    /** Ends the export of a client's metrics; does not close the client. */
    @FunctionalInterface
    public interface Export extends AutoCloseable {
        @Override
        void close();
    }

    /**
     * Exports a producer's metrics until closed.
     *
     * @param cluster the {@code cluster} label
     * @param profile the {@code profile} label
     * @param producer the client
     */
    public Export export(String cluster, String profile, Producer<?, ?> producer) {
        return bind(new KafkaClientMetrics(producer, tags(cluster, profile), refresher, REFRESH));
    }

    /**
     * Exports a consumer's metrics until closed.
     *
     * @param cluster the {@code cluster} label
     * @param profile the {@code profile} label
     * @param consumer the client
     */
    public Export export(String cluster, String profile, Consumer<?, ?> consumer) {
        return bind(new KafkaClientMetrics(consumer, tags(cluster, profile), refresher, REFRESH));
    }

    /**
     * Exports an admin client's metrics until closed.
     *
     * @param cluster the {@code cluster} label
     * @param profile the {@code profile} label
     * @param admin the client
     */
    public Export export(String cluster, String profile, AdminClient admin) {
        return bind(new KafkaClientMetrics(admin, tags(cluster, profile), refresher, REFRESH));
    }

    /**
     * Each client has a registry of its own: when a client gets another metric, KafkaClientMetrics
     * goes through all meters of the registry, which with one for all clusters are tens of thousands.
     */
    private Export bind(KafkaClientMetrics metrics) {
        MeterRegistry registry = new SimpleMeterRegistry();
        meters.follow(registry);
        metrics.bindTo(registry);
        return metrics::close;
    }

    private Iterable<Tag> tags(String cluster, String profile) {
        return everywhere.and("cluster", cluster, "profile", profile);
    }

    @Override
    public void close() {
        refresher.shutdownNow();
    }
}
