/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter;

import io.phasewise.common.marks.MarkPage;
import io.phasewise.lab.junit.BrokerLogs;
import io.phasewise.lab.junit.ScrapedPage;
import io.phasewise.lab.junit.ScrapedPage.Sample;
import io.phasewise.lab.junit.SharedCluster;
import io.phasewise.lab.kafka.ClusterBuilder;
import io.phasewise.lab.kafka.KafkaCluster;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;

/**
 * Real brokers that carry {@link BrokerAgents}, and their scrapes. When a test fails, their logs
 * come with the failure.
 */
public final class ExportingCluster implements BeforeAllCallback, TestExecutionExceptionHandler {

    private final BrokerAgents agents;
    private final BeforeAllCallback start;
    private final Supplier<KafkaCluster> cluster;
    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();

    /**
     * Brokers that run from the first class that registers this to the end of all tests.
     *
     * @param settings of the cluster, all but the agents and what follows from them
     */
    public ExportingCluster(BrokerAgents agents, UnaryOperator<ClusterBuilder> settings) {
        SharedCluster brokers = new SharedCluster(description -> agents.on(settings.apply(description)));
        this.agents = agents;
        this.start = brokers;
        this.cluster = brokers::get;
    }

    private ExportingCluster(BrokerAgents agents, KafkaCluster started) {
        this.agents = agents;
        this.start = context -> {};
        this.cluster = () -> started;
    }

    /** What a test does with brokers of its own. */
    interface Use {
        void of(ExportingCluster cluster) throws Exception;
    }

    /**
     * Starts brokers for one test, which may break them, and stops them after it.
     *
     * @param settings of the cluster, all but the agents and what follows from them
     */
    static void alone(Path directory, BrokerAgents agents, UnaryOperator<ClusterBuilder> settings, Use use)
            throws Exception {
        Path root = Path.of(System.getProperty("phasewise.root"));
        ClusterBuilder description = KafkaCluster.builder(root, directory).shortLived();
        try (agents;
                KafkaCluster brokers = agents.on(settings.apply(description)).build()) {
            brokers.start();
            BrokerLogs.withFailure(brokers, () -> use.of(new ExportingCluster(agents, brokers)));
        }
    }

    @Override
    public void beforeAll(ExtensionContext context) throws Exception {
        start.beforeAll(context);
    }

    @Override
    public void handleTestExecutionException(ExtensionContext context, Throwable failure) throws Throwable {
        failure.addSuppressed(new IllegalStateException("broker logs at that time:\n" + BrokerLogs.tails(kafka(), 50)));
        throw failure;
    }

    /** Ids of the brokers. */
    List<Integer> brokers() {
        return IntStream.rangeClosed(1, agents.brokers()).boxed().toList();
    }

    /** The brokers themselves. */
    public KafkaCluster kafka() {
        return cluster.get();
    }

    /** A topic, as a broker describes it now. A broker that has not heard of it yet is asked again. */
    TopicDescription topic(String name) {
        return Patience.await(name + " is known to the broker that is asked")
                .ignoreExceptionsMatching(thrown -> thrown.getCause() instanceof UnknownTopicOrPartitionException)
                .until(() -> describe(name), Objects::nonNull);
    }

    /**
     * A topic, as one broker describes it.
     *
     * @throws java.util.concurrent.ExecutionException when that broker does not know it
     */
    TopicDescription describe(String name) throws Exception {
        return kafka().admin()
                .describeTopics(List.of(name))
                .allTopicNames()
                .get(30, TimeUnit.SECONDS)
                .get(name);
    }

    /** Clients of the brokers. */
    public Traffic traffic() {
        return new Traffic(kafka().clientProperties());
    }

    /**
     * Scrapes the stock agent of one broker.
     *
     * @throws IOException when the agent does not answer with 200
     */
    ScrapedPage scrapeStock(int broker) throws IOException, InterruptedException {
        return ScrapedPage.of(get(agents.stockPort(broker), "/metrics"));
    }

    /**
     * Scrapes this project's agent of one broker.
     *
     * @throws IOException when the agent does not answer with 200
     */
    ScrapedPage scrapeOwn(int broker) throws IOException, InterruptedException {
        return ScrapedPage.of(get(agents.ownPort(broker), "/metrics"));
    }

    /**
     * Asks this project's agent of one broker for marks.
     *
     * @param after sequence of the page before, or 0
     * @throws IOException when the agent does not answer with 200
     */
    MarkPage marks(int broker, long after) throws IOException, InterruptedException {
        return MarkPage.parse(get(agents.ownPort(broker), "/marks?after=" + after));
    }

    /**
     * The same in the second form, which is made once a second.
     *
     * @throws IOException when the agent does not answer with 200
     */
    MarkPage marksOfSecondForm(int broker, long after) throws IOException, InterruptedException {
        return MarkPage.parse(get(agents.ownPort(broker), "/marks?after=" + after + "&form=2"));
    }

    /** Of this project's agents: all series that have the name and, among others, these labels. */
    public List<Sample> series(String name, Map<String, String> labels) throws IOException, InterruptedException {
        List<Sample> all = new ArrayList<>();
        for (int broker : brokers()) {
            all.addAll(scrapeOwn(broker).named(name));
        }
        all.removeIf(sample -> !sample.labels().entrySet().containsAll(labels.entrySet()));
        return all;
    }

    /** Their sum; 0 where there is none. */
    public double sum(String name, Map<String, String> labels) throws IOException, InterruptedException {
        return series(name, labels).stream().mapToDouble(Sample::value).sum();
    }

    private String get(int port, String path) throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + port + path);
        HttpResponse<String> response = http.send(
                HttpRequest.newBuilder(uri).timeout(Patience.BOUND).build(), HttpResponse.BodyHandlers.ofString());
        if (response.statusCode() != 200) {
            throw new IOException(uri + " answers " + response.statusCode());
        }
        return response.body();
    }
}
