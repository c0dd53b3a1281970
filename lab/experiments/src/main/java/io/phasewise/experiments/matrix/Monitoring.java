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
import io.phasewise.lab.kafka.KafkaBroker;
import io.phasewise.lab.net.PortLease;
import io.phasewise.lab.net.Probes;
import io.phasewise.lab.process.Await;
import io.phasewise.lab.process.ManagedProcess;
import io.phasewise.lab.process.ProcessSpec;
import io.phasewise.lab.server.Lookup;
import io.phasewise.lab.server.PrometheusClient;
import io.phasewise.lab.server.ServerInstallation;
import io.phasewise.lab.server.ServerKind;
import io.phasewise.lab.server.ServerProvider;
import io.phasewise.lab.server.ServerSpecs;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
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
    private final PrometheusClient client;
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
        this.client =
                new PrometheusClient(ServerSpecs.url(ports.port(0)), HttpClient.newHttpClient());
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
    static Monitoring start(Path root, Path home, Scene scene)
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
            targets(prometheusHome.resolve("targets"), scene, ports);
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
                    "no " + kind.program() + ": " + missing.reason() + ". " + missing.howToGet());
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

    private static void targets(Path directory, Scene scene, PortLease ports) throws IOException {
        Files.createDirectories(directory);
        Map<String, String> files =
                Map.of(
                        "kafka-broker.yml",
                        exporters(scene.cluster().brokers(), scene),
                        "kafka-controller.yml",
                        exporters(scene.cluster().controllers(), scene),
                        CANARY_TARGETS,
                        canaryTargets(scene.canaries()),
                        "prometheus.yml",
                        target("127.0.0.1:" + ports.port(0)),
                        "alertmanager.yml",
                        target("127.0.0.1:" + ports.port(1)),
                        "node.yml",
                        "[]\n");
        for (Map.Entry<String, String> file : files.entrySet()) {
            Files.writeString(directory.resolve(file.getKey()), file.getValue());
        }
    }

    private static String exporters(List<KafkaBroker> nodes, Scene scene) {
        StringBuilder all = new StringBuilder(nodes.isEmpty() ? "[]\n" : "");
        for (KafkaBroker node : nodes) {
            all.append(target(scene.exporter(node.id())))
                    .append("  labels: {cluster: ")
                    .append(Scene.TOLD)
                    .append(", broker: \"")
                    .append(node.id())
                    .append("\"}\n");
        }
        return all.toString();
    }

    private static String target(String address) {
        return "- targets: [\"" + address + "\"]\n";
    }

    private void awaitReady(int port, ManagedProcess process) throws InterruptedException {
        Await.that(process.name() + " serves", START_BOUND)
                .every(Duration.ofMillis(100))
                .needing(process)
                .until(Probes.answers(HttpClient.newHttpClient(), ServerSpecs.ready(port)));
    }

    /** Kills one of the two and starts it anew on the same data. */
    void restart(ServerKind server) throws IOException, InterruptedException {
        if (server == ServerKind.PROMETHEUS) {
            prometheus.kill();
            prometheus = ManagedProcess.start(prometheusSpec);
            awaitReady(ports.port(0), prometheus);
        } else {
            alertmanager.kill();
            alertmanager = ManagedProcess.start(alertmanagerSpec);
            awaitReady(ports.port(1), alertmanager);
        }
    }

    /** Who makes probes of a cluster slow, as the rules say it now; the longest wait first. */
    List<Suspect> suspects(String cluster) throws IOException, InterruptedException {
        return List.copyOf(waits(cluster).keySet());
    }

    /** The same with how long probes wait for each, in seconds. */
    Map<Suspect, Double> waits(String cluster) throws IOException, InterruptedException {
        Map<Suspect, Double> waits = new LinkedHashMap<>();
        for (PrometheusClient.Sample each :
                client.query("sort_desc(kafka_suspect{cluster=\"" + cluster + "\"})")) {
            Map<String, String> labels = each.labels();
            waits.putIfAbsent(
                    new Suspect(labels.get("broker"), labels.get("role"), labels.get("phase")),
                    each.value());
        }
        return waits;
    }

    /** What fires now in Prometheus, but for the one that always does. */
    Set<Sightings.Alert> firing() throws IOException, InterruptedException {
        return alerts("firing");
    }

    /** What fires there or will unless it ends soon. */
    Set<Sightings.Alert> standing() throws IOException, InterruptedException {
        return alerts("firing|pending");
    }

    private Set<Sightings.Alert> alerts(String states) throws IOException, InterruptedException {
        Set<Sightings.Alert> alerts = new HashSet<>();
        String query = "ALERTS{alertstate=~\"" + states + "\",alertname!=\"Watchdog\"}";
        for (PrometheusClient.Sample each : client.query(query)) {
            Map<String, String> labels = each.labels();
            alerts.add(
                    new Sightings.Alert(
                            labels.get("alertname"),
                            labels.getOrDefault("severity", ""),
                            labels.getOrDefault("cluster", ""),
                            labels.getOrDefault("broker", ""),
                            labels.getOrDefault("role", ""),
                            labels.getOrDefault("phase", "")));
        }
        return alerts;
    }

    /** What Alertmanager has now. */
    Sightings.Reported reported() throws IOException, InterruptedException {
        Set<String> active = new TreeSet<>();
        Set<String> held = new TreeSet<>();
        String url = ServerSpecs.url(ports.port(1)) + "/api/v2/alerts";
        for (JsonNode alert : json.readTree(pages.get(url).body())) {
            String name = alert.at("/labels/alertname").asText();
            if (!alert.at("/labels/cluster").asText().equals(Scene.BLIND)) {
                active.add(name);
                if (!alert.at("/status/inhibitedBy").isEmpty()) {
                    held.add(name);
                }
            }
        }
        return new Sightings.Reported(active, held);
    }

    /** Has Prometheus scrape a canary in place of the one that is told, under the same instance. */
    void watch(CanaryProcess told, List<CanaryProcess> others) throws IOException {
        List<CanaryProcess> all = new ArrayList<>(others);
        all.add(0, told);
        Path fresh = Files.createTempFile(canaryTargets.getParent(), "canary", ".tmp");
        Files.writeString(fresh, canaryTargets(all));
        Files.move(
                fresh,
                canaryTargets,
                StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING);
    }

    /** The first is told by exporters; the other is of a cluster without any. */
    private static String canaryTargets(List<CanaryProcess> canaries) {
        StringBuilder all = new StringBuilder();
        for (CanaryProcess canary : canaries) {
            all.append(target(canary.url().substring("http://".length())))
                    .append(
                            all.indexOf("labels") < 0
                                    ? "  labels: {instance: canary}\n"
                                    : "  labels: {instance: blind, cluster: "
                                            + Scene.BLIND
                                            + "}\n");
        }
        return all.toString();
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
