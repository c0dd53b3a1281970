/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.acceptance;

import static io.phasewise.acceptance.Http.patiently;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.phasewise.lab.net.PortLease;
import io.phasewise.lab.receiver.Notification;
import io.phasewise.lab.receiver.ReceiverServer;
import io.phasewise.lab.server.ServerInstallation;
import io.phasewise.lab.server.ServerKind;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a real Alertmanager does with alerting/alertmanager.yml: who is told, what is held back, and
 * that two of them tell everything once. What the notifications say is left to {@link
 * NotificationTextIT}.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AlertmanagerIT {
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private static final List<Map<String, String>> GROUPED =
            Stream.of("1", "2")
                    .map(
                            broker ->
                                    labels(
                                            "alertname=BrokerDegraded cluster=together"
                                                    + " severity=warning team=kafka broker="
                                                    + broker))
                    .toList();

    private static final List<Map<String, String>> OF_ANOTHER_CANARY =
            List.of(
                    labels(
                            "alertname=CanaryStarved instance=a profile=default cluster=two"
                                    + " severity=warning team=monitoring"),
                    labels(
                            "alertname=MostProbesBad profile=default cluster=two severity=critical"
                                    + " team=kafka area=latency"));

    private final Path alerting = Path.of(System.getProperty("phasewise.root"), "alerting");
    private final List<Notification> told = new CopyOnWriteArrayList<>();
    private final List<AutoCloseable> open = new ArrayList<>();

    private Path directory;
    private ServerInstallation installation;
    private String configuration;
    private TestAlertmanager alone;

    @BeforeAll
    void fireEverythingAtOnce(@TempDir Path directory) throws Exception {
        this.directory = directory;
        installation =
                Servers.get(Path.of(System.getProperty("phasewise.root")), ServerKind.ALERTMANAGER);
        configuration = TestAlertmanager.quick(alerting.resolve("alertmanager.yml"));
        PortLease lease = keep(PortLease.take(1));
        alone = keep(start("alone", lease.port(0), receiver(told)));

        // Of each pair the alert that holds back is there first, as it is with slower signs.
        List<Map<String, String>> first = new ArrayList<>();
        List<Map<String, String>> then = new ArrayList<>(GROUPED);
        first.add(OF_ANOTHER_CANARY.get(0));
        then.add(OF_ANOTHER_CANARY.get(1));
        pairs().map(Arguments::get)
                .forEach(
                        pair -> {
                            first.add(labels((String) pair[1]));
                            then.add(labels((String) pair[2]));
                            then.add(labels((String) pair[3]));
                        });
        routes().forEach(route -> then.add(labels((String) route.get()[0])));
        alone.fire(first);
        alone.fire(then);
    }

    @AfterAll
    void close() throws Exception {
        for (int i = open.size() - 1; i >= 0; i--) {
            open.get(i).close();
        }
    }

    static Stream<Arguments> routes() {
        return Stream.of(
                Arguments.of(
                        "alertname=SLOFastBurn cluster=r1 severity=critical team=kafka"
                                + " area=latency",
                        "pager"),
                Arguments.of(
                        "alertname=SLOSlowBurn cluster=r2 severity=warning team=kafka area=latency",
                        "tickets"),
                Arguments.of(
                        "alertname=CanaryDown cluster=r3 severity=critical team=monitoring",
                        "pager-monitoring"),
                Arguments.of(
                        "alertname=ClockUncertain cluster=r4 severity=warning team=monitoring",
                        "tickets-monitoring"));
    }

    @ParameterizedTest
    @MethodSource("routes")
    void anAlertIsToldToWhomItConcerns(String alert, String receiver) {
        Map<String, String> labels = labels(alert);

        await().atMost(PATIENCE)
                .untilAsserted(
                        () -> assertThat(receiversOf(told, labels)).containsExactly(receiver));
    }

    @Test
    void alertsOfOneNameAndClusterAreToldTogether() {
        await().atMost(PATIENCE).until(() -> !receiversOf(told, GROUPED.get(0)).isEmpty());

        assertThat(told)
                .filteredOn(told -> told.alerts().get(0).label("cluster").equals("together"))
                .singleElement()
                .satisfies(
                        notification ->
                                assertThat(notification.alerts())
                                        .extracting(Notification.Alert::labels)
                                        .containsExactlyInAnyOrderElementsOf(GROUPED));
    }

    /** Name, what holds back, what is held back, and what is told all the same. */
    static Stream<Arguments> pairs() {
        String latency = " severity=warning team=kafka area=latency profile=default";
        return Stream.of(
                Arguments.of(
                        "critical over warning of the same",
                        "alertname=CanaryDown cluster=i1 severity=critical team=monitoring",
                        "alertname=CanaryDown cluster=i1 severity=warning team=monitoring",
                        "alertname=ClockUncertain cluster=i1 severity=warning team=monitoring"),
                Arguments.of(
                        "a page over slower signs of the same",
                        "alertname=SLOFastBurn cluster=i2 severity=critical team=kafka area=latency"
                                + " profile=default",
                        "alertname=EndToEndP99High cluster=i2" + latency,
                        "alertname=EndToEndP99High cluster=i2 severity=warning team=kafka"
                                + " area=latency profile=other"),
                Arguments.of(
                        "most probes over the burn rate",
                        "alertname=MostProbesBad cluster=i3 severity=critical team=kafka"
                                + " area=latency profile=default",
                        "alertname=SLOFastBurn cluster=i3 severity=critical team=kafka area=latency"
                                + " profile=default",
                        "alertname=BrokerDegraded broker=2 cluster=i3" + latency),
                Arguments.of(
                        "no canary over latency",
                        "alertname=CanaryDown cluster=i4 severity=critical team=monitoring",
                        "alertname=PhaseRegression cluster=i4" + latency,
                        "alertname=LogFlushSlow broker=1 cluster=i4 severity=warning team=kafka"),
                Arguments.of(
                        "a broker that is down over everything else about it",
                        "alertname=BrokerDown broker=3 cluster=i5 severity=critical team=kafka",
                        "alertname=ExporterTimingInactive broker=3 cluster=i5 severity=warning"
                                + " team=monitoring",
                        "alertname=UnderReplicatedPartitions broker=1 cluster=i5 severity=warning"
                                + " team=kafka"),
                Arguments.of(
                        "the whole cluster over its brokers",
                        "alertname=ClusterDown cluster=i6 severity=critical team=kafka",
                        "alertname=BrokerDown broker=1 cluster=i6 severity=critical team=kafka",
                        "alertname=BrokerDown broker=1 cluster=i6b severity=critical team=kafka"),
                Arguments.of(
                        "the whole cluster over latency",
                        "alertname=ClusterDown cluster=i7 severity=critical team=kafka",
                        "alertname=MostProbesBad cluster=i7 severity=critical team=kafka"
                                + " area=latency profile=default",
                        "alertname=ClockUncertain broker=1 cluster=i7 severity=warning"
                                + " team=monitoring"),
                Arguments.of(
                        "a starved canary over latency that its stalls explain",
                        "alertname=CanaryStarved holds_back=latency instance=a profile=default"
                                + " cluster=i8 severity=warning team=monitoring",
                        "alertname=SLOFastBurn cluster=i8 severity=critical team=kafka area=latency"
                                + " slo=latency profile=default",
                        "alertname=SLOFastBurn cluster=i8 severity=critical team=kafka area=latency"
                                + " slo=availability profile=default"),
                Arguments.of(
                        "a starved canary over no other profile",
                        "alertname=CanaryStarved holds_back=latency instance=a profile=default"
                                + " cluster=i9 severity=warning team=monitoring",
                        "alertname=MostProbesBad cluster=i9 severity=critical team=kafka"
                                + " area=latency profile=default",
                        "alertname=MostProbesBad cluster=i9 severity=critical team=kafka"
                                + " area=latency profile=other"),
                Arguments.of(
                        "a burn rate over the slower one of the same objective",
                        "alertname=SLOFastBurn cluster=i10 severity=critical team=kafka"
                                + " area=latency slo=latency profile=default",
                        "alertname=SLOSlowBurn cluster=i10 slo=latency" + latency,
                        "alertname=SLOSlowBurn cluster=i10 slo=availability" + latency),
                Arguments.of(
                        "a leader's page over the ticket about it",
                        "alertname=LeaderProbesBad broker=2 leader=2 cluster=i11 severity=critical"
                                + " team=kafka area=latency profile=default",
                        "alertname=BrokerDegraded broker=2 role=disk cluster=i11" + latency,
                        "alertname=BrokerDegraded broker=3 role=disk cluster=i11" + latency),
                Arguments.of(
                        "most probes over the leader's",
                        "alertname=MostProbesBad cluster=i12 severity=critical team=kafka"
                                + " area=latency profile=default",
                        "alertname=LeaderProbesBad broker=2 leader=2 cluster=i12 severity=critical"
                                + " team=kafka area=latency profile=default",
                        "alertname=BrokerDegraded broker=3 role=follower cluster=i12" + latency),
                Arguments.of(
                        "what looks well from inside over the same with less",
                        "alertname=GrayFailure broker=2 role=follower cluster=i14" + latency,
                        "alertname=BrokerDegraded broker=2 role=follower cluster=i14" + latency,
                        "alertname=BrokerDegraded broker=3 role=disk cluster=i14" + latency),
                Arguments.of(
                        "exporters out of reach over brokers that are down",
                        "alertname=ExportersUnreachable cluster=i13 severity=warning"
                                + " team=monitoring",
                        "alertname=BrokerDown broker=1 cluster=i13 severity=critical team=kafka",
                        "alertname=MostProbesBad cluster=i13 severity=critical team=kafka"
                                + " area=latency profile=default"));
    }

    /** One of several canaries is starved, and the others see what its stalls do not explain. */
    @Test
    void aStarvedCanaryThatDoesNotExplainTheLatencyHoldsNothingBack() {
        await().atMost(PATIENCE)
                .untilAsserted(
                        () ->
                                OF_ANOTHER_CANARY.forEach(
                                        alert ->
                                                assertThat(receiversOf(told, alert)).isNotEmpty()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("pairs")
    void whatFollowsFromSomethingElseIsHeldBack(
            String name, String source, String target, String other) throws IOException {
        // The other was sent at the same time and waits as long as the one held back, or longer.
        await().atMost(PATIENCE)
                .untilAsserted(
                        () -> {
                            assertThat(receiversOf(told, labels(source))).isNotEmpty();
                            assertThat(receiversOf(told, labels(other))).isNotEmpty();
                        });

        assertThat(alone.status(labels(target)).path("state").asText()).isEqualTo("suppressed");
        assertThat(receiversOf(told, labels(target))).isEmpty();
    }

    @Test
    void twoOfThemTellEverythingOnceAndSurviveOne() throws Exception {
        List<Notification> told = new CopyOnWriteArrayList<>();
        int receiver = receiver(told);
        PortLease http = keep(PortLease.take(2));
        List<Integer> gossip;
        // Gossip needs the UDP port as well, which a lease holds.
        try (PortLease peers = PortLease.take(2)) {
            gossip = peers.ports();
        }
        // The second waits so long for the first, 15 s unless told; a first one that takes longer
        // would have everything told twice.
        String[] quick = {"--cluster.peer-timeout=5s", "--cluster.gossip-interval=50ms"};
        TestAlertmanager first =
                keep(start("first", http.port(0), receiver, peer(gossip, 0, quick)));
        TestAlertmanager second =
                keep(start("second", http.port(1), receiver, peer(gossip, 1, quick)));
        patiently(PATIENCE)
                .until(
                        () ->
                                first.metric("alertmanager_cluster_members") == 2
                                        && second.metric("alertmanager_cluster_members") == 2);

        Map<String, String> silenced =
                labels("alertname=SLOFastBurn cluster=silent severity=critical team=kafka");
        silence(first, "silent");
        patiently(PATIENCE)
                .until(() -> new Http().json(second.url() + "/api/v2/silences").size() == 1);
        Map<String, String> alert =
                labels("alertname=SLOFastBurn cluster=both severity=critical team=kafka");
        for (TestAlertmanager each : List.of(first, second)) {
            each.fire(List.of(alert, silenced));
        }
        await().atMost(PATIENCE).until(() -> !receiversOf(told, alert).isEmpty());
        // Each has looked whether it has to tell this group.
        String looked = "alertmanager_nflog_queries_total";
        patiently(PATIENCE).until(() -> first.metric(looked) >= 1 && second.metric(looked) >= 1);
        assertThat(receiversOf(told, alert)).containsExactly("pager");
        assertThat(receiversOf(told, silenced)).isEmpty();

        first.close();
        Map<String, String> later =
                labels("alertname=OfflinePartitions cluster=both severity=critical team=kafka");
        second.fire(List.of(later));
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(receiversOf(told, later)).containsExactly("pager"));
    }

    private static String[] peer(List<Integer> gossip, int index, String... more) {
        List<String> options = new ArrayList<>(List.of(more));
        options.add("--cluster.listen-address=127.0.0.1:" + gossip.get(index));
        options.add("--cluster.advertise-address=127.0.0.1:" + gossip.get(index));
        gossip.forEach(port -> options.add("--cluster.peer=127.0.0.1:" + port));
        return options.toArray(String[]::new);
    }

    private static void silence(TestAlertmanager alertmanager, String cluster) throws IOException {
        Map<String, Object> matcher = new TreeMap<>();
        matcher.put("name", "cluster");
        matcher.put("value", cluster);
        matcher.put("isRegex", false);
        Instant now = Instant.now();
        JsonNode answer =
                alertmanager.post(
                        "/api/v2/silences",
                        Map.of(
                                "matchers", List.of(matcher),
                                "startsAt", now.toString(),
                                "endsAt", now.plus(Duration.ofHours(1)).toString(),
                                "createdBy", "test",
                                "comment", "maintenance"));
        assertThat(answer.path("silenceID").asText()).isNotEmpty();
    }

    private int receiver(List<Notification> told) throws IOException {
        return keep(new ReceiverServer(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        ReceiverServer.Access.OPEN,
                        Optional.empty(),
                        InstantSource.system(),
                        told::add))
                .port();
    }

    private TestAlertmanager start(String name, int port, int receiver, String... more)
            throws IOException {
        Path home = Files.createDirectories(directory.resolve(name));
        Files.writeString(home.resolve("receiver.url"), "http://127.0.0.1:" + receiver + "/\n");
        return TestAlertmanager.start(
                installation, home, alerting.resolve("templates"), configuration, port, more);
    }

    private <T extends AutoCloseable> T keep(T resource) {
        open.add(resource);
        return resource;
    }

    private static List<String> receiversOf(List<Notification> told, Map<String, String> labels) {
        return told.stream()
                .filter(
                        notification ->
                                notification.alerts().stream()
                                        .anyMatch(alert -> alert.labels().equals(labels)))
                .map(Notification::receiver)
                .toList();
    }

    private static Map<String, String> labels(String pairs) {
        return Stream.of(pairs.split(" "))
                .map(pair -> pair.split("=", 2))
                .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1]));
    }
}
