/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.binder.kafka.KafkaClientMetrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.Labels;
import java.time.Duration;
import java.util.List;
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

    private final MeterRegistry registry;
    private final ScheduledExecutorService refresher;

    /**
     * @param registry where the series go
     * @param everywhere labels that all series carry, beside their own
     * @param refresher reads the clients' metrics now and then; ended by this
     */
    public KafkaClients(PrometheusRegistry registry, Labels everywhere, ScheduledExecutorService refresher) {
        this.registry = new SimpleMeterRegistry();
        registry.register(new ScrapedMeters(this.registry));
        everywhere.stream().forEach(label -> this.registry.config().commonTags(label.getName(), label.getValue()));
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

    private Export bind(KafkaClientMetrics metrics) {
        metrics.bindTo(registry);
        return metrics::close;
    }

    private static List<Tag> tags(String cluster, String profile) {
        return List.of(Tag.of("cluster", cluster), Tag.of("profile", profile));
    }

    @Override
    public void close() {
        refresher.shutdownNow();
        registry.close();
    }
}
