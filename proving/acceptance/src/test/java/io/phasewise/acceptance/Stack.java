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
 * A stack that {@code ./phasewise} runs, used from outside, as a user does, on ports and in a
 * directory of its own. The ports stay reserved until it is closed.
 *
 * @param directory where it keeps its state
 * @param ports reserved for it: those of the contract plus an offset
 * @param environment variables added to this process's own, for every command
 * @param environmentOfUp further variables, only for {@code up}
 */
record Stack(Path directory, PortLease ports, Map<String, String> environment, Map<String, String> environmentOfUp)
        implements AutoCloseable {

    /** The ports of {@code up} at offset 0, by the contract. */
    private static final int[] PORTS = {
        19092, 19093, 19094, 19095, 19096, 19097, 7071, 7072, 7073, 9470, 9090, 9093, 3000, 9095, 9100
    };

    private static final Duration FIRST_START = Duration.ofMinutes(15);
    private static final Duration BOUND = Duration.ofMinutes(3);
    private static final ObjectMapper JSON = new ObjectMapper();

    private static final Http HTTP = new Http();

    /** A stack as users have it; nothing of it runs yet. */
    static Stack asUsersRunIt(Path directory) {
        return new Stack(directory, freePorts(), Map.of(), Map.of());
    }

    /**
     * A stack for a few minutes: the JVMs that {@code up} starts use only their quick compiler, as
     * brokers of other tests do. Java prints such an option to standard error, so no other command
     * gets it.
     *
     * @param environment variables added to this process's own
     */
    static Stack shortLived(Path directory, Map<String, String> environment) {
        Map<String, String> quick = Map.of("JDK_JAVA_OPTIONS", "-XX:TieredStopAtLevel=1");
        return new Stack(directory, freePorts(), environment, quick);
    }

    /**
     * Finds or builds Prometheus and Alertmanager, for tests that need them: without them {@code
     * up} starts a smaller stack.
     *
     * @throws io.phasewise.common.cli.MissingException when one can be neither found nor built
     */
    static void requireMonitoring() throws InterruptedException {
        TestServers.get(ServerKind.PROMETHEUS);
        TestServers.get(ServerKind.ALERTMANAGER);
    }

    /**
     * Reserves the ports of the contract plus a multiple of ten with which all are free. The search
     * starts at a random place and stays below 900: higher ports are those that other tests reserve
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
     * The address of a component, without a path.
     *
     * @param defaultPort its port by the contract
     */
    String url(int defaultPort) {
        return "http://127.0.0.1:" + port(defaultPort);
    }

    /** Runs a command of the launcher for this stack. */
    Command command(String... arguments) {
        // A test run in the background of a script ignores SIGINT, and its children inherit that.
        return Command.of("env", "--default-signal=INT", Repository.path("phasewise"))
                .and((Object[]) arguments)
                .with(environment)
                .with("PHASEWISE_STATE_DIR", directory.toString())
                // Maven has just built everything; a second build would race with it.
                .with("PHASEWISE_NO_BUILD", "1");
    }

    /** The command {@code up} on its ports. */
    Command up(String... options) {
        return command("up", "--port-offset", "" + offset())
                .and((Object[]) options)
                .with(environmentOfUp);
    }

    /** Starts what does not run, and leaves the stack running; returns the output of {@code up}. */
    String start() {
        return up("--detach").output(FIRST_START);
    }

    /** Starts again what an earlier test ended, and waits until all components are ready. */
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

    /** All alerts that the receiver was notified of, in the order of notifications. */
    List<JsonNode> notifiedAlerts() throws IOException {
        List<JsonNode> all = new ArrayList<>();
        for (JsonNode each : HTTP.json(url(9095) + "/notifications").path("notifications")) {
            each.path("alerts").forEach(all::add);
        }
        return all;
    }

    /** Checks that no process names its directory and that nothing listens on its ports. */
    void assertNothingRuns() {
        assertThat(CommandLines.naming(directory.toString())).isEmpty();
        assertThat(ports.ports()).allMatch(Ports::isFree);
    }

    /** Stops it by {@code down}, and checks that nothing is left running. */
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
