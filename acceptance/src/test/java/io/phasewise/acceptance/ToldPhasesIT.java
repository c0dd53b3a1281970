/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.phasewise.lab.kafka.KafkaBroker;
import io.phasewise.lab.kafka.KafkaCluster;
import io.phasewise.lab.measure.StandaloneCanary;
import io.phasewise.lab.net.PortLease;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Delays land in their phase where the leader tells when it appended and committed a probe: at the
 * canary's default settings, with every broker's stamps hours away and drifting.
 */
class ToldPhasesIT {
    private static final int BROKERS = 3;
    private static final Path ROOT = Path.of(System.getProperty("phasewise.root"));
    private static final Pattern PHASE =
            Pattern.compile(
                    "(?m)^kafka_canary_phase_latency_seconds_(sum|count)\\{.*?leader=\"1\""
                            + ".*?phase=\"(\\w+)\".*?} (\\S+)");
    private static final int PROBES_PER_SECOND = 20;
    private static final Duration DELAY = Duration.ofMillis(100);

    private final Http http = new Http();

    @Test
    void delaysLandInTheirPhase(@TempDir Path directory) throws Exception {
        // One standstill of a busy machine's second is 3 ms in each of 300 probes.
        check(directory, Duration.ofSeconds(15), 0.85);
    }

    @Tag("long")
    @Test
    void andStayThereForMinutes(@TempDir Path directory) throws Exception {
        check(directory, Duration.ofSeconds(180), 0.95);
    }

    private interface Fault {
        void begin() throws Exception;

        void end() throws Exception;
    }

    private void check(Path directory, Duration length, double share) throws Exception {
        List<ShiftedMarks> shifted = new ArrayList<>();
        try (PortLease ports = PortLease.take(BROKERS);
                KafkaCluster cluster =
                        KafkaCluster.builder(ROOT, directory.resolve("kafka"))
                                .shortLived()
                                .behindLinks()
                                .jvmOption(id -> agent(ports.port(id - 1)))
                                .build()) {
            cluster.start();
            Map<String, String> exporters = new HashMap<>();
            for (int id = 1; id <= BROKERS; id++) {
                ShiftedMarks marks = new ShiftedMarks(ports.port(id - 1), id);
                shifted.add(marks);
                exporters.put(String.valueOf(id), "127.0.0.1:" + marks.port());
            }
            try (StandaloneCanary canary =
                    StandaloneCanary.start(
                            ROOT.resolve("canary/target/phasewise-canary.jar"),
                            directory.resolve("canary"),
                            configuration(cluster.bootstrap(), exporters),
                            ToldPhasesIT::command)) {
                cluster.withLogsOnFailure(
                        () -> {
                            faults(cluster, canary, length, share);
                            return null;
                        });
            }
        } finally {
            shifted.forEach(ShiftedMarks::close);
        }
    }

    private static String agent(int port) {
        Path jar = ROOT.resolve("exporter/target/phasewise-exporter.jar");
        return "-javaagent:" + jar + "=127.0.0.1:" + port;
    }

    private static List<String> command(List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(arguments);
        return command;
    }

    private static Map<String, Object> configuration(
            String bootstrap, Map<String, String> exporters) {
        return Map.of(
                "canary",
                Map.of(
                        "http",
                        Map.of("port", 0),
                        "clusters",
                        Map.of(
                                "lab",
                                Map.of(
                                        "bootstrap-servers",
                                        bootstrap,
                                        "exporters",
                                        Map.of("addresses", exporters)))));
    }

    private void faults(
            KafkaCluster cluster, StandaloneCanary canary, Duration length, double share)
            throws Exception {
        pass(canary, length);
        StringBuilder table = new StringBuilder();
        Reading before = read(canary);
        pass(canary, length);
        Map<String, Double> healthy = read(canary).since(before);
        table.append(line("healthy", healthy));
        assertThat(http.text(canary.url() + "/metrics"))
                .containsPattern("phase_source\\{.*leader=\"1\".*source=\"broker\"} 1");
        Map<String, Fault> faults = new TreeMap<>();
        faults.put("publish", delay(cluster, true));
        faults.put("fetch", delay(cluster, false));
        faults.put("commit", pauses(cluster.broker(2)));
        Map<String, Map<String, Double>> grown = new TreeMap<>();
        for (Map.Entry<String, Fault> fault : faults.entrySet()) {
            fault.getValue().begin();
            try {
                // Phases are told a second later.
                pass(canary, Duration.ofSeconds(3));
                before = read(canary);
                pass(canary, length);
                Map<String, Double> during = read(canary).since(before);
                table.append(line(fault.getKey(), during));
                healthy.forEach((phase, usual) -> during.merge(phase, -usual, Double::sum));
                grown.put(fault.getKey(), during);
            } finally {
                fault.getValue().end();
            }
            pass(canary, Duration.ofSeconds(3));
        }
        Files.writeString(Path.of("target", "told-phases-" + length.toSeconds() + ".txt"), table);
        double delay = DELAY.toMillis() / 1e3;
        double right = share * delay;
        double wrong = (1 - share) * delay;
        String means = table.toString().replace("\n", "; ");
        assertThat(grown.get("publish").get("publish")).as(means).isGreaterThan(right);
        assertThat(grown.get("publish").get("commit")).as(means).isLessThan(wrong);
        assertThat(grown.get("fetch").get("fetch")).as(means).isGreaterThan(right);
        assertThat(grown.get("fetch").get("commit")).as(means).isLessThan(wrong);
        assertThat(grown.get("fetch").get("catch_up")).as(means).isLessThan(wrong);
        double all = grown.get("commit").values().stream().mapToDouble(s -> Math.max(0, s)).sum();
        assertThat(grown.get("commit").get("commit")).as(means).isGreaterThan(share * all);
    }

    private static Fault delay(KafkaCluster cluster, boolean there) {
        return new Fault() {
            @Override
            public void begin() {
                set(DELAY);
            }

            @Override
            public void end() {
                set(Duration.ZERO);
            }

            private void set(Duration delay) {
                (there ? cluster.clientLink(1).there() : cluster.clientLink(1).back()).delay(delay);
            }
        };
    }

    /** Leader 1 waits for a follower that stands still for 400 ms in every two seconds. */
    private static Fault pauses(KafkaBroker broker) {
        return new Fault() {
            private volatile boolean ended;
            private Thread thread;

            @Override
            public void begin() {
                thread =
                        new Thread(
                                () -> {
                                    try {
                                        while (!ended) {
                                            broker.pause();
                                            TimeUnit.MILLISECONDS.sleep(400);
                                            broker.resume();
                                            TimeUnit.MILLISECONDS.sleep(1_600);
                                        }
                                    } catch (InterruptedException e) {
                                        throw new IllegalStateException(e);
                                    }
                                });
                thread.start();
            }

            @Override
            public void end() throws InterruptedException {
                ended = true;
                thread.join();
            }
        };
    }

    private static String line(String what, Map<String, Double> means) {
        StringBuilder line = new StringBuilder(String.format("%-8s", what));
        means.forEach(
                (phase, seconds) ->
                        line.append(String.format(Locale.ROOT, " %s %.2f", phase, 1e3 * seconds)));
        return line.append(" ms\n").toString();
    }

    /** Sums and counts of leader 1's phases, and of the estimates' errors. */
    private record Reading(Map<String, Double> sums, Map<String, Double> counts) {
        /** Means, seconds. */
        Map<String, Double> since(Reading before) {
            Map<String, Double> means = new TreeMap<>();
            sums.forEach(
                    (phase, sum) ->
                            means.put(
                                    phase,
                                    (sum - before.sums.get(phase))
                                            / (counts.get(phase) - before.counts.get(phase))));
            return means;
        }
    }

    private Reading read(StandaloneCanary canary) throws IOException {
        Reading reading = new Reading(new TreeMap<>(), new TreeMap<>());
        Matcher matcher = PHASE.matcher(http.text(canary.url() + "/metrics"));
        while (matcher.find()) {
            (matcher.group(1).equals("sum") ? reading.sums : reading.counts)
                    .put(matcher.group(2), Double.parseDouble(matcher.group(3)));
        }
        return reading;
    }

    /** Waits until as many probes of leader 1 were split as it gets in a time. */
    private void pass(StandaloneCanary canary, Duration time) throws IOException {
        double enough = read(canary).counts.get("fetch") + PROBES_PER_SECOND * time.toSeconds();
        await().atMost(time.multipliedBy(2).plusSeconds(30))
                .until(() -> read(canary).counts.get("fetch") >= enough);
    }
}
