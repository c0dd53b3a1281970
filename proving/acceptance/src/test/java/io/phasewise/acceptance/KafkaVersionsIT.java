/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.acceptance;

import static io.phasewise.lab.measure.Scrape.label;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.phasewise.lab.junit.BrokerLogs;
import io.phasewise.lab.junit.Jdks;
import io.phasewise.lab.junit.ScrapedPage;
import io.phasewise.lab.kafka.KafkaCluster;
import io.phasewise.lab.kafka.KafkaVersion;
import io.phasewise.lab.stack.CanaryJvm;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The product as a whole, on every line of Kafka that users run and on the JVMs that they run it and
 * the canary on: three brokers with the agent, one canary that asks the agents, a topic of an
 * application that is left as it is, and the command that moves leadership. How exactly requests and
 * records are timed: RequestTimingMatrixIT and MarksIT of the exporter.
 */
@Tag("long")
class KafkaVersionsIT {

    private static final String APPLICATIONS = "orders";

    @ParameterizedTest(name = "Kafka {0} on Java {1}, canary on Java {2}")
    @CsvSource({
        "V3_7, 11, 17",
        "V3_7, 17, 17",
        "V3_9, 11, 17",
        "V3_9, 17, 17",
        "V4_0, 17, 17",
        "V4_1, 17, 17",
        "V4_2, 17, 17",
        "V4_2, 21, 21",
        "V4_3, 17, 17",
        "V4_3, 25, 25",
        "V4_4, 17, 25",
        "V4_4, 21, 21",
        "V4_4, 25, 17"
    })
    void theWholeProductWorks(KafkaVersion version, int brokersJava, int canarysJava, @TempDir Path directory)
            throws Exception {
        Path brokersHome = home(brokersJava);
        Path canarysHome = home(canarysJava);
        try (BrokersAndCanary all = new BrokersAndCanary(directory, 3)) {
            KafkaCluster kafka =
                    all.start(description -> description.version(version).javaHome(brokersHome));
            BrokerLogs.withFailure(kafka, () -> {
                kafka.createTopic(APPLICATIONS, 2, 3, Map.of("cleanup.policy", "compact"));
                Map<String, String> settings = settingsOfANewTopic(kafka);
                all.startCanary(
                        canarysHome.resolve("bin/java").toString(), CanaryJvm.options(canarysJava), """
                            local: {bootstrap-servers: "%1$s", exporters: %2$s}
                            theirs: {bootstrap-servers: "%1$s", topic: {name: orders}}
                            """.formatted(
                                        kafka.bootstrap(), all.exporters()));

                all.phasesAreThoseOfTheBrokers();
                all.theTopicIsTheCanarys();
                all.agentsAreAtWork(version.toString());
                anApplicationsTopicIsLeftAlone(all, settings);
                leadershipCanBeMoved(kafka);
            });
        }
    }

    private static Path home(int java) {
        Optional<Path> home = Jdks.find(java);
        assumeTrue(home.isPresent(), () -> "no JDK " + java + " in JAVA_HOME_" + java + " or /usr/lib/jvm");
        return home.orElseThrow();
    }

    private static void anApplicationsTopicIsLeftAlone(BrokersAndCanary all, Map<String, String> settings)
            throws Exception {
        ScrapedPage now = all.canary();
        assertThat(now.value("kafka_canary_topic_ownership", label("cluster", "theirs"), label("ownership", "foreign")))
                .isEqualTo(1);
        assertThat(all.status("theirs").get("problems").toString()).contains("topic orders is not the canary's");
        assertThat(settings(all.kafka())).isEqualTo(settings);
        List<TopicPartition> partitions =
                List.of(new TopicPartition(APPLICATIONS, 0), new TopicPartition(APPLICATIONS, 1));
        Map<TopicPartition, OffsetSpec> ends =
                partitions.stream().collect(Collectors.toMap(each -> each, each -> OffsetSpec.latest()));
        assertThat(all.kafka().admin().listOffsets(ends).all().get(30, TimeUnit.SECONDS))
                .hasSize(2)
                .allSatisfy((partition, end) -> assertThat(end.offset()).isZero());
    }

    /** Not every broker knows it at once. */
    private static Map<String, String> settingsOfANewTopic(KafkaCluster kafka) throws Exception {
        AtomicReference<Map<String, String>> found = new AtomicReference<>();
        BrokersAndCanary.await("the topic is known", () -> {
            found.set(settings(kafka)); // what it throws is taken as "not yet"
            return true;
        });
        return found.get();
    }

    private static Map<String, String> settings(KafkaCluster kafka) throws Exception {
        ConfigResource topic = new ConfigResource(ConfigResource.Type.TOPIC, APPLICATIONS);
        return kafka
                .admin()
                .describeConfigs(List.of(topic))
                .all()
                .get(30, TimeUnit.SECONDS)
                .get(topic)
                .entries()
                .stream()
                .collect(Collectors.toMap(
                        ConfigEntry::name, each -> each.value() + each.source(), (a, b) -> a, TreeMap::new));
    }

    /** Moved off a broker, and given back. */
    private static void leadershipCanBeMoved(KafkaCluster kafka) throws Exception {
        int leader = leader(kafka);
        Command demote = Command.phasewise("demote", leader, "--bootstrap-server", kafka.bootstrap())
                .in(kafka.broker(1).log().getParent());
        assertThat(demote.output(Duration.ofMinutes(1))).contains("--execute");
        assertThat(leader(kafka)).as("without --execute").isEqualTo(leader);
        demote.and("--execute").output(Duration.ofMinutes(1));
        BrokersAndCanary.await("another leads", () -> leader(kafka) != leader);
        demote.and("--revert").output(Duration.ofMinutes(1));
        BrokersAndCanary.await("it leads again", () -> leader(kafka) == leader);
    }

    private static int leader(KafkaCluster kafka) throws Exception {
        return kafka.admin()
                .describeTopics(List.of(APPLICATIONS))
                .allTopicNames()
                .get(30, TimeUnit.SECONDS)
                .get(APPLICATIONS)
                .partitions()
                .get(0)
                .leader()
                .id();
    }
}
