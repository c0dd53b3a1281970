/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix.scene;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.phasewise.common.file.JarResource;
import io.phasewise.common.prometheus.PrometheusClient;
import io.phasewise.common.prometheus.Sample;
import io.phasewise.experiments.fault.ActiveFault;
import io.phasewise.experiments.matrix.row.Suspect;
import io.phasewise.experiments.measure.CanaryProcess;
import io.phasewise.experiments.measure.HttpPages;
import io.phasewise.lab.kafka.KafkaBroker;
import io.phasewise.lab.net.PortLease;
import io.phasewise.lab.net.ReadinessChecks;
import io.phasewise.lab.process.Await;
import io.phasewise.lab.process.ManagedProcess;
import io.phasewise.lab.process.ProcessSpec;
import io.phasewise.lab.server.MonitoringFiles;
import io.phasewise.lab.server.MonitoringFiles.Target;
import io.phasewise.lab.server.ServerInstallation;
import io.phasewise.lab.server.ServerKind;
import io.phasewise.lab.server.ServerProvider;
import io.phasewise.lab.server.ServerSpecs;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Prometheus and Alertmanager with the repository's configuration, which watch a scene.
 */
public final class Monitoring implements AutoCloseable {
    /** The rules that named suspects before the canary did; their series end in {@code _before}. */
    static final String FORMER_RULES = "kafka-suspect-before.yml";

    private static final Duration START_BOUND = Duration.ofSeconds(60);

    private final PortLease ports = PortLease.take(2);
    private final PrometheusClient client = PrometheusClient.open(ServerSpecs.url(ports.port(0)));
    private final HttpPages pages = new HttpPages();
    private final ObjectMapper json = new ObjectMapper();
    private final Map<String, String> versions = new TreeMap<>();
    private final Map<ServerKind, ProcessSpec> specs = new HashMap<>();
    private final Map<ServerKind, ManagedProcess> running = new HashMap<>();
    private final MonitoringFiles files;

    private Monitoring(MonitoringFiles files) {
        this.files = files;
    }

    /**
     * Starts both and waits until they serve.
     *
     * @throws IOException when one cannot be found, built or started
     * @throws InterruptedException when interrupted; nothing is left running
     */
    public static Monitoring start(Path root, Path home, Scene scene) throws IOException, InterruptedException {
        Monitoring monitoring = new Monitoring(new MonitoringFiles(root, home));
        ActiveFault.after(() -> monitoring.startAll(root, scene), monitoring::close);
        return monitoring;
    }

    private void startAll(Path root, Scene scene) throws IOException, InterruptedException {
        // Nobody is to be notified: 9 is the discard port.
        Path routes = files.writeAlertmanager(ServerSpecs.url(9));
        start(ServerKind.ALERTMANAGER, root, routes, ServerSpecs::alertmanager);
        Path configuration = files.writePrometheus(true);
        // The configuration reads all files of this directory.
        Files.writeString(
                configuration.resolveSibling("rules").resolve(FORMER_RULES),
                JarResource.text(Monitoring.class, FORMER_RULES));
        writeTargets(scene);
        start(ServerKind.PROMETHEUS, root, configuration, ServerSpecs::prometheus);
    }

    private int port(ServerKind server) {
        return ports.port(server.equals(ServerKind.PROMETHEUS) ? 0 : 1);
    }

    private void start(ServerKind server, Path root, Path configuration, ServerSpecs.Configured configured)
            throws IOException, InterruptedException {
        ServerInstallation found = ServerProvider.forUser(root, System.getenv()).findOrBuild(server, line -> {});
        versions.put(server.program(), found.version().toString());
        Path data = configuration.resolveSibling("data");
        Path log = configuration.resolveSibling("log");
        specs.put(server, configured.spec(found, configuration, data, port(server), log));
        start(server);
    }

    private void start(ServerKind server) throws IOException, InterruptedException {
        ManagedProcess process = ManagedProcess.start(specs.get(server));
        running.put(server, process);
        Await.that(process.name() + " serves", START_BOUND)
                .every(Duration.ofMillis(100))
                .needing(process)
                .until(ReadinessChecks.answers(HttpClient.newHttpClient(), ServerSpecs.ready(port(server))));
    }

    /** Kills one of the two and starts it again on the same data. */
    public void restart(ServerKind server) throws IOException, InterruptedException {
        running.get(server).kill();
        start(server);
    }

    private void writeTargets(Scene scene) throws IOException {
        files.writeTargets("kafka-broker", exporters(scene.cluster().brokers(), scene));
        files.writeTargets("kafka-controller", exporters(scene.cluster().controllers(), scene));
        files.writeTargets("prometheus", target(ServerKind.PROMETHEUS));
        files.writeTargets("alertmanager", target(ServerKind.ALERTMANAGER));
        files.writeTargets("node", List.of());
        watch(scene.target().canaries());
    }

    private static List<Target> exporters(List<KafkaBroker> nodes, Scene scene) {
        return nodes.stream()
                .map(KafkaBroker::id)
                .map(id -> exporter(id, scene))
                .toList();
    }

    private static Target exporter(int node, Scene scene) {
        Map<String, String> labels = Map.of("cluster", Scene.WITH_EXPORTERS, "broker", "" + node);
        return new Target(List.of(scene.brokers().exporter(node)), labels);
    }

    private List<Target> target(ServerKind server) {
        return List.of(new Target(port(server), Map.of()));
    }

    /** Whom the canary names of a cluster now; first the one that probes wait for longest. */
    public List<Suspect> suspects(String cluster) throws IOException, InterruptedException {
        return List.copyOf(waits(cluster).keySet());
    }

    /** The same, with how long probes wait for each, seconds. */
    public Map<Suspect, Double> waits(String cluster) throws IOException, InterruptedException {
        Map<Suspect, Double> waits = new LinkedHashMap<>();
        for (Sample each : client.query("sort_desc(kafka_suspect{cluster=\"" + cluster + "\"})")) {
            Map<String, String> labels = each.labels();
            String broker = labels.getOrDefault("broker", Suspect.NO_BROKER);
            waits.putIfAbsent(new Suspect(broker, labels.get("role"), labels.get("phase")), each.value());
        }
        return waits;
    }

    /** Whom the rules would name that named before the canary did: broker, role and phase; the longest wait first. */
    public List<String> formerSuspects(String cluster) throws IOException, InterruptedException {
        return client.query("sort_desc(kafka_suspect_before{cluster=\"" + cluster + "\"})").stream()
                .map(Sample::labels)
                .map(of -> of.get("broker") + " " + of.get("role") + "/" + of.get("phase"))
                .toList();
    }

    /** The alerts that fire in Prometheus now, without Watchdog, which always does. */
    public Set<Alert> firing() throws IOException, InterruptedException {
        return alerts("firing");
    }

    /** The alerts that fire or are pending. */
    public Set<Alert> standing() throws IOException, InterruptedException {
        return alerts("firing|pending");
    }

    private Set<Alert> alerts(String states) throws IOException, InterruptedException {
        Set<Alert> alerts = new HashSet<>();
        String query = "ALERTS{alertstate=~\"" + states + "\",alertname!=\"Watchdog\"}";
        for (Sample each : client.query(query)) {
            Map<String, String> labels = each.labels();
            alerts.add(new Alert(
                    labels.get("alertname"),
                    labels.getOrDefault("severity", ""),
                    labels.getOrDefault("cluster", ""),
                    labels.getOrDefault("broker", ""),
                    labels.getOrDefault("role", ""),
                    labels.getOrDefault("phase", "")));
        }
        return alerts;
    }

    /** What Alertmanager has now, without alerts of the canary without exporters. */
    public ReportedAlerts reported() throws IOException, InterruptedException {
        Set<String> active = new TreeSet<>();
        Set<String> held = new TreeSet<>();
        String url = ServerSpecs.url(port(ServerKind.ALERTMANAGER)) + "/api/v2/alerts";
        for (JsonNode alert : json.readTree(pages.get(url).text())) {
            String name = alert.at("/labels/alertname").asText();
            if (!alert.at("/labels/cluster").asText().equals(Scene.WITHOUT_EXPORTERS)) {
                active.add(name);
                if (!alert.at("/status/inhibitedBy").isEmpty()) {
                    held.add(name);
                }
            }
        }
        return new ReportedAlerts(active, held);
    }

    /** Has Prometheus scrape these canaries: first the one with exporters, then the one without. */
    public void watch(List<CanaryProcess> canaries) throws IOException {
        Map<String, String> without = Map.of("instance", "blind", "cluster", Scene.WITHOUT_EXPORTERS);
        Map<String, String> with = Map.of("instance", "canary");
        files.writeTargets("kafka-canary", List.of(target(canaries.get(0), with), target(canaries.get(1), without)));
    }

    private static Target target(CanaryProcess canary, Map<String, String> labels) {
        return new Target(List.of(URI.create(canary.url()).getAuthority()), labels);
    }

    /** The versions of both, by name. */
    Map<String, String> versions() {
        return versions;
    }

    @Override
    public void close() {
        running.values().forEach(ManagedProcess::close);
        ports.close();
    }
}
