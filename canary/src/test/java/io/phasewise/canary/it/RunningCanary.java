/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.phasewise.canary.Canary;
import io.phasewise.canary.config.CanaryConfig;
import io.phasewise.canary.config.ConfigLoader;
import io.phasewise.lab.measure.StandaloneCanary;
import io.phasewise.lab.process.ManagedProcess;
import io.phasewise.lab.process.Programs;
import io.phasewise.lab.stack.CanaryJvm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.awaitility.core.ThrowingRunnable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/**
 * A canary that serves, read through its pages: its jar as a process, or one within the test's
 * process. What it measures is the test's business.
 */
final class RunningCanary implements AutoCloseable {
    static final Path JAR = Path.of(System.getProperty("phasewise.root"), "canary/target/phasewise-canary.jar");

    /** For whatever is awaited of a canary, on a machine that is busy with other tests. */
    private static final Duration BOUND = Duration.ofSeconds(120);

    /** Ten times a second, as by default, polling took half a processor from every test. */
    private static final Duration INTERVAL = Duration.ofMillis(400);

    private final HttpClient client = HttpClient.newHttpClient();
    private final ObjectMapper json = new ObjectMapper();
    private final String base;
    private final AutoCloseable running;

    private RunningCanary(String base, AutoCloseable running) {
        this.base = base;
        this.running = running;
    }

    /**
     * Starts the jar and waits until it serves.
     *
     * @param directory for its configuration and log
     * @param yaml what is below {@code canary}, but for the port
     * @param jvmOptions the heap among them
     */
    static RunningCanary jar(Path directory, String yaml, String... jvmOptions) throws Exception {
        StandaloneCanary canary = StandaloneCanary.launch(
                JAR,
                directory,
                new Yaml(new SafeConstructor(new LoaderOptions())).load(whole(yaml)),
                options(jvmOptions));
        return new RunningCanary(canary.url(), canary);
    }

    /** As {@link #jar}, with the options of the JVM that the image and the package have. */
    static RunningCanary shipped(Path directory, String yaml) throws Exception {
        StandaloneCanary canary = StandaloneCanary.launch(
                JAR,
                directory,
                new Yaml(new SafeConstructor(new LoaderOptions())).load(whole(yaml)),
                CanaryJvm.options());
        return new RunningCanary(canary.url(), canary);
    }

    /**
     * Starts one within this process, and waits for nothing.
     *
     * @param yaml what is below {@code canary}, but for the port
     */
    static RunningCanary embedded(String yaml) throws Exception {
        Canary canary = new Canary(config(yaml), "test", System::nanoTime);
        canary.start();
        return new RunningCanary("http://127.0.0.1:" + canary.port(), canary);
    }

    static CanaryConfig config(String yaml) throws Exception {
        return new ConfigLoader(Map.of()).load(whole(yaml), "test").config();
    }

    /** Client properties as a configuration has them below {@code client}: JSON is YAML. */
    static String client(Map<String, ?> properties) throws IOException {
        Map<String, Object> all = new TreeMap<>(properties);
        all.remove("bootstrap.servers");
        return new ObjectMapper().writeValueAsString(all);
    }

    private static String whole(String yaml) {
        return "canary:\n  http: {port: 0}\n" + yaml.indent(2);
    }

    /** A command line: as the brokers of the tests, compiled quickly, not well. */
    static List<String> java(String... arguments) {
        List<String> command = options(arguments);
        command.add(0, Programs.java());
        return command;
    }

    private static List<String> options(String... more) {
        List<String> options = new ArrayList<>(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        options.addAll(List.of(more));
        return options;
    }

    /** The jar's. */
    ManagedProcess process() {
        return ((StandaloneCanary) running).process();
    }

    /** Where it serves. */
    int port() {
        return URI.create(base).getPort();
    }

    String log() {
        try {
            return Files.readString(process().log());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    JsonNode status() {
        try {
            return json.readTree(get("/status", "application/json").body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What the status says of a cluster, as its default profile sees it. */
    JsonNode cluster(String name) {
        return entry("name", name);
    }

    /** What the status says of the first profile of that name. */
    JsonNode profile(String name) {
        return entry("profile", name);
    }

    private JsonNode entry(String key, String value) {
        for (JsonNode each : status().get("clusters")) {
            if (each.get(key).asText().equals(value)) {
                return each;
            }
        }
        throw new IllegalStateException("no " + key + " " + value);
    }

    /** A cluster's, as the status has them: {@code []} when there are none. */
    String problems(String cluster) {
        return cluster(cluster).get("problems").toString();
    }

    /** Waits until a cluster has none: where it is ready, what was amiss before is still looked at again. */
    void awaitNoProblems(String cluster) {
        awaitThat(
                "nothing is amiss with " + cluster,
                () -> assertThat(problems(cluster)).isEqualTo("[]"));
    }

    boolean ready() {
        return get("/-/ready", "*/*").statusCode() == 200;
    }

    String readiness() {
        return get("/-/ready", "*/*").body();
    }

    Scrape scrape() {
        return Scrape.of(
                get("/metrics", "application/openmetrics-text; version=1.0.0").body());
    }

    private HttpResponse<String> get(String path, String accept) {
        try {
            return client.send(
                    HttpRequest.newBuilder(URI.create(base + path))
                            .timeout(Duration.ofSeconds(30))
                            .header("Accept", accept)
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A wait with the bound and the interval of all of these tests. */
    static ConditionFactory patiently(String what) {
        return Awaitility.await(what).atMost(BOUND).pollInterval(INTERVAL);
    }

    static void await(String what, Callable<Boolean> holds) {
        patiently(what).until(holds);
    }

    static void awaitThat(String what, ThrowingRunnable holds) {
        patiently(what).untilAsserted(holds);
    }

    /** The first scrape for which that holds. */
    Scrape await(String what, Predicate<Scrape> holds) {
        return patiently(what).until(this::scrape, holds);
    }

    /** As {@link #await(String, Predicate)}, for what has to be seen soon after it comes true. */
    Scrape awaitClosely(String what, Predicate<Scrape> holds) {
        return patiently(what).pollInterval(INTERVAL.dividedBy(20)).until(this::scrape, holds);
    }

    /** Until every broker's probes come back. */
    void awaitReady() {
        awaitThat("ready", () -> assertThat(ready()).as(readiness()).isTrue());
    }

    /**
     * A scrape in which so many more probes are back through each leader.
     *
     * @param of labels that tell whose, each for itself; see {@link PhaseMeans#of}
     */
    Scrape awaitProbes(Scrape since, int each, List<String> of, int... leaders) {
        return await(each + " probes through each broker: " + of, now -> {
            Scrape grown = now.since(since);
            return of.stream().allMatch(one -> grown.split(one, each, leaders));
        });
    }

    /** What is recorded until so many more probes of the default profile are back, by leader. */
    Scrape probes(int each, int... leaders) {
        Scrape from = scrape();
        return awaitProbes(from, each, List.of("profile=default"), leaders).since(from);
    }

    @Override
    public void close() throws Exception {
        running.close();
    }
}
