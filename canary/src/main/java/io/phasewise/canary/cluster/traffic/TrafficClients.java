/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.cluster.traffic;

import io.phasewise.canary.cluster.context.ProfileContext;
import io.phasewise.canary.config.ClusterConfig;
import io.phasewise.canary.config.KafkaConfig;
import io.phasewise.canary.config.ProbeConfig;
import io.phasewise.canary.phases.Acks;
import io.phasewise.canary.probe.ProbeCodec;
import io.phasewise.canary.probe.ProbeContent;
import io.phasewise.canary.send.ClockCalibrator;
import io.phasewise.canary.send.KafkaLane;
import io.phasewise.canary.send.LaneSettings;
import io.phasewise.canary.send.ProbeProducer;
import io.phasewise.canary.send.SendContext;
import io.phasewise.canary.show.metrics.KafkaClients;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntPredicate;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.DispatchTimingProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.Metric;

/**
 * Makes the Kafka clients of one profile from its configuration and exports their own metrics; when
 * to make one is left to those who use them.
 */
final class TrafficClients {
    /** Time to open and connect a lane: about what it takes on two busy cores. */
    private static final Duration LANE_SET_UP = Duration.ofMillis(100);

    /**
     * What a probe's record takes beside its value: key, headers and the record's own fields.
     * Rather too much than too little.
     */
    private static final int RECORD_BYTES = 100;

    private final ProfileContext profile;
    private final ClusterConfig config;
    private final KafkaClients kafkaClients;
    private final DispatchTimingProducer.OwnTopic topic;
    private final String groupId;
    private volatile KafkaClients.Export consumerExport = () -> {};

    /** The consumer's own figure of how long quotas held back its fetches; null before there is one. */
    private volatile Metric fetchThrottle;

    /**
     * @param profile what it works with
     * @param topic the one that producers send to
     */
    TrafficClients(ProfileContext profile, DispatchTimingProducer.OwnTopic topic) {
        this.profile = profile;
        this.topic = topic;
        this.config = profile.config();
        this.kafkaClients = profile.canary().kafkaClients();
        // Another group at each start: a member that died without leaving would hold up its successor.
        this.groupId = config.group()
                .id()
                .orElse(KafkaConfig.idPrefix(config.id()) + HexFormat.of().toHexDigits(profile.instance()));
    }

    /** The group that the consumer joins; not used where the profile joins no group. */
    String groupId() {
        return groupId;
    }

    /** Recognises this canary's probes. */
    ProbeCodec recogniser() {
        return new ProbeCodec(profile.instance(), ProbeContent.plain(ProbeCodec.HEADER_SIZE));
    }

    /** Makes the producer that the profile asks for. */
    ProbeProducer producer(SendContext context) {
        return new ProbeProducer(
                "lanes-" + config.id(),
                this::openLane,
                laneSettings(new ProducerConfig(config.producerProperties(0))),
                this::codec,
                config.lossHorizon(),
                context);
    }

    /**
     * Makes what calibrates the brokers' clocks. Empty with acks=1, where the probes do it
     * themselves, and with acks=0, where no broker answers.
     *
     * @param reportsMarks whether a broker reports marks of records
     */
    Optional<ClockCalibrator> calibrator(SendContext context, IntPredicate reportsMarks) {
        return context.estimator().acks() == Acks.ALL
                ? Optional.of(new ClockCalibrator(
                        "clocks-" + config.id(),
                        this::openCalibrator,
                        codec(),
                        config.probe().rate(),
                        reportsMarks,
                        context))
                : Optional.empty();
    }

    private LaneSettings laneSettings(ProducerConfig producer) {
        ProbeConfig probe = config.probe();
        if (probe.pipelined()) {
            return LaneSettings.pipelined(
                    producer.getInt(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION),
                    Duration.ofMillis(producer.getLong(ProducerConfig.LINGER_MS_CONFIG)));
        }
        int margin = Math.min(probe.lanes(), LaneSettings.marginFor(probe.rate(), LANE_SET_UP.toNanos()));
        int initial = Math.min(probe.lanes(), margin + 1);
        int batch = producer.getInt(ProducerConfig.BATCH_SIZE_CONFIG);
        int together = Math.max(1, batch / (probe.size() + RECORD_BYTES));
        return new LaneSettings(initial, probe.lanes(), margin, together);
    }

    private ProbeCodec codec() {
        ProbeConfig probe = config.probe();
        return new ProbeCodec(
                profile.instance(),
                new ProbeContent(
                        probe.size(),
                        probe.compressibility(),
                        probe.keys().count(),
                        probe.keys().size(),
                        probe.pipelined()));
    }

    private KafkaLane openLane(int lane, int serial, DispatchTimingProducer.AttemptListener attempts) {
        DispatchTimingProducer client = open(config.producerProperties(serial), attempts);
        // Lanes are alike: one of them shows the client's own metrics for all.
        KafkaClients.Export export =
                lane == 0 ? kafkaClients.export(config.name(), config.profile(), client) : () -> {};
        return new KafkaLane(client, config.topic().name(), export::close);
    }

    private KafkaLane openCalibrator(int lane, int serial, DispatchTimingProducer.AttemptListener attempts) {
        return new KafkaLane(
                open(config.calibratorProperties(serial), attempts),
                config.topic().name(),
                () -> {});
    }

    private DispatchTimingProducer open(
            Map<String, Object> properties, DispatchTimingProducer.AttemptListener attempts) {
        return DispatchTimingProducer.create(properties, topic, profile.canary().nanoClock(), attempts);
    }

    /** Makes a consumer, whose metrics are exported from now on in place of the last one's. */
    KafkaConsumer<byte[], byte[]> consumer() {
        KafkaConsumer<byte[], byte[]> client = new KafkaConsumer<>(config.consumerProperties(groupId));
        fetchThrottle = client.metrics().values().stream()
                .filter(each -> each.metricName().name().equals("fetch-throttle-time-max"))
                .findFirst()
                .orElse(null);
        consumerExport.close();
        consumerExport = kafkaClients.export(config.name(), config.profile(), client);
        return client;
    }

    /** The longest recent time that a quota held back a fetch, in milliseconds; 0 when none did. */
    int fetchThrottleMillis() {
        Metric metric = fetchThrottle;
        return metric != null && metric.metricValue() instanceof Double millis && millis > 0
                ? (int) Math.round(millis)
                : 0;
    }

    /** Ends the export of the consumer's metrics. */
    void endConsumerExport() {
        consumerExport.close();
    }
}
