/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.phasewise.common.prometheus.PrometheusClient;
import io.phasewise.common.prometheus.Sample;
import io.phasewise.lab.fault.LinkDirection;
import io.phasewise.lab.junit.TestServers;
import io.phasewise.lab.kafka.KafkaCluster;
import io.phasewise.lab.measure.StandaloneCanary;
import io.phasewise.lab.net.PortLease;
import io.phasewise.lab.process.Await;
import io.phasewise.lab.server.ServerSpecs;
import io.phasewise.lab.stack.CanaryJvm;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A broker that is slow as a leader, or as a follower, is demoted: probes get as much faster, or
 * slower, as {@code demote} has predicted. The canary's topic is moved like any other, so that its
 * probes go where applications' records go. Which broker, how and how much is drawn by the seed.
 *
 * <p>What was predicted and measured is left in {@code proving/acceptance/target/demotion-gain.md}. {@code
 * -Dgain.seeds=1} runs one seed only.
 */
@Tag("long")
class DemotionGainIT {

    private static final Path FIGURES = Repository.path("proving/acceptance/target/demotion-gain.md");
    private static final Duration BOUND = Duration.ofMinutes(3);

    /** Seconds of figures before, and again after. */
    private static final int WINDOW = 60;

    private static final int PER_SECOND_AND_LEADER = 20;
    private static final int BROKERS = 3;
    private static final TypeReference<Map<String, Object>> MAP = new TypeReference<>() {};

    /** Until code is compiled, and again until the window knows nothing of the time before. */
    private static final int WARM_UP = 20;

    private static final int SETTLED = WINDOW + 10;

    private static final Pattern PREDICTED = Pattern.compile("Predicted: ([0-9.]+) ms (less|more) \\[95 %: (.+)\\]");
    private static final Pattern MEASURED =
            Pattern.compile("Measured: +([0-9.]+) ms (less|more), (within|not within) the interval");

    static Stream<Integer> seeds() {
        return Stream.of(System.getProperty("gain.seeds", "1,2,3").split(",")).map(Integer::valueOf);
    }

    /** What makes a broker slow as a leader, and as a leader only. */
    private enum SlowLeader {
        REQUESTS_LATE,
        ANSWERS_LATE,
        FOLLOWERS_SERVED_LATE;

        LinkDirection direction(KafkaCluster cluster, int broker) {
            return switch (this) {
                case REQUESTS_LATE -> cluster.clientLink(broker).toServer();
                case ANSWERS_LATE -> cluster.clientLink(broker).toClient();
                case FOLLOWERS_SERVED_LATE -> cluster.replicationLink(broker).toClient();
            };
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void ofASlowLeader(int seed, @TempDir Path directory) throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        SlowLeader kind = SlowLeader.values()[random.nextInt(SlowLeader.values().length)];
        int broker = 1 + random.nextInt(BROKERS);
        int delay = 30 + random.nextInt(91);
        try (Scene scene = new Scene(directory)) {
            scene.start(Optional.empty());
            scene.awaitProbes(WARM_UP);
            kind.direction(scene.cluster, broker).delay(Duration.ofMillis(delay));
            scene.awaitProbes(SETTLED);

            scene.demote(broker, "leader, seed " + seed + ": " + kind + " by " + delay + " ms");
        }
    }

    /** It asks for more bytes than there are, and so has no record before it gives up waiting. */
    @ParameterizedTest
    @MethodSource("seeds")
    void ofASlowFollower(int seed, @TempDir Path directory) throws Exception {
        SplittableRandom random = new SplittableRandom(-seed);
        int broker = 1 + random.nextInt(BROKERS);
        int wait = 60 + random.nextInt(181);
        try (Scene scene = new Scene(directory)) {
            scene.start(Optional.of(new SlowFollower(broker, wait)));
            scene.awaitProbes(WARM_UP + SETTLED);

            scene.demote(broker, "follower, seed " + seed + ": fetches that wait for " + wait + " ms");
        }
    }

    private record SlowFollower(int broker, int waitMillis) {
        String properties() {
            return "\nreplica.fetch.min.bytes=1000000\nreplica.fetch.wait.max.ms=" + waitMillis + "\n";
        }
    }

    /** Three brokers behind links, a canary and a Prometheus. */
    private static final class Scene implements AutoCloseable {
        private final Path directory;
        private final OpenResources parts = new OpenResources();
        private KafkaCluster cluster;
        private URI prometheus;
        private PrometheusClient client;

        Scene(Path directory) {
            this.directory = directory;
        }

        void start(Optional<SlowFollower> follower) throws Exception {
            PortLease ports = parts.keep(PortLease.take(BROKERS + 1));
            String agent = "-javaagent:" + Repository.path("exporter/target/phasewise-exporter.jar");
            Path home = directory.resolve("cluster");
            cluster = KafkaCluster.builder(Repository.ROOT, home)
                    .behindLinks()
                    .shortLived()
                    .stopGrace(Duration.ZERO)
                    .jvmOption(id -> agent + "=127.0.0.1:" + ports.port(id - 1))
                    .build();
            parts.keep(cluster);
            cluster.prepare();
            if (follower.isPresent()) {
                Files.writeString(
                        home.resolve("broker-" + follower.get().broker() + "/server.properties"),
                        follower.get().properties(),
                        StandardOpenOption.APPEND);
            }
            cluster.launch();
            cluster.awaitReady();
            StandaloneCanary canary = StandaloneCanary.start(
                    Repository.path("canary/target/phasewise-canary.jar"),
                    directory.resolve("canary"),
                    new ObjectMapper().convertValue(configuration(), MAP),
                    CanaryJvm.options());
            parts.keep(canary);
            int port = ports.port(BROKERS);
            prometheus = ServerSpecs.url(port);
            client = PrometheusClient.open(prometheus);
            parts.keep(TestServers.startPrometheus(directory.resolve("prometheus"), scrapes(canary, ports), port));
        }

        /** The canary's topic is managed as those of applications are. */
        private JsonNode configuration() {
            return Repository.documents("""
                            canary:
                              http: {port: 0}
                              clusters:
                                local:
                                  bootstrap-servers: %s
                                  probe: {rate: %d}
                                  topic: {manage: {expand: false, reassign: false, elect: false}}
                            """.formatted(cluster.bootstrap(), PER_SECOND_AND_LEADER))
                    .get(0);
        }

        private static String scrapes(StandaloneCanary canary, PortLease ports) {
            String configuration = """
                    global: {scrape_interval: 2s, scrape_native_histograms: true}
                    scrape_configs:
                      - job_name: kafka-canary
                        static_configs: [{targets: ["%s"]}]
                      - job_name: kafka-broker
                        static_configs:
                    """.formatted(URI.create(canary.url()).getAuthority());
            for (int id = 1; id <= BROKERS; id++) {
                configuration += "      - {targets: [\"127.0.0.1:%d\"], labels: {cluster: local, broker: \"%d\"}}\n"
                        .formatted(ports.port(id - 1), id);
            }
            return configuration;
        }

        /** Until as many probes have come back as are due in that time. */
        void awaitProbes(int seconds) throws Exception {
            double wanted = probes() + 1.0 * seconds * PER_SECOND_AND_LEADER * BROKERS;
            Await.that(wanted + " probes have come back", BOUND)
                    .every(Duration.ofSeconds(1))
                    .until(() -> probes() >= wanted, () -> probes() + " have");
        }

        private double probes() throws IOException, InterruptedException {
            return client.query("sum(kafka_canary_probes_total{outcome=~\"delivered|late\"})").stream()
                    .mapToDouble(Sample::value)
                    .sum();
        }

        /** As a user does, and holds what it says in the end against what it said before. */
        void demote(int broker, String fault) throws Exception {
            String said = Command.phasewise("demote", broker, "--execute")
                    .and("--bootstrap-server", cluster.bootstrap())
                    .and("--prometheus", prometheus, "--window", WINDOW)
                    .and("--keep", "none", "--file", directory.resolve("back.json"))
                    .output(BOUND);

            Matcher predicted = found(PREDICTED, said);
            Matcher measured = found(MEASURED, said);
            double gain = signed(predicted);
            double gained = signed(measured);
            boolean within = measured.group(3).equals("within");
            note(broker, fault, gain, predicted.group(3), gained, within);
            assertThat(within || Math.abs(gained - gain) <= 0.2 * Math.abs(gain))
                    .as(said)
                    .isTrue();
        }

        private static void note(int broker, String fault, double gain, String interval, double gained, boolean in)
                throws IOException {
            Files.writeString(
                    FIGURES,
                    "| broker %d, slow %s | %.1f | %s | %.1f | %s |%n"
                            .formatted(broker, fault, gain, interval, gained, in ? "yes" : "no"),
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        }

        private static Matcher found(Pattern line, String said) {
            Matcher matcher = line.matcher(said);
            assertThat(matcher.find()).as(said).isTrue();
            return matcher;
        }

        private static double signed(Matcher line) {
            double value = Double.parseDouble(line.group(1));
            return line.group(2).equals("less") ? value : -value;
        }

        @Override
        public void close() throws Exception {
            parts.close();
        }
    }
}
