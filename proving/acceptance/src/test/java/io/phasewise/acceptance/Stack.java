/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.acceptance;

import static io.phasewise.acceptance.Http.patiently;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.phasewise.common.prometheus.PrometheusClient;
import io.phasewise.common.prometheus.Sample;
import io.phasewise.lab.junit.CommandLines;
import io.phasewise.lab.junit.TestServers;
import io.phasewise.lab.net.PortLease;
import io.phasewise.lab.net.Ports;
import io.phasewise.lab.server.ServerKind;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;

/**
 * A stack that {@code ./phasewise} runs, driven and asked from outside, as a user does, on ports
 * and in a directory of its own; what is done to it is the tests'. The ports stay its own until it
 * is closed.
 *
 * @param directory where it keeps its state
 * @param ports of the contract, all moved by the same offset
 * @param environment variables that differ from this process's own, of every command
 * @param environmentOfUp further ones, of {@code up} alone
 */
record Stack(Path directory, PortLease ports, Map<String, String> environment, Map<String, String> environmentOfUp)
        implements AutoCloseable {

    /** What {@code up} listens on at offset 0; the contract. */
    private static final int[] PORTS = {
        19092, 19093, 19094, 19095, 19096, 19097, 7071, 7072, 7073, 9470, 9090, 9093, 3000, 9095, 9100
    };

    private static final Duration FIRST_START = Duration.ofMinutes(15);
    private static final Duration BOUND = Duration.ofMinutes(3);
    private static final ObjectMapper JSON = new ObjectMapper();

    private static final Http HTTP = new Http();

    /** One that nothing is running of yet, as users have it. */
    static Stack asUsersRunIt(Path directory) {
        return new Stack(directory, freePorts(), Map.of(), Map.of());
    }

    /**
     * One for a few minutes: the JVMs that {@code up} starts compile quickly, not well, as the
     * other tests' brokers do. Java says on standard error that it was told so, which is why no
     * other command is.
     *
     * @param environment variables that differ from this process's own
     */
    static Stack shortLived(Path directory, Map<String, String> environment) {
        Map<String, String> quick = Map.of("JDK_JAVA_OPTIONS", "-XX:TieredStopAtLevel=1");
        return new Stack(directory, freePorts(), environment, quick);
    }

    /**
     * For tests that ask Prometheus and Alertmanager, without which {@code up} starts a smaller stack.
     *
     * @throws io.phasewise.common.cli.MissingException when one is neither there nor can be built
     */
    static void requireMonitoring() throws InterruptedException {
        TestServers.get(ServerKind.PROMETHEUS);
        TestServers.get(ServerKind.ALERTMANAGER);
    }

    /**
     * The ports of the contract moved by a multiple of ten, at which all are free. The search
     * starts at a random place and stays below 900: above that lie the ports that other tests lease
     * and those that the system gives to clients.
     */
    private static PortLease freePorts() {
        List<Integer> offsets =
                new ArrayList<>(IntStream.range(10, 90).map(n -> n * 10).boxed().toList());
        Collections.shuffle(offsets);
        return offsets.stream()
                .map(by -> PortLease.of(
                        IntStream.of(PORTS).map(p -> p + by).boxed().toList()))
                .flatMap(Optional::stream)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no port offset is free"));
    }

    int port(int defaultPort) {
        return defaultPort + offset();
    }

    private int offset() {
        return ports.port(0) - PORTS[0];
    }

    /**
     * Where a component serves, without a path.
     *
     * @param defaultPort as the contract has it
     */
    String url(int defaultPort) {
        return "http://127.0.0.1:" + port(defaultPort);
    }

    /** A command of the launcher for this stack. */
    Command command(String... arguments) {
        // A test run in the background of a script ignores SIGINT, and so would its children.
        return Command.of("env", "--default-signal=INT", Repository.path("phasewise"))
                .and((Object[]) arguments)
                .with(environment)
                .with("PHASEWISE_STATE_DIR", directory.toString())
                // Maven has just built everything; a second build would race with it.
                .with("PHASEWISE_NO_BUILD", "1");
    }

    /** {@code up} on its ports. */
    Command up(String... options) {
        return command("up", "--port-offset", "" + offset())
                .and((Object[]) options)
                .with(environmentOfUp);
    }

    /** Starts what does not run, and leaves all running; what {@code up} said. */
    String start() {
        return up("--detach").output(FIRST_START);
    }

    /** Starts again what an earlier test ended, and waits until all of it is ready. */
    void restore() {
        if (!isReady()) {
            start();
            patiently().until(this::isReady);
        }
    }

    /** The canary is ready when it measures every broker. */
    private boolean isReady() {
        return IntStream.of(9470, 9090, 9093).allMatch(port -> HTTP.statusCode(url(port) + "/-/ready") == 200);
    }

    /** The parsed answer of {@code status --json}. */
    JsonNode components() {
        String output = command("status", "--json").run(BOUND).output();
        try {
            return JSON.readTree(output).path("components");
        } catch (IOException e) {
            throw new AssertionError("status --json printed: " + output, e);
        }
    }

    /** One entry of {@code status --json}. */
    JsonNode component(String name) {
        return StreamSupport.stream(components().spliterator(), false)
                .filter(component -> component.path("name").asText().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + name));
    }

    ProcessHandle process(String component) {
        return ProcessHandle.of(component(component).path("pid").asLong()).orElseThrow();
    }

    PrometheusClient prometheus() {
        return PrometheusClient.open(URI.create(url(9090)));
    }

    /** An instant query's values by the value of one label. */
    Map<String, Double> query(String expression, String label) throws IOException, InterruptedException {
        Map<String, Double> values = new TreeMap<>();
        for (Sample sample : prometheus().query(expression)) {
            values.put(sample.labels().getOrDefault(label, ""), sample.value());
        }
        return values;
    }

    /** All alerts that the receiver was notified of, one notification after the other. */
    List<JsonNode> notifiedAlerts() throws IOException {
        List<JsonNode> all = new ArrayList<>();
        for (JsonNode each : HTTP.json(url(9095) + "/notifications").path("notifications")) {
            each.path("alerts").forEach(all::add);
        }
        return all;
    }

    /** No process names its directory, and nothing listens on its ports. */
    void assertNothingRuns() {
        assertThat(CommandLines.naming(directory.toString())).isEmpty();
        assertThat(ports.ports()).allMatch(Ports::isFree);
    }

    /** Ends all of it by {@code down}, which leaves nothing running. */
    @Override
    public void close() {
        try {
            command("down").output(BOUND);
            assertNothingRuns();
        } finally {
            ports.close();
        }
    }
}
