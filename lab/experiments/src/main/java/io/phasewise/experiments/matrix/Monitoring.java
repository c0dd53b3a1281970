/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.phasewise.common.prometheus.PrometheusClient;
import io.phasewise.common.prometheus.Sample;
import io.phasewise.experiments.fault.Fault;
import io.phasewise.experiments.measure.CanaryProcess;
import io.phasewise.experiments.measure.HttpPages;
import io.phasewise.lab.file.FileTree;
import io.phasewise.lab.kafka.KafkaBroker;
import io.phasewise.lab.net.PortLease;
import io.phasewise.lab.net.Probes;
import io.phasewise.lab.process.Await;
import io.phasewise.lab.process.ManagedProcess;
import io.phasewise.lab.process.ProcessSpec;
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
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * A Prometheus and an Alertmanager with the repository's own configuration, watching a scene; what
 * the rules say is theirs.
 */
public final class Monitoring implements AutoCloseable {
    private static final Duration START_BOUND = Duration.ofSeconds(60);

    private final PortLease ports = PortLease.take(2);
    private final PrometheusClient client = PrometheusClient.open(ServerSpecs.url(ports.port(0)));
    private final HttpPages pages = new HttpPages();
    private final ObjectMapper json = new ObjectMapper();
    private final Map<String, String> versions = new TreeMap<>();
    private final Map<ServerKind, ProcessSpec> specs = new EnumMap<>(ServerKind.class);
    private final Map<ServerKind, ManagedProcess> running = new EnumMap<>(ServerKind.class);
    private final Path targets;

    private Monitoring(Path targets) {
        this.targets = targets;
    }

    /**
     * Starts both and waits until they serve.
     *
     * @throws IOException when one is not to be had or cannot be started
     * @throws InterruptedException when interrupted; nothing is left running
     */
    static Monitoring start(Path root, Path home, Scene scene)
            throws IOException, InterruptedException {
        Monitoring monitoring = new Monitoring(home.resolve("prometheus/targets"));
        Fault.Broken.after(() -> monitoring.startAll(root, home, scene), monitoring::close);
        return monitoring;
    }

    private void startAll(Path root, Path home, Scene scene)
            throws IOException, InterruptedException {
        Path alertmanager = home.resolve("alertmanager");
        FileTree.mirror(root.resolve("alerting/templates"), alertmanager.resolve("templates"));
        // Nobody is to be told: discard, as ports go.
        Files.writeString(alertmanager.resolve("receiver.url"), "http://127.0.0.1:9/\n");
        Path routes = root.resolve("alerting/alertmanager.yml");
        start(ServerKind.ALERTMANAGER, root, routes, alertmanager, ServerSpecs::alertmanager);
        Path prometheus = home.resolve("prometheus");
        FileTree.mirror(root.resolve("prometheus/rules"), prometheus.resolve("rules"));
        writeTargets(scene);
        Path configuration = root.resolve("prometheus/prometheus.yml");
        start(ServerKind.PROMETHEUS, root, configuration, prometheus, ServerSpecs::prometheus);
    }

    private int port(ServerKind server) {
        return ports.port(server == ServerKind.PROMETHEUS ? 0 : 1);
    }

    /** How a server is run. */
    private interface Specification {
        ProcessSpec of(
                ServerInstallation installation, Path configuration, Path data, int port, Path log);
    }

    private void start(
            ServerKind server,
            Path root,
            Path configuration,
            Path home,
            Specification specification)
            throws IOException, InterruptedException {
        ServerInstallation installation =
                ServerProvider.forUser(root, System.getenv()).findOrBuild(server, line -> {});
        versions.put(server.program(), installation.version().toString());
        specs.put(
                server,
                specification.of(
                        installation,
                        Files.copy(configuration, home.resolve(configuration.getFileName())),
                        home.resolve("data"),
                        port(server),
                        home.resolve("log")));
        start(server);
    }

    private void start(ServerKind server) throws IOException, InterruptedException {
        ManagedProcess process = ManagedProcess.start(specs.get(server));
        running.put(server, process);
        Await.that(process.name() + " serves", START_BOUND)
                .every(Duration.ofMillis(100))
                .needing(process)
                .until(Probes.answers(HttpClient.newHttpClient(), ServerSpecs.ready(port(server))));
    }

    /** Kills one of the two and starts it again on the same data. */
    void restart(ServerKind server) throws IOException, InterruptedException {
        running.get(server).kill();
        start(server);
    }

    private void writeTargets(Scene scene) throws IOException {
        Files.createDirectories(targets);
        write("kafka-broker.yml", exporters(scene.cluster().brokers(), scene));
        write("kafka-controller.yml", exporters(scene.cluster().controllers(), scene));
        write("prometheus.yml", target("127.0.0.1:" + port(ServerKind.PROMETHEUS)));
        write("alertmanager.yml", target("127.0.0.1:" + port(ServerKind.ALERTMANAGER)));
        write("node.yml", "[]\n");
        watch(scene.canaries());
    }

    /** Prometheus reads it again when it changes, and must not see half of it. */
    private void write(String name, String content) throws IOException {
        Path fresh = Files.createTempFile(targets, name, ".tmp");
        Files.writeString(fresh, content);
        Files.move(
                fresh,
                targets.resolve(name),
                StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING);
    }

    private static String exporters(List<KafkaBroker> nodes, Scene scene) {
        String labels = "  labels: {cluster: %s, broker: \"%d\"}\n";
        return nodes.isEmpty()
                ? "[]\n"
                : nodes.stream()
                        .map(
                                node ->
                                        target(scene.exporter(node.id()))
                                                + labels.formatted(Scene.TOLD, node.id()))
                        .collect(Collectors.joining());
    }

    private static String target(String address) {
        return "- targets: [\"" + address + "\"]\n";
    }

    /** Who makes probes of a cluster slow, as the rules say it now; the longest wait first. */
    List<Suspect> suspects(String cluster) throws IOException, InterruptedException {
        return List.copyOf(waits(cluster).keySet());
    }

    /** The same with how long probes wait for each, in seconds. */
    Map<Suspect, Double> waits(String cluster) throws IOException, InterruptedException {
        Map<Suspect, Double> waits = new LinkedHashMap<>();
        for (Sample each : client.query("sort_desc(kafka_suspect{cluster=\"" + cluster + "\"})")) {
            Map<String, String> labels = each.labels();
            waits.putIfAbsent(
                    new Suspect(labels.get("broker"), labels.get("role"), labels.get("phase")),
                    each.value());
        }
        return waits;
    }

    /** What fires now in Prometheus, but for Watchdog, which always does. */
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
        for (Sample each : client.query(query)) {
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
        String url = ServerSpecs.url(port(ServerKind.ALERTMANAGER)) + "/api/v2/alerts";
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

    /** Has Prometheus scrape these: the first is told; the other's cluster has no exporters. */
    void watch(List<CanaryProcess> canaries) throws IOException {
        String labels = "  labels: {instance: %s}\n";
        StringBuilder all = new StringBuilder();
        for (CanaryProcess canary : canaries) {
            boolean first = all.isEmpty();
            all.append(target(canary.url().substring("http://".length())))
                    .append(labels.formatted(first ? "canary" : "blind, cluster: " + Scene.BLIND));
        }
        write("kafka-canary.yml", all.toString());
    }

    /** Of both, by name. */
    Map<String, String> versions() {
        return versions;
    }

    @Override
    public void close() {
        running.values().forEach(ManagedProcess::close);
        ports.close();
    }
}
