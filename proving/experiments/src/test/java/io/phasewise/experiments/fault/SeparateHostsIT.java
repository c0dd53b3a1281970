/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.phasewise.common.phase.Phase;
import io.phasewise.experiments.measure.HttpPages;
import io.phasewise.lab.fault.AdjustableClock;
import io.phasewise.lab.host.Host;
import io.phasewise.lab.host.HostNetwork;
import io.phasewise.lab.kafka.KafkaCluster;
import io.phasewise.lab.measure.EvidenceRun;
import io.phasewise.lab.measure.Scrape;
import io.phasewise.lab.measure.StandaloneCanary;
import io.phasewise.lab.net.PortLease;
import io.phasewise.lab.process.Await;
import io.phasewise.lab.stack.CanaryJvm;
import io.phasewise.lab.stack.Installation;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Three brokers and a canary, each on a host of its own: network, wall clock and monotonic clock.
 * Wall clocks are up to hours apart, monotonic clocks days. Hosts are first beside each other, then
 * in three zones, then in two regions, with the canary beside broker 1. What that adds to each phase
 * of each leader follows by arithmetic from how long packets were held, and so does for whom
 * commits waited.
 *
 * <p>Probes of a leader are due every 250 ms, and commits take less. So each finds the followers'
 * fetches and the consumer's waiting at the leader, and takes one way to the leader (publish), one
 * to the slowest follower and one back (commit), one to the canary (fetch).
 */
@Tag("long")
@Isolated
class SeparateHostsIT {
    private static final Path ROOT = Path.of(System.getProperty("phasewise.root"));
    private static final int BROKERS = 3;
    private static final int CANARY = 4;
    private static final int PER_SECOND = 4;
    private static final int PROBES = Integer.getInteger("hosts.probes", 160);
    private static final String LATENCY = "kafka_canary_phase_latency_seconds";
    private static final String GATED = "kafka_commit_gated_seconds_total";

    private static final Duration NONE = Duration.ZERO;
    private static final Duration ZONE = Duration.ofNanos(500_000);
    private static final Duration REGION = Duration.ofMillis(20);

    /** What is added is 95 to 105 % of what arithmetic says, and this much more or less; seconds. */
    private static final double TOLERANCE = 0.05;

    /** What two brokers on one machine add or take away by themselves from one time to the next. */
    private static final double SLACK = 0.3e-3;

    /** By host, how far the wall clock is ahead. */
    private static final List<Duration> AHEAD =
            List.of(Duration.ofSeconds(5), Duration.ofMinutes(-90), Duration.ofHours(7), Duration.ofHours(-3));

    private final HttpPages pages = new HttpPages();
    private final List<String> wrong = new ArrayList<>();
    private final List<List<String>> table = new ArrayList<>();
    private HostNetwork network;
    private StandaloneCanary canary;
    private PortLease exporters;
    private Look look;

    /** What canary and exporters, by broker, said at one moment. */
    private record Look(Scrape canary, Map<Integer, Scrape> exporters) {}

    /** Means of some time: by leader seconds of each phase, and a commit's wait for each follower. */
    private record Means(Map<Integer, Map<String, Double>> phases, Map<Integer, Map<String, Double>> waits) {}

    @Test
    void delaysLandWhereTheyAreAndClocksCountForNothing(@TempDir Path directory) throws Exception {
        Optional<String> obstacle = HostNetwork.obstacle();
        assumeTrue(obstacle.isEmpty(), () -> "no hosts on this machine: " + obstacle.orElseThrow());
        assumeTrue(AdjustableClock.library().isPresent(), "libfaketime is not installed (Debian: faketime)");
        boolean ended = false;
        try (HostNetwork hosts = HostNetwork.of(CANARY);
                PortLease ports = PortLease.take(BROKERS)) {
            network = hosts;
            exporters = ports;
            Map<Integer, Host> all = new HashMap<>();
            for (int number = 1; number <= CANARY; number++) {
                AdjustableClock clock = new AdjustableClock(
                        AdjustableClock.library().orElseThrow(), directory.resolve("clock-" + number));
                clock.set(AHEAD.get(number - 1));
                all.put(number, hosts.host(number).withClocks(Duration.ofDays(10L * number), clock.environment()));
            }
            Installation built = new Installation(ROOT);
            built.requireBuilt();
            try (KafkaCluster kafka = KafkaCluster.builder(ROOT, directory.resolve("kafka"))
                    .brokers(BROKERS)
                    .shortLived()
                    .heapMebibytes(384)
                    .stopGrace(Duration.ZERO)
                    .hosts(all::get)
                    .jvmOption(id -> "-javaagent:" + built.brokerAgent() + "=" + exporter(id))
                    .build()) {
                kafka.start();
                canary = StandaloneCanary.launch(
                        built.canaryJar(), directory, configuration(kafka), CanaryJvm.options(), all.get(CANARY));
                try {
                    canary.awaitReady();
                    measure();
                } finally {
                    canary.close();
                }
            }
            ended = true;
        } finally {
            evidence(ended).write(ROOT.resolve("proving/experiments/target/evidence"), "separate-hosts");
        }
        assertThat(wrong).as(table.toString()).isEmpty();
    }

    private String exporter(int id) {
        return network.host(id).address() + ":" + exporters.port(id - 1);
    }

    private Map<String, Object> configuration(KafkaCluster kafka) {
        Map<String, Object> addresses = new TreeMap<>();
        for (int id = 1; id <= BROKERS; id++) {
            addresses.put(Integer.toString(id), exporter(id));
        }
        Map<String, Object> cluster = Map.of(
                "bootstrap-servers", kafka.bootstrap(),
                "probe", Map.of("rate", PER_SECOND, "schedule", "uniform"),
                "exporters", Map.of("addresses", addresses));
        Map<String, Object> http = Map.of("host", network.host(CANARY).address(), "port", 0);
        return Map.of("canary", Map.of("http", http, "clusters", Map.of("lab", cluster)));
    }

    private void measure() throws Exception {
        // JVMs compile, the clocks' windows fill.
        pass(2 * PROBES);
        Means before = means();
        assertClocksAreFalse();
        for (int near : List.of(1, CANARY)) {
            delay(near, 2, ZONE);
            delay(near, 3, ZONE);
        }
        delay(2, 3, ZONE);
        Means zones = means();
        double[] zone = {held(1, 2), held(1, 3), held(2, 3), held(CANARY, 2), held(CANARY, 3)};
        apart(NONE);
        Means between = means();
        apart(REGION);
        delay(1, 2, NONE);
        delay(CANARY, 2, NONE);
        Means regions = means();
        double[] region = {held(1, 3), held(2, 3), held(CANARY, 3)};
        apart(NONE);
        Means after = means();

        added("zones", 1, zones, before, between, 0, 2 * Math.min(zone[0], zone[1]), 0);
        added("zones", 2, zones, before, between, zone[3], 2 * Math.min(zone[0], zone[2]), zone[3]);
        added("zones", 3, zones, before, between, zone[4], 2 * Math.min(zone[1], zone[2]), zone[4]);
        added("regions", 1, regions, between, after, 0, 2 * region[0], 0);
        added("regions", 2, regions, between, after, 0, 2 * region[1], 0);
        added("regions", 3, regions, between, after, region[2], 2 * Math.min(region[0], region[1]), region[2]);
        for (int leader : List.of(1, 2)) {
            charged(leader, between, regions, 2 * region[leader - 1]);
        }
    }

    private double held(int host, int other) {
        return network.heldSeconds(host, other);
    }

    private void delay(int host, int other, Duration oneWay) {
        network.delay(host, other, oneWay);
    }

    /** Broker 3 from all others. */
    private void apart(Duration oneWay) {
        for (int other : List.of(1, 2, CANARY)) {
            delay(other, 3, oneWay);
        }
        if (oneWay.isZero()) {
            delay(1, 2, NONE);
            delay(CANARY, 2, NONE);
        }
    }

    /** The canary finds how far each broker's clock is from its own, so the clocks are false. */
    private void assertClocksAreFalse() throws Exception {
        Scrape page = look().canary();
        for (int id = 1; id <= BROKERS; id++) {
            double off = page.sum("kafka_canary_clock_offset_seconds", Scrape.label("broker", id));
            Duration set = AHEAD.get(id - 1).minus(AHEAD.get(CANARY - 1));
            if (!(Math.abs(off - set.toMillis() / 1e3) < 0.05)) {
                wrong.add("the clock of broker %d is ahead by %s, and %.3f s was found".formatted(id, set, off));
            }
        }
    }

    private void added(
            String layout,
            int leader,
            Means during,
            Means before,
            Means after,
            double publish,
            double commit,
            double fetch) {
        Map<String, Double> expected =
                Map.of(Phase.PUBLISH.label(), publish, Phase.COMMIT.label(), commit, Phase.FETCH.label(), fetch);
        List<String> row = new ArrayList<>(List.of(layout, Integer.toString(leader)));
        for (Phase phase : Phase.values()) {
            double right = expected.getOrDefault(phase.label(), 0.0);
            double usual = (before.phases().get(leader).get(phase.label())
                            + after.phases().get(leader).get(phase.label()))
                    / 2;
            double added = during.phases().get(leader).get(phase.label()) - usual;
            row.add(text("%+.3f of %.3f", 1e3 * added, 1e3 * right));
            judge(layout + ", leader " + leader + ", " + phase.label(), added, right);
        }
        table.add(row);
    }

    private void judge(String what, double seconds, double right) {
        if (!(Math.abs(seconds - right) <= TOLERANCE * right + SLACK)) {
            wrong.add(text("%s: %.3f ms, where %.3f ms are right", what, 1e3 * seconds, 1e3 * right));
        }
    }

    /**
     * Commits of a leader near broker 1 wait for broker 3, which is far away. For others they wait
     * only until the near follower has the record, too: not longer than a commit takes without a
     * delay.
     */
    private void charged(int leader, Means near, Means regions, double right) {
        Map<String, Double> waits = regions.waits().get(leader);
        double far = waits.get("3");
        double others = sum(waits) - far;
        judge("regions, leader " + leader + ", charged to follower 3", far, right);
        double most = sum(near.waits().get(leader)) + SLACK;
        if (!(others <= most)) {
            wrong.add(text(
                    "regions, leader %d: %.3f ms are charged to others, at most %.3f ms are right",
                    leader, 1e3 * others, 1e3 * most));
        }
        table.add(List.of("regions: waits of a commit", Integer.toString(leader), "", "", waits.toString(), "", ""));
    }

    private static double sum(Map<String, Double> seconds) {
        return seconds.values().stream().mapToDouble(Double::doubleValue).sum();
    }

    private static String text(String form, Object... values) {
        return String.format(Locale.ROOT, form, values);
    }

    private Means means() throws Exception {
        // A longer way is believed after two seconds, and marks come a second later.
        pass(4 * PER_SECOND);
        Look from = look;
        pass(PROBES);
        Map<Integer, Map<String, Double>> phases = new HashMap<>();
        Map<Integer, Map<String, Double>> waits = new HashMap<>();
        for (int leader = 1; leader <= BROKERS; leader++) {
            Map<String, Double> means = new HashMap<>();
            for (Phase phase : Phase.values()) {
                String[] labels = {Scrape.label("leader", leader), Scrape.label("phase", phase.label())};
                means.put(
                        phase.label(),
                        look.canary().grown(from.canary(), LATENCY + "_sum", labels)
                                / look.canary().grown(from.canary(), LATENCY + "_count", labels));
            }
            phases.put(leader, means);
            waits.put(leader, waits(leader, from));
        }
        return new Means(phases, waits);
    }

    /** Mean seconds that a probe's commit waited, by what is charged. */
    private Map<String, Double> waits(int leader, Look from) {
        Scrape before = from.exporters().get(leader);
        Scrape after = look.exporters().get(leader);
        double probes = look.canary()
                .grown(
                        from.canary(),
                        LATENCY + "_count",
                        Scrape.label("leader", leader),
                        Scrape.label("phase", "commit"));
        Map<String, Double> waits = new TreeMap<>();
        for (String charged : List.of("1", "2", "3", "several", "leader")) {
            waits.put(charged, after.grown(before, GATED, Scrape.label("follower", charged)) / probes);
        }
        return waits;
    }

    private Look look() throws IOException, InterruptedException {
        Map<Integer, Scrape> brokers = new HashMap<>();
        for (int id = 1; id <= BROKERS; id++) {
            brokers.put(id, pages.scrape("http://" + exporter(id) + "/metrics").page());
        }
        return new Look(pages.scrape(canary.url() + "/metrics").page(), brokers);
    }

    /** Waits until so many more probes of each leader were split, and looks then. */
    private void pass(int probes) throws IOException, InterruptedException {
        Scrape from = look().canary();
        Await.that(probes + " probes of each leader are split", Duration.ofSeconds(30 + 2L * probes / PER_SECOND))
                .every(Duration.ofMillis(500))
                .until(() -> fewest(from) >= probes, () -> "of one only some are");
        look = look();
    }

    private double fewest(Scrape from) throws IOException, InterruptedException {
        Scrape now = pages.scrape(canary.url() + "/metrics").page();
        return Stream.of(1, 2, 3)
                .mapToDouble(id -> now.grown(from, LATENCY + "_count", Scrape.label("leader", id), "phase=\"fetch\""))
                .min()
                .orElseThrow();
    }

    private EvidenceRun evidence(boolean ended) throws Exception {
        List<String> columns = new ArrayList<>(List.of("hosts", "leader"));
        Stream.of(Phase.values()).map(Phase::label).forEach(columns::add);
        return EvidenceRun.now(
                ROOT,
                "mvn verify -pl proving/experiments,lab/kafka-4.4 -am -Dit.test=SeparateHostsIT -Dtests.included=long"
                        + " -Dtests.excluded=none",
                ended && wrong.isEmpty(),
                wrong,
                columns,
                table);
    }
}
