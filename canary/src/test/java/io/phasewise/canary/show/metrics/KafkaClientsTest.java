/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.binder.kafka.KafkaClientMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.apache.kafka.clients.admin.AdminClient;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

/** No broker answers: the clients have the metrics that they are born with. */
class KafkaClientsTest {
    private static final Map<String, Object> NOBODY = Map.of("bootstrap.servers", "127.0.0.1:1", "client.id", "one");

    private final PrometheusRegistry ours = new PrometheusRegistry();

    @Test
    void whatMicrometerExportsWithItsNamesLabelsTypesAndHelp() {
        PrometheusRegistry micrometers = new PrometheusRegistry();
        MeterRegistry theirs = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT, micrometers, Clock.SYSTEM);
        theirs.config().commonTags("site", "s");
        List<Tag> tags = List.of(Tag.of("cluster", "c"), Tag.of("profile", "p"));
        try (KafkaClients clients = new KafkaClients(ours, Labels.of("site", "s"), refresher());
                KafkaProducer<byte[], byte[]> producer =
                        new KafkaProducer<>(NOBODY, new ByteArraySerializer(), new ByteArraySerializer());
                KafkaConsumer<byte[], byte[]> consumer =
                        new KafkaConsumer<>(NOBODY, new ByteArrayDeserializer(), new ByteArrayDeserializer());
                AdminClient admin = AdminClient.create(NOBODY);
                KafkaClientMetrics producers = new KafkaClientMetrics(producer, tags);
                KafkaClientMetrics consumers = new KafkaClientMetrics(consumer, tags);
                KafkaClientMetrics admins = new KafkaClientMetrics(admin, tags);
                KafkaClients.Export first = clients.export("c", "p", producer);
                KafkaClients.Export second = clients.export("c", "p", consumer);
                KafkaClients.Export third = clients.export("c", "p", admin)) {
            List.of(producers, consumers, admins).forEach(each -> each.bindTo(theirs));

            assertThat(described(ours)).hasSizeGreaterThan(100).isEqualTo(described(micrometers));
        }
    }

    @Test
    void aClientThatIsNoLongerExportedLeavesNothing() {
        try (KafkaClients clients = new KafkaClients(ours, Labels.EMPTY, refresher());
                KafkaProducer<byte[], byte[]> producer =
                        new KafkaProducer<>(NOBODY, new ByteArraySerializer(), new ByteArraySerializer())) {
            KafkaClients.Export export = clients.export("c", "p", producer);
            assertThat(described(ours)).isNotEmpty();

            export.close();

            assertThat(described(ours)).isEmpty();
        }
    }

    @Test
    void aClientThatTakesAnothersPlaceIsExportedWhenTheOtherEnds() {
        try (KafkaClients clients = new KafkaClients(ours, Labels.EMPTY, refresher());
                KafkaProducer<byte[], byte[]> old =
                        new KafkaProducer<>(NOBODY, new ByteArraySerializer(), new ByteArraySerializer());
                KafkaProducer<byte[], byte[]> successor =
                        new KafkaProducer<>(NOBODY, new ByteArraySerializer(), new ByteArraySerializer())) {
            KafkaClients.Export first = clients.export("c", "p", old);
            clients.export("c", "p", successor);

            first.close();

            assertThat(described(ours)).anyMatch(line -> line.contains(" kafka_producer_record_send{"));
        }
    }

    private static ScheduledExecutorService refresher() {
        return Executors.newSingleThreadScheduledExecutor();
    }

    /** A line for each series, without its value. */
    private static TreeSet<String> described(PrometheusRegistry registry) {
        TreeSet<String> lines = new TreeSet<>();
        for (MetricSnapshot family : registry.scrape()) {
            family.getDataPoints()
                    .forEach(point -> lines.add(family.getClass().getSimpleName() + " "
                            + family.getMetadata().getName() + point.getLabels() + " "
                            + family.getMetadata().getHelp() + (point.getCreatedTimestampMillis() > 0)));
        }
        return lines;
    }
}
