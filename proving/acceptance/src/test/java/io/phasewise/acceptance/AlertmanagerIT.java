/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.acceptance;

import static io.phasewise.acceptance.Http.eventually;
import static io.phasewise.acceptance.Http.patiently;
import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.lab.junit.TestServers;
import io.phasewise.lab.net.PortLease;
import io.phasewise.lab.receiver.Notification;
import io.phasewise.lab.receiver.Notification.Alert;
import io.phasewise.lab.receiver.ReceiverServer;
import io.phasewise.lab.server.ServerKind;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a real Alertmanager does with alerting/alertmanager.yml: who is notified, what is inhibited,
 * and that two Alertmanagers send everything once. {@link NotificationTextIT} checks the texts.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AlertmanagerIT {
    private static final List<Map<String, String>> GROUPED = List.of(
            labels("BrokerDegraded together warning kafka broker=1"),
            labels("BrokerDegraded together warning kafka broker=2"));

    private static final List<Map<String, String>> OF_ANOTHER_CANARY = List.of(
            labels("CanaryStarved two warning monitoring instance=a profile=default"),
            labels("MostProbesBad two critical kafka LATENCY"));

    private final List<Notification> sent = new CopyOnWriteArrayList<>();

    @AutoClose
    private final OpenResources open = new OpenResources();

    private Path directory;
    private String configuration;
    private TestAlertmanager alone;

    @BeforeAll
    void fireEverythingAtOnce(@TempDir Path directory) throws Exception {
        this.directory = directory;
        configuration = TestAlertmanager.quick("alerting/alertmanager.yml");
        PortLease lease = open.keep(PortLease.take(1));
        alone = open.keep(start("alone", lease.port(0), receiver(sent)));

        // In each pair the alert that inhibits comes first, as in reality, where the other one is
        // slower.
        List<Map<String, String>> first = new ArrayList<>();
        List<Map<String, String>> then = new ArrayList<>(GROUPED);
        first.add(OF_ANOTHER_CANARY.get(0));
        then.add(OF_ANOTHER_CANARY.get(1));
        pairs().map(Arguments::get).forEach(pair -> {
            first.add(labels((String) pair[1]));
            then.add(labels((String) pair[2]));
            then.add(labels((String) pair[3]));
        });
        alone.fire(first);
        alone.fire(then);
    }

    @Test
    void alertsOfOneNameAndClusterAreSentTogether() {
        patiently().until(() -> !receiversOf(sent, GROUPED.get(0)).isEmpty());

        assertThat(sent)
                .filteredOn(each -> each.alerts().get(0).label("cluster").equals("together"))
                .singleElement()
                .extracting(Notification::alerts, as(InstanceOfAssertFactories.list(Alert.class)))
                .extracting(Alert::labels)
                .containsExactlyInAnyOrderElementsOf(GROUPED);
    }

    /** An alert that inhibits, one that is inhibited, and one that is sent all the same. */
    static Stream<Arguments> pairs() {
        return Repository.text("proving/acceptance/src/test/resources/held-back.txt")
                .lines()
                .map(row -> Arguments.of((Object[]) row.split(" *\\| *")));
    }

    /** One of several canaries is starved; its pauses do not explain what the others see. */
    @Test
    void aStarvedCanaryThatDoesNotExplainTheLatencyInhibitsNothing() {
        eventually(() -> OF_ANOTHER_CANARY.forEach(
                alert -> assertThat(receiversOf(sent, alert)).isNotEmpty()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("pairs")
    void whatFollowsFromSomethingElseIsInhibited(String name, String source, String target, String other)
            throws IOException {
        // The other alert was sent at the same time, and waits at least as long as the inhibited
        // one.
        eventually(() -> {
            assertThat(receiversOf(sent, labels(source))).isNotEmpty();
            assertThat(receiversOf(sent, labels(other))).isNotEmpty();
        });

        assertThat(alone.status(labels(target)).path("state").asText()).isEqualTo("suppressed");
        assertThat(receiversOf(sent, labels(target))).isEmpty();
    }

    @Test
    void twoOfThemSendEverythingOnceAndSurviveOne() throws Exception {
        List<Notification> sent = new CopyOnWriteArrayList<>();
        int receiver = receiver(sent);
        PortLease http = open.keep(PortLease.take(2));
        List<Integer> gossip;
        // Gossip also needs the UDP port, which a lease would hold.
        try (PortLease peers = PortLease.take(2)) {
            gossip = peers.ports();
        }
        // // The second one waits this long for the first, 15 s by default. If the first takes
        // longer, everything is sent twice.
        String[] quick = {"--cluster.peer-timeout=5s", "--cluster.gossip-interval=50ms"};
        TestAlertmanager first = open.keep(start("first", http.port(0), receiver, peer(gossip, 0, quick)));
        TestAlertmanager second = open.keep(start("second", http.port(1), receiver, peer(gossip, 1, quick)));
        String members = "alertmanager_cluster_members";
        patiently().until(() -> first.metric(members) == 2 && second.metric(members) == 2);

        Map<String, String> silenced = labels("SLOFastBurn silent critical kafka");
        Command.of(TestServers.get(ServerKind.ALERTMANAGER).tool(), "silence", "add", "cluster=silent")
                .and("--alertmanager.url=" + first.url(), "--author=test", "--comment=maintenance")
                .output(Http.PATIENCE);
        patiently()
                .until(() -> new Http().json(second.url() + "/api/v2/silences").size() == 1);
        Map<String, String> alert = labels("SLOFastBurn both critical kafka");
        for (TestAlertmanager each : List.of(first, second)) {
            each.fire(List.of(alert, silenced));
        }
        patiently().until(() -> !receiversOf(sent, alert).isEmpty());
        // By now each has decided whether to send this group.
        String looked = "alertmanager_nflog_queries_total";
        patiently().until(() -> first.metric(looked) >= 1 && second.metric(looked) >= 1);
        assertThat(receiversOf(sent, alert)).containsExactly("pager");
        assertThat(receiversOf(sent, silenced)).isEmpty();

        first.close();
        Map<String, String> later = labels("OfflinePartitions both critical kafka");
        second.fire(List.of(later));
        eventually(() -> assertThat(receiversOf(sent, later)).containsExactly("pager"));
    }

    private static String[] peer(List<Integer> gossip, int index, String... more) {
        List<String> options = new ArrayList<>(List.of(more));
        options.add("--cluster.listen-address=127.0.0.1:" + gossip.get(index));
        options.add("--cluster.advertise-address=127.0.0.1:" + gossip.get(index));
        gossip.forEach(port -> options.add("--cluster.peer=127.0.0.1:" + port));
        return options.toArray(String[]::new);
    }

    private int receiver(List<Notification> sent) throws IOException {
        return open.keep(new ReceiverServer(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        ReceiverServer.Access.OPEN,
                        Optional.empty(),
                        InstantSource.system(),
                        sent::add))
                .port();
    }

    private TestAlertmanager start(String name, int port, int receiver, String... more) throws Exception {
        Path home = Files.createDirectories(directory.resolve(name));
        Files.writeString(home.resolve("receiver.url"), "http://127.0.0.1:" + receiver + "/\n");
        return TestAlertmanager.start(home, configuration, port, more);
    }

    private static List<String> receiversOf(List<Notification> sent, Map<String, String> labels) {
        return sent.stream()
                .filter(each -> each.alerts().stream().anyMatch(a -> a.labels().equals(labels)))
                .map(Notification::receiver)
                .toList();
    }

    /** An alert with a name, a cluster, a severity, a team and further labels. */
    private static Map<String, String> labels(String alert) {
        String[] words =
                alert.replace("LATENCY", "area=latency profile=default").split(" +");
        Map<String, String> labels = new HashMap<>();
        List<String> names = List.of("alertname", "cluster", "severity", "team");
        for (int i = 0; i < words.length; i++) {
            String pair = i < names.size() ? names.get(i) + "=" + words[i] : words[i];
            labels.put(pair.split("=")[0], pair.split("=")[1]);
        }
        return labels;
    }
}
