/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.acceptance;

import static io.phasewise.acceptance.Http.patiently;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.phasewise.common.prometheus.PrometheusClient;
import io.phasewise.common.prometheus.Sample;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** A detached stack that tests share; which stack it is, and what is done to it, is theirs. */
final class RunningStack implements AutoCloseable {
    private static final Duration FIRST_START = Duration.ofMinutes(15);

    private final Launcher launcher;
    private final PrometheusClient prometheus;
    private final Http http = new Http();
    private final String upOutput;

    private RunningStack(Launcher launcher, String upOutput) {
        this.launcher = launcher;
        this.upOutput = upOutput;
        this.prometheus = PrometheusClient.open(URI.create(url(9090)));
    }

    /** Starts it on the launcher's ports; the launcher is closed with it. */
    static RunningStack start(Launcher launcher) {
        Command.Result up = launcher.up(FIRST_START);
        if (up.exitCode() != 0) {
            launcher.run(Duration.ofMinutes(2), "down");
            launcher.close();
            throw new AssertionError("up: exit code " + up.exitCode() + "\n" + up.output());
        }
        return new RunningStack(launcher, up.output());
    }

    Launcher launcher() {
        return launcher;
    }

    /** What {@code up} printed when it was started. */
    String upOutput() {
        return upOutput;
    }

    /**
     * Where a component serves, without a path.
     *
     * @param defaultPort as the contract has it
     */
    String url(int defaultPort) {
        return "http://127.0.0.1:" + launcher.port(defaultPort);
    }

    /** Starts again what an earlier test ended, and waits until all of it is ready. */
    void restore() {
        if (!isReady()) {
            startWhatIsDown();
            patiently().until(this::isReady);
        }
    }

    /** The canary is ready when it measures every broker. */
    private boolean isReady() {
        return IntStream.of(9470, 9090, 9093)
                .allMatch(port -> http.statusCode(url(port) + "/-/ready") == 200);
    }

    void startWhatIsDown() {
        Command.Result up = launcher.run(Duration.ofMinutes(3), "up", "--detach");
        assertThat(up.exitCode()).as(up.output()).isZero();
    }

    PrometheusClient prometheus() {
        return prometheus;
    }

    /** An instant query's values by the value of one label. */
    Map<String, Double> query(String expression, String label)
            throws IOException, InterruptedException {
        Map<String, Double> values = new TreeMap<>();
        for (Sample sample : prometheus.query(expression)) {
            values.put(sample.labels().getOrDefault(label, ""), sample.value());
        }
        return values;
    }

    /** All alerts that the receiver was told of, one notification after the other. */
    List<JsonNode> told() throws IOException {
        List<JsonNode> all = new ArrayList<>();
        for (JsonNode each : http.json(url(9095) + "/notifications").path("notifications")) {
            each.path("alerts").forEach(all::add);
        }
        return all;
    }

    /** Ends all of it. */
    @Override
    public void close() {
        launcher.run(Duration.ofMinutes(3), "down");
        launcher.close();
    }
}
