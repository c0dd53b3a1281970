/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import static io.phasewise.canary.it.RunningCanary.await;
import static io.phasewise.canary.it.RunningCanary.awaitThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.canary.probe.ProbeCodec;
import io.phasewise.canary.probe.ProbeContent;
import io.phasewise.canary.topic.OwnershipMark;
import io.phasewise.canary.topic.OwnershipMark.Origin;
import io.phasewise.lab.junit.SharedCluster;
import io.phasewise.lab.junit.SideBySide;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Whose topic it is, on real brokers that create topics for clients that allow it: what is not the
 * canary's is left as it is, and what is keeps its mark through whatever happens to it. What
 * settings that may not be read lead to is {@link BadClustersIT}'s.
 */
class TopicOwnershipIT {
    @RegisterExtension
    static final SharedCluster CLUSTER = TestClusters.SHARED;

    private static final String MARK = OwnershipMark.SETTING;
    private static final String OWNERSHIP = "kafka_canary_topic_ownership";

    /** Longer than from one look at the topic to the next. */
    private static final Duration A_LOOK = Duration.ofSeconds(6);

    private static RunningCanary started(String topic, String more) throws Exception {
        return RunningCanary.embedded("clusters: {" + cluster("it", topic, more) + "}");
    }

    private static String cluster(String name, String topic, String more) {
        return "%s: {bootstrap-servers: '%s', probe: {rate: 10, lanes: 2}, topic: {name: %s%s}}"
                .formatted(name, CLUSTER.get().bootstrap(), topic, more);
    }

    private static Admin admin() {
        return CLUSTER.get().admin();
    }

    /** Each has a topic of its own and waits for looks at it, which are seconds apart. */
    @TestFactory
    Stream<DynamicTest> cases() {
        return new SideBySide()
                .with(
                        "aTopicOfAnApplicationIsLeftAsItIsByteForByteAndOtherClustersAreMeasured",
                        this::aTopicOfAnApplicationIsLeftAsItIsByteForByteAndOtherClustersAreMeasured)
                .with(
                        "aTopicThatIsDeletedIsMadeAgainWithItsMarkAndNeverWithout",
                        this::aTopicThatIsDeletedIsMadeAgainWithItsMarkAndNeverWithout)
                .with(
                        "intoATopicThatAnApplicationMadeInsteadNoProbeIsSent",
                        this::intoATopicThatAnApplicationMadeInsteadNoProbeIsSent)
                .with(
                        "whereTheMarkIsWipedProbesGoOnNothingIsChangedAndAfterARestartItIsSomebodyElses",
                        this::whereTheMarkIsWipedProbesGoOnNothingIsChangedAndAfterARestartItIsSomebodyElses)
                .with(
                        "aTopicOfTheFirstVersionIsMarkedWhereAllItsRecordsAreProbesAndNotOtherwise",
                        this::aTopicOfTheFirstVersionIsMarkedWhereAllItsRecordsAreProbesAndNotOtherwise)
                .with(
                        "whatIsAdoptedIsMarkedAndItsFirstRecordThatIsNoProbeEndsTheSending",
                        this::whatIsAdoptedIsMarkedAndItsFirstRecordThatIsNoProbeEndsTheSending)
                .with(
                        "inATopicThatACanaryCreatedARecordThatIsNoProbeIsCountedAndTheMonitorGoesOn",
                        this::inATopicThatACanaryCreatedARecordThatIsNoProbeIsCountedAndTheMonitorGoesOn)
                .with("twoCanariesThatStartOnOneTopicBothMeasure", this::twoCanariesThatStartOnOneTopicBothMeasure)
                .with(
                        "settingsThatWereCopiedFromTheCanarysTopicMakeNoTopicTheCanarys",
                        this::settingsThatWereCopiedFromTheCanarysTopicMakeNoTopicTheCanarys)
                .with(
                        "whoOnlyReadsAndWritesSendsIntoWhatIsAdoptedAndChangesNothingNotEvenTheMark",
                        this::whoOnlyReadsAndWritesSendsIntoWhatIsAdoptedAndChangesNothingNotEvenTheMark)
                .run(4);
    }

    private void aTopicOfAnApplicationIsLeftAsItIsByteForByteAndOtherClustersAreMeasured() throws Exception {
        String topic = "own-orders";
        CLUSTER.get()
                .createTopic(topic, 2, 2, Map.of("cleanup.policy", "compact", "retention.ms", "-1", MARK, "86400000"));
        write(topic, 2, "order");
        String before = everythingOf(topic);
        String config = "clusters: {" + cluster("theirs", topic, "") + ", " + cluster("mine", "own-mine", "") + "}";
        try (RunningCanary canary = RunningCanary.embedded(config)) {
            awaitThat(
                    "told whose it is, what would have been done, and the two ways out",
                    () -> assertThat(canary.problems("theirs"))
                            .contains(
                                    "topic own-orders is not the canary's: it has no mark",
                                    "no probe is sent into it",
                                    "cleanup.policy=delete",
                                    "retention.ms=600000",
                                    "add 1 partition",
                                    "another topic.name",
                                    "topic.adopt: true"));
            canary.await("the other is measured", now -> now.probes("delivered", "cluster=mine") > 5);

            Scrape scrape = holdsFor(
                    A_LOOK, canary, () -> assertThat(everythingOf(topic)).isEqualTo(before));

            assertThat(everythingOf(topic)).isEqualTo(before);
            assertThat(scrape.sum(OWNERSHIP, "cluster=theirs", "ownership=foreign"))
                    .isEqualTo(1);
            assertThat(scrape.sum(OWNERSHIP, "cluster=mine", "ownership=created"))
                    .isEqualTo(1);
            assertThat(scrape.text().lines().filter(line -> line.contains("cluster=\"theirs\"")))
                    .as("no producer and no consumer is there")
                    .noneMatch(line -> line.startsWith("kafka_consumer_") || line.startsWith("kafka_producer_"));
            assertThat(scrape.sum("kafka_canary_probes_scheduled_total", "cluster=theirs"))
                    .isZero();
            assertThat(canary.cluster("theirs").at("/topic/ownership").asText()).isEqualTo("foreign");
            assertThat(canary.readiness())
                    .contains("own-orders is not the canary's")
                    .doesNotContain("cluster mine");
        }
    }

    private void aTopicThatIsDeletedIsMadeAgainWithItsMarkAndNeverWithout() throws Exception {
        String topic = "own-deleted";
        try (RunningCanary canary = started(topic, "")) {
            canary.awaitReady();
            for (int i = 0; i < 2; i++) {
                Uuid id = description(topic).orElseThrow().topicId();
                admin().deleteTopics(List.of(topic)).all().get();
                await("made again", () -> {
                    for (int look = 0; look < 20; look++) {
                        assertThat(config(topic).map(each -> each.get(MARK)).orElse(mark(topic)))
                                .as("a topic that a broker made for a client has no mark")
                                .isEqualTo(mark(topic));
                    }
                    return description(topic)
                            .filter(each -> !each.topicId().equals(id))
                            .isPresent();
                });
                Scrape then = canary.scrape();
                canary.await("probes come back", now -> now.since(then).probes("delivered") > 10);
            }
            canary.awaitNoProblems("it");
        }
    }

    private void intoATopicThatAnApplicationMadeInsteadNoProbeIsSent() throws Exception {
        String topic = "own-remade";
        try (RunningCanary canary = started(topic, "")) {
            canary.awaitReady();
            admin().deleteTopics(List.of(topic)).all().get();
            AtomicReference<Uuid> id = new AtomicReference<>();
            await("made by an application", () -> {
                try {
                    id.set(admin().createTopics(List.of(new NewTopic(topic, 3, (short) 2)))
                            .topicId(topic)
                            .get());
                    return true;
                } catch (ExecutionException e) {
                    assertThat(e).hasCauseInstanceOf(TopicExistsException.class); // not deleted yet
                    return false;
                }
            });
            write(topic, 3, "order");
            awaitEveryBroker(() -> description(topic)
                    .filter(each -> each.topicId().equals(id.get()))
                    .isPresent());
            String made = everythingOf(topic);
            assertThat(made).endsWith("{0=1, 1=1, 2=1}");

            canary.await("seen", now -> now.sum(OWNERSHIP, "ownership=foreign") == 1);
            holdsFor(A_LOOK, canary, () -> assertThat(everythingOf(topic)).isEqualTo(made));

            assertThat(everythingOf(topic)).isEqualTo(made);
        }
    }

    private void whereTheMarkIsWipedProbesGoOnNothingIsChangedAndAfterARestartItIsSomebodyElses() throws Exception {
        String topic = "own-wiped";
        try (RunningCanary canary = started(topic, "")) {
            canary.awaitReady();
            alter(topic, new AlterConfigOp(new ConfigEntry(MARK, ""), AlterConfigOp.OpType.DELETE));
            alter(topic, new AlterConfigOp(new ConfigEntry("retention.ms", "123456789"), AlterConfigOp.OpType.SET));

            canary.await("seen", now -> now.sum(OWNERSHIP, "ownership=unknown") == 1);
            assertThat(canary.problems("it")).contains("topic.adopt", "something else sets its settings");
            Scrape then = canary.scrape();
            canary.await("probes go on", now -> now.since(then).probes("delivered") > 60);
            assertThat(config(topic).orElseThrow()).containsEntry("retention.ms", "123456789");
        }
        String before = everythingOf(topic);
        try (RunningCanary canary = started(topic, "")) {
            canary.await("after a restart", now -> now.sum(OWNERSHIP, "ownership=foreign") == 1);
            assertThat(everythingOf(topic)).isEqualTo(before);
        }
    }

    private void aTopicOfTheFirstVersionIsMarkedWhereAllItsRecordsAreProbesAndNotOtherwise() throws Exception {
        String topic = "phasewise-canary";
        CLUSTER.get().createTopic(topic, 3, 3, Map.of());
        try (RunningCanary canary = started(topic, "")) {
            awaitThat("empty", () -> assertThat(canary.problems("it")).contains("not every partition holds a probe"));
            assertThat(config(topic).orElseThrow().get(MARK)).isNotEqualTo(mark(topic));
        }
        writeProbes(topic);
        try (RunningCanary canary = started(topic, "")) {
            canary.awaitReady();
            awaitThat(
                    "it is marked one look after probes begin, and every broker knows",
                    () -> assertThat(config(topic).orElseThrow()).containsEntry(MARK, mark(topic)));
            canary.awaitNoProblems("it");
        }
        alter(topic, new AlterConfigOp(new ConfigEntry(MARK, ""), AlterConfigOp.OpType.DELETE));
        awaitEveryBroker(() -> !config(topic).orElseThrow().get(MARK).equals(mark(topic)));
        write(topic, 1, "order");
        String before = everythingOf(topic);
        try (RunningCanary canary = started(topic, "")) {
            awaitThat("not all are", () -> assertThat(canary.problems("it")).contains("a record that is no probe"));
            assertThat(everythingOf(topic)).isEqualTo(before);
        }
        admin().deleteTopics(List.of(topic)).all().get();
    }

    private void whatIsAdoptedIsMarkedAndItsFirstRecordThatIsNoProbeEndsTheSending() throws Exception {
        String topic = "own-adopted";
        CLUSTER.get().createTopic(topic, 3, 3, Map.of());
        try (RunningCanary canary = started(topic, ", adopt: true")) {
            canary.awaitReady();
            awaitThat(
                    "it is marked and configured, and every broker knows",
                    () -> assertThat(config(topic).orElseThrow())
                            .containsEntry(MARK, OwnershipMark.value(clusterId(), topic, Origin.ADOPTED))
                            .containsEntry("retention.ms", "600000"));
            assertThat(canary.scrape().sum(OWNERSHIP, "ownership=adopted")).isEqualTo(1);

            write(topic, 1, "order");

            awaitThat(
                    "told",
                    () -> assertThat(canary.problems("it"))
                            .contains("it is adopted, but holds a record that is no probe"));
            String then = everythingOf(topic);
            holdsFor(A_LOOK, canary, () -> assertThat(everythingOf(topic)).isEqualTo(then));
            assertThat(everythingOf(topic)).isEqualTo(then);
        }
    }

    private void inATopicThatACanaryCreatedARecordThatIsNoProbeIsCountedAndTheMonitorGoesOn() throws Exception {
        try (RunningCanary canary = started("own-visited", "")) {
            canary.awaitReady();
            write("own-visited", 1, "order");
            Scrape seen = canary.await(
                    "counted", now -> now.sum("kafka_canary_ignored_records_total", "reason=foreign") == 1);
            canary.await("goes on", now -> now.since(seen).probes("delivered") > 60);
            assertThat(canary.scrape().sum(OWNERSHIP, "ownership=created")).isEqualTo(1);
        }
    }

    private void twoCanariesThatStartOnOneTopicBothMeasure() throws Exception {
        try (RunningCanary one = started("own-shared", "");
                RunningCanary two = started("own-shared", "")) {
            one.awaitReady();
            two.awaitReady();
            for (RunningCanary each : List.of(one, two)) {
                each.awaitNoProblems("it");
                assertThat(each.scrape().sum(OWNERSHIP, "ownership=created")).isEqualTo(1);
            }
        }
    }

    private void settingsThatWereCopiedFromTheCanarysTopicMakeNoTopicTheCanarys() throws Exception {
        CLUSTER.get().createTopic("own-copied", 3, 3, Map.of(MARK, mark("own-original"), "retention.ms", "600000"));
        String before = everythingOf("own-copied");
        try (RunningCanary canary = started("own-copied", "")) {
            canary.await("seen", now -> now.sum(OWNERSHIP, "ownership=foreign") == 1);
            assertThat(everythingOf("own-copied")).isEqualTo(before);
        }
    }

    private void whoOnlyReadsAndWritesSendsIntoWhatIsAdoptedAndChangesNothingNotEvenTheMark() throws Exception {
        CLUSTER.get().createTopic("own-read-only", 3, 2, Map.of("retention.ms", "700000"));
        awaitEveryBroker(() -> config("own-read-only").isPresent());
        Map<String, String> before = known(() -> config("own-read-only"));
        String config = "clusters: {it: {preset: read-only, bootstrap-servers: '%s', topic: {name: %s, adopt: true}}}"
                .formatted(CLUSTER.get().bootstrap(), "own-read-only");
        try (RunningCanary canary = RunningCanary.embedded(config)) {
            canary.await("measured", now -> now.probes("delivered") > 50);
            holdsFor(A_LOOK, canary, () -> {});
            assertThat(config("own-read-only").orElseThrow()).isEqualTo(before);
        }
    }

    /** Any broker may answer, and some lag behind. */
    private static void awaitEveryBroker(Callable<Boolean> holds) {
        RunningCanary.patiently("known to every broker")
                .pollInterval(Duration.ofMillis(100))
                .during(Duration.ofSeconds(2))
                .until(holds);
    }

    private static Scrape holdsFor(Duration duration, RunningCanary canary, ThrowingRunnable holds) {
        RunningCanary.patiently("stays so").during(duration).untilAsserted(holds);
        return canary.scrape();
    }

    private static String clusterId() throws Exception {
        return admin().describeCluster().clusterId().get();
    }

    private static String mark(String topic) throws Exception {
        return OwnershipMark.value(clusterId(), topic, Origin.CREATED);
    }

    private static void alter(String topic, AlterConfigOp change) throws Exception {
        admin().incrementalAlterConfigs(Map.of(new ConfigResource(ConfigResource.Type.TOPIC, topic), List.of(change)))
                .all()
                .get();
    }

    private static Optional<TopicDescription> description(String topic) throws Exception {
        try {
            return Optional.of(
                    admin().describeTopics(List.of(topic)).allTopicNames().get().get(topic));
        } catch (ExecutionException e) {
            assertThat(e).hasCauseInstanceOf(UnknownTopicOrPartitionException.class);
            return Optional.empty();
        }
    }

    private static Optional<Map<String, String>> config(String topic) throws Exception {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
        try {
            Map<String, String> config = new TreeMap<>();
            admin().describeConfigs(List.of(resource))
                    .all()
                    .get()
                    .get(resource)
                    .entries()
                    .forEach(each -> config.put(each.name(), each.value()));
            return Optional.of(config);
        } catch (ExecutionException e) {
            assertThat(e).hasCauseInstanceOf(UnknownTopicOrPartitionException.class);
            return Optional.empty();
        }
    }

    /** Id, partitions, replicas, settings, and where each log begins and ends. */
    private static String everythingOf(String topic) {
        try {
            TopicDescription description = known(() -> description(topic));
            List<String> partitions = new ArrayList<>();
            Map<TopicPartition, OffsetSpec> first = new HashMap<>();
            Map<TopicPartition, OffsetSpec> last = new HashMap<>();
            description.partitions().forEach(each -> {
                partitions.add(each.partition() + " " + each.replicas());
                first.put(new TopicPartition(topic, each.partition()), OffsetSpec.earliest());
                last.put(new TopicPartition(topic, each.partition()), OffsetSpec.latest());
            });
            return String.join(
                    "\n",
                    description.topicId().toString(),
                    partitions.toString(),
                    known(() -> config(topic)).toString(),
                    offsets(first),
                    offsets(last));
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** What some broker says of a topic that was just created: the one that is asked may not know it yet. */
    private static <T> T known(Callable<Optional<T>> asked) {
        return Awaitility.await("the topic is known")
                .until(asked, Optional::isPresent)
                .orElseThrow();
    }

    private static String offsets(Map<TopicPartition, OffsetSpec> of) throws Exception {
        Map<Integer, Long> offsets = new TreeMap<>();
        admin().listOffsets(of).all().get().forEach((partition, at) -> offsets.put(partition.partition(), at.offset()));
        return offsets.toString();
    }

    private static void write(String topic, int partitions, String value) throws Exception {
        try (KafkaProducer<byte[], byte[]> producer = producer()) {
            for (int partition = 0; partition < partitions; partition++) {
                producer.send(new ProducerRecord<>(topic, partition, "key".getBytes(), value.getBytes()))
                        .get();
            }
        }
    }

    private static void writeProbes(String topic) throws Exception {
        ProbeCodec codec = new ProbeCodec(1, ProbeContent.plain(1024));
        try (KafkaProducer<byte[], byte[]> producer = producer()) {
            for (int i = 0; i < 30; i++) {
                int partition = i % 3;
                producer.send(new ProducerRecord<>(
                                topic,
                                partition,
                                null,
                                codec.encode(partition, i, i).clone()))
                        .get();
            }
        }
    }

    private static KafkaProducer<byte[], byte[]> producer() {
        return new KafkaProducer<>(
                CLUSTER.get().clientProperties(), new ByteArraySerializer(), new ByteArraySerializer());
    }
}
