/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.phasewise.experiments.measure.CanaryProcess;
import io.phasewise.experiments.measure.HttpPages;
import io.phasewise.experiments.plan.MissingException;
import io.phasewise.experiments.run.Target;
import io.phasewise.lab.kafka.KafkaBroker;
import io.phasewise.lab.kafka.KafkaCluster;
import io.phasewise.lab.net.PortLease;
import io.phasewise.lab.net.Probes;
import io.phasewise.lab.process.Await;
import io.phasewise.lab.process.ManagedProcess;
import io.phasewise.lab.process.ProcessSpec;
import io.phasewise.lab.server.Lookup;
import io.phasewise.lab.server.ServerInstallation;
import io.phasewise.lab.server.ServerKind;
import io.phasewise.lab.server.ServerProvider;
import io.phasewise.lab.server.ServerSpecs;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * A Prometheus and an Alertmanager with the repository's own configuration, watching a scene; what
 * the rules say is theirs.
 */
public final class Monitoring implements AutoCloseable {
    private static final String CANARY_TARGETS = "kafka-canary.yml";
    private static final Duration START_BOUND = Duration.ofSeconds(60);

    private final PortLease ports;
    private final Map<String, String> versions;
    private final ProcessSpec prometheusSpec;
    private final ProcessSpec alertmanagerSpec;
    private final Path canaryTargets;
    private ManagedProcess prometheus;
    private ManagedProcess alertmanager;
    private final HttpPages pages = new HttpPages();
    private final ObjectMapper json = new ObjectMapper();

    private Monitoring(
            PortLease ports,
            Map<String, String> versions,
            ProcessSpec prometheusSpec,
            ProcessSpec alertmanagerSpec,
            Path canaryTargets,
            ManagedProcess prometheus,
            ManagedProcess alertmanager) {
        this.ports = ports;
        this.versions = versions;
        this.prometheusSpec = prometheusSpec;
        this.alertmanagerSpec = alertmanagerSpec;
        this.canaryTargets = canaryTargets;
        this.prometheus = prometheus;
        this.alertmanager = alertmanager;
    }

    /**
     * Starts both and waits until they serve.
     *
     * @throws IOException when one is not to be had or cannot be started
     * @throws InterruptedException when interrupted; nothing is left running
     */
    static Monitoring start(Path root, Path home, CanaryProcess canary, Target target)
            throws IOException, InterruptedException {
        ServerInstallation prometheus = find(root, ServerKind.PROMETHEUS);
        ServerInstallation alertmanager = find(root, ServerKind.ALERTMANAGER);
        PortLease ports = PortLease.take(2);
        ManagedProcess first = null;
        ManagedProcess second = null;
        boolean up = false;
        try {
            Path prometheusHome = home.resolve("prometheus");
            copy(root.resolve("prometheus/rules"), prometheusHome.resolve("rules"));
            Path configuration = prometheusHome.resolve("prometheus.yml");
            Files.copy(root.resolve("prometheus/prometheus.yml"), configuration);
            targets(prometheusHome.resolve("targets"), canary, target, ports);
            Path alertmanagerHome = home.resolve("alertmanager");
            copy(root.resolve("alerting/templates"), alertmanagerHome.resolve("templates"));
            Path routes = alertmanagerHome.resolve("alertmanager.yml");
            Files.copy(root.resolve("alerting/alertmanager.yml"), routes);
            // Nobody is to be told: discard, as ports go.
            Files.writeString(alertmanagerHome.resolve("receiver.url"), "http://127.0.0.1:9/\n");
            ProcessSpec alertmanagerSpec =
                    ServerSpecs.alertmanager(
                            alertmanager,
                            routes,
                            alertmanagerHome.resolve("data"),
                            ports.port(1),
                            alertmanagerHome.resolve("log"));
            second = ManagedProcess.start(alertmanagerSpec);
            ProcessSpec prometheusSpec =
                    ServerSpecs.prometheus(
                            prometheus,
                            configuration,
                            prometheusHome.resolve("data"),
                            ports.port(0),
                            prometheusHome.resolve("log"));
            first = ManagedProcess.start(prometheusSpec);
            Monitoring monitoring =
                    new Monitoring(
                            ports,
                            new TreeMap<>(
                                    Map.of(
                                            "Prometheus",
                                            prometheus.version().toString(),
                                            "Alertmanager",
                                            alertmanager.version().toString())),
                            prometheusSpec,
                            alertmanagerSpec,
                            prometheusHome.resolve("targets").resolve(CANARY_TARGETS),
                            first,
                            second);
            monitoring.awaitReady(ports.port(1), second);
            monitoring.awaitReady(ports.port(0), first);
            up = true;
            return monitoring;
        } finally {
            if (!up) {
                Stream.of(first, second).filter(p -> p != null).forEach(ManagedProcess::close);
                ports.close();
            }
        }
    }

    private static ServerInstallation find(Path root, ServerKind kind)
            throws IOException, InterruptedException {
        Lookup<ServerInstallation> lookup =
                ServerProvider.forUser(root, System.getenv())
                        .findOrBuild(kind, (stage, done, total) -> {});
        if (lookup instanceof Lookup.Missing<ServerInstallation> missing) {
            throw new MissingException(
                    "no "
                            + kind.program()
                            + ": "
                            + missing.reason()
                            + ". "
                            + missing.howToGet()
                            + "; or leave the alerts out: --no-alerts");
        }
        return ((Lookup.Found<ServerInstallation>) lookup).installation();
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Path copy = to.resolve(from.relativize(file).toString());
                if (Files.isDirectory(file)) {
                    Files.createDirectories(copy);
                } else {
                    Files.copy(file, copy);
                }
            }
        }
    }

    private static void targets(
            Path directory, CanaryProcess canary, Target target, PortLease ports)
            throws IOException {
        Files.createDirectories(directory);
        KafkaCluster cluster = target.own().orElseThrow();
        Files.writeString(
                directory.resolve("kafka-broker.yml"), exporters(cluster.brokers(), target));
        Files.writeString(
                directory.resolve("kafka-controller.yml"),
                exporters(cluster.controllers(), target));
        Files.writeString(directory.resolve(CANARY_TARGETS), canaryTarget(canary));
        Files.writeString(
                directory.resolve("prometheus.yml"), target("http://127.0.0.1:" + ports.port(0)));
        Files.writeString(
                directory.resolve("alertmanager.yml"), target("http://127.0.0.1:" + ports.port(1)));
        Files.writeString(directory.resolve("node.yml"), "[]\n");
    }

    private static String exporters(List<KafkaBroker> nodes, Target target) {
        StringBuilder all = new StringBuilder(nodes.isEmpty() ? "[]\n" : "");
        for (KafkaBroker node : nodes) {
            all.append(target(target.exporterUrl(node.id())))
                    .append("  labels: {cluster: ")
                    .append(CanaryProcess.CLUSTER)
                    .append(", broker: \"")
                    .append(node.id())
                    .append("\"}\n");
        }
        return all.toString();
    }

    private static String target(String url) {
        return "- targets: [\"" + url.substring("http://".length()) + "\"]\n";
    }

    private void awaitReady(int port, ManagedProcess process) throws InterruptedException {
        Await.that(process.name() + " serves", START_BOUND)
                .every(Duration.ofMillis(100))
                .needing(process)
                .until(Probes.answers(HttpClient.newHttpClient(), ServerSpecs.ready(port)));
    }

    /** Kills Prometheus and starts it anew on the same data. */
    void restartPrometheus() throws IOException, InterruptedException {
        prometheus.kill();
        prometheus = ManagedProcess.start(prometheusSpec);
        awaitReady(ports.port(0), prometheus);
    }

    /** Kills Alertmanager and starts it anew on the same data. */
    void restartAlertmanager() throws IOException, InterruptedException {
        alertmanager.kill();
        alertmanager = ManagedProcess.start(alertmanagerSpec);
        awaitReady(ports.port(1), alertmanager);
    }

    /**
     * Who makes probes slow, as the rules say it now: {@code broker role/phase} and for how long,
     * in seconds; the longest first.
     */
    Map<String, Double> suspects() throws IOException, InterruptedException {
        Map<String, Double> suspects = new LinkedHashMap<>();
        String url = prometheusUrl() + "/api/v1/query?query=sort_desc(kafka_suspect)";
        for (JsonNode each : json.readTree(pages.get(url).body()).at("/data/result")) {
            JsonNode labels = each.path("metric");
            suspects.putIfAbsent(
                    labels.path("broker").asText()
                            + " "
                            + labels.path("role").asText()
                            + "/"
                            + labels.path("phase").asText(),
                    each.path("value").path(1).asDouble());
        }
        return suspects;
    }

    /**
     * What an alert is and how it stands.
     *
     * @param name of the rule, with the broker it is about where it names one
     * @param severity its label
     */
    public record Alert(String name, String severity) {}

    /** What fires now in Prometheus, but for the one that always does. */
    Set<Alert> firing() throws IOException, InterruptedException {
        return alerts(Set.of("firing"));
    }

    /** What fires there or will unless it ends soon. */
    Set<Alert> standing() throws IOException, InterruptedException {
        return alerts(Set.of("firing", "pending"));
    }

    private Set<Alert> alerts(Set<String> states) throws IOException, InterruptedException {
        Set<Alert> alerts = new HashSet<>();
        JsonNode answer =
                json.readTree(pages.get(prometheusUrl() + "/api/v1/alerts").body())
                        .at("/data/alerts");
        for (JsonNode alert : answer) {
            if (states.contains(alert.path("state").asText())) {
                add(alerts, alert);
            }
        }
        return alerts;
    }

    private static void add(Set<Alert> alerts, JsonNode alert) {
        String name = alert.at("/labels/alertname").asText();
        String severity = alert.at("/labels/severity").asText();
        if (!name.equals("Watchdog")) {
            alerts.add(new Alert(name, severity));
        }
    }

    /**
     * Alerts as Alertmanager has them.
     *
     * @param active names of those not resolved
     * @param inhibited names of those held back because of another one
     */
    record Reported(Set<String> active, Set<String> inhibited) {}

    /** What Alertmanager has now. */
    Reported reported() throws IOException, InterruptedException {
        Set<String> active = new TreeSet<>();
        Set<String> inhibited = new TreeSet<>();
        String url = "http://127.0.0.1:" + ports.port(1) + "/api/v2/alerts";
        for (JsonNode alert : json.readTree(pages.get(url).body())) {
            String name = alert.at("/labels/alertname").asText();
            active.add(name);
            if (!alert.at("/status/inhibitedBy").isEmpty()) {
                inhibited.add(name);
            }
        }
        return new Reported(active, inhibited);
    }

    /** Has Prometheus scrape this canary in place of the one before, under the same instance. */
    void watch(CanaryProcess canary) throws IOException {
        Path fresh = Files.createTempFile(canaryTargets.getParent(), "canary", ".tmp");
        Files.writeString(fresh, canaryTarget(canary));
        Files.move(
                fresh,
                canaryTargets,
                StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING);
    }

    private static String canaryTarget(CanaryProcess canary) {
        return target(canary.url()) + "  labels: {instance: canary}\n";
    }

    private URI prometheusUrl() {
        return ServerSpecs.url(ports.port(0));
    }

    /** Of both, by name. */
    Map<String, String> versions() {
        return versions;
    }

    /** The processes. */
    List<ManagedProcess> processes() {
        return List.of(prometheus, alertmanager);
    }

    @Override
    public void close() {
        processes().forEach(ManagedProcess::close);
        ports.close();
    }
}
