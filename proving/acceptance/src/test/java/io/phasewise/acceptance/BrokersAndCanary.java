/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.acceptance;

import static io.phasewise.lab.measure.Scrape.label;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.phasewise.lab.junit.BrokerLogs;
import io.phasewise.lab.junit.ScrapedPage;
import io.phasewise.lab.kafka.ClusterBuilder;
import io.phasewise.lab.kafka.KafkaBroker;
import io.phasewise.lab.kafka.KafkaCluster;
import io.phasewise.lab.measure.StandaloneCanary;
import io.phasewise.lab.net.PortLease;
import io.phasewise.lab.process.Await;
import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * Brokers that carry the agent, and a canary that asks the agents: what users run, and what must
 * hold of it whatever Kafka, Java and security they have. Which ones, the test says.
 */
final class BrokersAndCanary implements AutoCloseable {

    static final String CLUSTER = "local";
    static final Path CANARY = Repository.path("canary/target/phasewise-canary.jar");

    /** Probes to each leader over which is counted. */
    private static final int PROBES = 60;

    private static final Duration BOUND = Duration.ofMinutes(3);
    private static final String PHASES = "kafka_canary_phase_latency_seconds";
    private static final String END_TO_END = "kafka_canary_end_to_end_latency_seconds";
    private static final String ERRORS = "kafka_canary_phase_estimate_error_seconds_count";
    private static final String REQUESTS = "kafka_canary_request_phase_seconds";
    private static final String[] PRODUCE = {label("request", "Produce"), label("phase", "total")};
    private static final TypeReference<Map<String, Object>> MAP = new TypeReference<>() {};

    /** Without push_limit, which begins with the first client that pushes, and without the hook of followers. */
    private static final int HOOKS = 11;

    /** Put in when a broker begins to follow another one: not where there is one broker. */
    private static final String OF_FOLLOWERS = "replica_fetches";

    private final Http http = new Http();
    private final OpenResources parts = new OpenResources();
    private final Path directory;
    private final int brokers;
    private final PortLease ports;
    private KafkaCluster kafka;
    private StandaloneCanary canary;

    /** What canary and agents said while no probe was under way. */
    private record Look(ScrapedPage canary, List<ScrapedPage> agents) {}

    BrokersAndCanary(Path directory, int brokers) {
        this.directory = directory;
        this.brokers = brokers;
        this.ports = parts.keep(PortLease.take(brokers));
    }

    /** Starts the brokers. */
    KafkaCluster start(UnaryOperator<ClusterBuilder> settings) throws Exception {
        return start(settings, (broker, properties) -> {});
    }

    /**
     * The same with a change to the configuration of each broker that its description has no word
     * for.
     */
    KafkaCluster start(UnaryOperator<ClusterBuilder> settings, BiConsumer<KafkaBroker, Properties> change)
            throws Exception {
        String agent = "-javaagent:" + Repository.path("exporter/target/phasewise-exporter.jar") + "=127.0.0.1:";
        ClusterBuilder builder = KafkaCluster.builder(Repository.ROOT, home())
                .brokers(brokers)
                .shortLived()
                .stopGrace(Duration.ZERO)
                .jvmOption(id -> agent + ports.port(id - 1));
        kafka = parts.keep(settings.apply(builder).build());
        kafka.prepare();
        for (KafkaBroker broker : kafka.brokers()) {
            Path file = broker.dataDirectory().resolveSibling("server.properties");
            Properties properties = new Properties();
            try (Reader in = Files.newBufferedReader(file)) {
                properties.load(in);
            }
            change.accept(broker, properties);
            try (Writer out = Files.newBufferedWriter(file)) {
                properties.store(out, null);
            }
        }
        kafka.launch();
        BrokerLogs.withFailure(kafka, kafka::awaitReady);
        return kafka;
    }

    /** Directory of the files of the brokers. */
    Path home() {
        return directory.resolve("cluster");
    }

    KafkaCluster kafka() {
        return kafka;
    }

    /** What the canary has to know of the agents. */
    String exporters() {
        List<String> addresses = ids().mapToObj(id -> "%d: '127.0.0.1:%d'".formatted(id, ports.port(id - 1)))
                .toList();
        return "{addresses: {" + String.join(", ", addresses) + "}}";
    }

    /**
     * Starts the canary, and waits for nothing.
     *
     * @param clusters what is below {@code clusters}
     */
    void startCanary(String java, List<String> options, String clusters) throws Exception {
        JsonNode configuration = Repository.documents("canary:\n  http: {port: 0}\n  pause-file: %s\n  clusters:\n%s"
                        .formatted(pause(), clusters.indent(4)))
                .get(0);
        canary = parts.keep(StandaloneCanary.launch(
                java,
                CANARY,
                directory.resolve("canary"),
                new ObjectMapper().convertValue(configuration, MAP),
                options));
    }

    ScrapedPage canary() {
        return page(canary.url() + "/metrics");
    }

    ScrapedPage agent(int broker) {
        return page(agentsUrl(broker));
    }

    /**
     * The same of a broker that may be down.
     *
     * @throws IOException when it does not answer at once
     */
    ScrapedPage agentIfUp(int broker) throws IOException {
        return ScrapedPage.of(http.text(agentsUrl(broker)));
    }

    private String agentsUrl(int broker) {
        return "http://127.0.0.1:" + ports.port(broker - 1) + "/metrics";
    }

    /** On a busy machine an answer may take longer than once is waited for it. */
    private ScrapedPage page(String url) {
        return ScrapedPage.of(Http.patiently().until(() -> http.text(url), text -> !text.isEmpty()));
    }

    /** What {@code /status} says of a cluster of the configuration. */
    JsonNode status(String cluster) throws IOException {
        for (JsonNode each : http.json(canary.url() + "/status").get("clusters")) {
            if (each.get("name").asText().equals(cluster)) {
                return each;
            }
        }
        throw new AssertionError("no cluster " + cluster);
    }

    /** All that the canary has written, and that it and the agents show: no secret may be in it. */
    String saidAndShown() throws IOException {
        StringBuilder all = new StringBuilder(Files.readString(canary.process().log()));
        for (String page : List.of("/metrics", "/status", "/-/ready", "/")) {
            all.append(http.text(canary.url() + page));
        }
        for (int id : ids().toArray()) {
            all.append(agent(id).text());
        }
        return all.toString();
    }

    /** All that brokers and their agents have written. */
    String brokerLogs() throws IOException {
        StringBuilder all = new StringBuilder();
        for (KafkaBroker broker : kafka.brokers()) {
            all.append(Files.readString(broker.log()));
        }
        return all.toString();
    }

    /** Every hook is called, every mark is kept, and nothing has failed. */
    void agentsAreAtWork(String version) throws IOException {
        boolean follow = kafka.brokers().size() > 1;
        for (int id : ids().toArray()) {
            ScrapedPage agent = agent(id);
            assertThat(agent.named("kafka_exporter_hook_active"))
                    .as("hooks of broker %d that need no client that pushes", id)
                    .filteredOn(hook -> !hook.labels().get("hook").equals("push_limit"))
                    .filteredOn(hook -> follow || !hook.labels().get("hook").equals(OF_FOLLOWERS))
                    .hasSize(follow ? HOOKS + 1 : HOOKS)
                    .allSatisfy(hook ->
                            assertThat(hook.labels().get("kafka_version")).startsWith(version + "."))
                    .allMatch(hook -> hook.value() == 1);
            assertThat(agent.sum("kafka_exporter_hook_failures_total")).isZero();
            assertThat(agent.sum("kafka_exporter_marks_dropped_total")).isZero();
            assertThat(agent.value("kafka_exporter_request_timing_active")).isEqualTo(1);
            assertThat(agent.value("kafka_exporter_scrape_errors_total")).isZero();
            assertThat(agent.value("jmx_scrape_error")).isZero();
        }
        assertThat(brokerLogs()).doesNotContain("ERROR phasewise-exporter");
    }

    /**
     * Waits until every leader's probes are split by what its agent reports, then holds some seconds
     * of them: phases add up to the whole, no probe is lost, and canary and agents count the same.
     */
    void phasesAreThoseOfTheBrokers() throws Exception {
        phasesAreThoseOfTheBrokers(1);
    }

    /**
     * The same of a canary that measures the brokers as several clusters of its configuration.
     *
     * @param clusters how many
     */
    void phasesAreThoseOfTheBrokers(int clusters) throws Exception {
        await("every leader's agent reports its probes", () -> {
            ScrapedPage now = canary();
            return ids().allMatch(id -> source(now, id) == clusters);
        });
        Look before = look();
        await("probes come back", () -> {
            ScrapedPage now = canary();
            return ids().allMatch(id -> now.grown(before.canary, END_TO_END + "_count", led(id)) >= PROBES * clusters);
        });
        Look after = look();
        for (int id : ids().toArray()) {
            phasesAddUp(id, before.canary, after.canary);
            agentCountsTheSame(id, before, after);
        }
        assertThat(after.canary.grown(before.canary, "kafka_canary_probes_total", label("outcome", "send_failed")))
                .isZero();
        assertThat(after.canary.grown(before.canary, "kafka_canary_probes_total", label("outcome", "lost")))
                .isZero();
    }

    private static double source(ScrapedPage now, int id) {
        return now.sum("kafka_canary_phase_source", led(id), label("source", "broker"));
    }

    private static void phasesAddUp(int id, ScrapedPage before, ScrapedPage after) {
        double whole = after.grown(before, END_TO_END + "_sum", led(id));
        assertThat(after.grown(before, PHASES + "_sum", led(id)))
                .as("phases of leader %d", id)
                .isCloseTo(whole, within(1e-6 * whole));
        double probes = after.grown(before, END_TO_END + "_count", led(id));
        for (String phase : List.of("produce", "publish", "commit", "catch_up", "fetch")) {
            assertThat(after.grown(before, PHASES + "_count", led(id), label("phase", phase)))
                    .as(phase)
                    .isEqualTo(probes);
        }
        // An estimate has an error where the agent has reported the probe as well.
        assertThat(after.grown(before, ERRORS, led(id), label("phase", "publish")))
                .as("of %.0f probes through leader %d those that its agent reported", probes, id)
                .isGreaterThanOrEqualTo(0.9 * probes)
                .isLessThanOrEqualTo(probes);
    }

    /** A probe is one produce request, timed and followed until it is committed. */
    private void agentCountsTheSame(int id, Look before, Look after) {
        double probes = after.canary.grown(before.canary, END_TO_END + "_count", led(id));
        ScrapedPage then = before.agents.get(id - 1);
        ScrapedPage now = after.agents.get(id - 1);
        double requests = now.grown(then, REQUESTS + "_count", PRODUCE);
        // Those under way at one look and not at the other.
        assertThat(requests).as("requests to broker %d", id).isCloseTo(probes, within(5 + 0.1 * probes));
        double mean = now.grown(then, REQUESTS + "_sum", PRODUCE) / requests;
        double acknowledged = after.canary.grown(before.canary, "kafka_canary_producer_latency_seconds_sum", led(id))
                / after.canary.grown(before.canary, "kafka_canary_producer_latency_seconds_count", led(id));
        assertThat(mean)
                .as("mean seconds in broker %d, of %.6f until the acknowledgement", id, acknowledged)
                .isPositive()
                .isLessThanOrEqualTo(1.1 * acknowledged);
        String[] canarys = {label("records", "canary")};
        assertThat(now.grown(then, "kafka_commit_seconds_count", canarys))
                .as("commits of broker %d", id)
                .isCloseTo(probes, within(5 + 0.1 * probes));
        assertThat(now.sum("kafka_commit_gated_seconds_total", canarys))
                .as("waits for followers of broker %d", id)
                .isCloseTo(now.sum("kafka_commit_seconds_sum", canarys), within(1e-6));
        // Not since the start: a follower that was down for a while has fewer.
        assertThat(now.grown(then, "kafka_replica_ack_seconds_count", canarys))
                .as("acknowledgements of followers of broker %d", id)
                .isCloseTo((brokers - 1) * now.grown(then, "kafka_commit_seconds_count", canarys), within(5.0));
    }

    /** A topic that the canary made is its own, and what is in it is all there is to measure. */
    void theTopicIsTheCanarys() throws Exception {
        ScrapedPage now = canary();
        assertThat(now.value("kafka_canary_topic_ownership", label("cluster", CLUSTER), label("ownership", "created")))
                .isEqualTo(1);
        await(
                "nothing is amiss with " + CLUSTER,
                () -> status(CLUSTER).get("problems").isEmpty());
    }

    /**
     * Pauses the canary until every probe is back and split: its phases are recorded later than its
     * latency, as agents report it later.
     */
    private Look look() throws Exception {
        Files.createFile(pause());
        try {
            await("every probe is back and split", () -> {
                ScrapedPage now = canary();
                return now.named("kafka_canary_paused").stream().allMatch(each -> each.value() == 1)
                        && now.sum("kafka_canary_probes_in_flight") == 0
                        && ids().allMatch(id -> now.sum(PHASES + "_count", led(id), label("phase", "fetch"))
                                == now.sum(END_TO_END + "_count", led(id)));
            });
            List<ScrapedPage> agents = new ArrayList<>();
            for (int id : ids().toArray()) {
                agents.add(agent(id));
            }
            return new Look(canary(), agents);
        } finally {
            Files.delete(pause());
        }
    }

    private Path pause() {
        return directory.resolve("pause");
    }

    private IntStream ids() {
        return IntStream.rangeClosed(1, brokers);
    }

    private static String led(int leader) {
        return label("leader", leader);
    }

    static void await(String what, Callable<Boolean> holds) throws InterruptedException {
        await(what, holds, () -> "not yet");
    }

    /**
     * Waits until something holds.
     *
     * @param otherwise why it does not, for the message
     */
    static void await(String what, Callable<Boolean> holds, Callable<String> otherwise) throws InterruptedException {
        Await.that(what, BOUND)
                .every(Duration.ofMillis(400))
                .until(() -> holds.call() ? Optional.empty() : Optional.of(otherwise.call()));
    }

    @Override
    public void close() throws Exception {
        parts.close();
    }
}
