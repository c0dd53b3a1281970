/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import static io.phasewise.canary.it.RunningCanary.awaitThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.phasewise.kafka.StrangePort;
import io.phasewise.kafka.StrangePort.Kind;
import io.phasewise.lab.junit.SideBySide;
import io.phasewise.lab.kafka.ClusterSettings.BrokerPorts;
import io.phasewise.lab.kafka.KafkaCluster;
import io.phasewise.lab.net.PortLease;
import io.phasewise.lab.process.Programs;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.utils.Utils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Ports that are no Kafka broker, or turn into something else while a canary runs, take no more
 * memory than a bound and are named; with the JVM's options as shipped.
 */
class StrangePortsIT {
    private static final List<String> SHIPPED =
            List.of("-Xms128m", "-Xmx128m", "-XX:+UseZGC", "-XX:+ExitOnOutOfMemoryError");

    @TempDir
    Path directory;

    /** Closed in this order. */
    private final List<AutoCloseable> open = new CopyOnWriteArrayList<>();

    @AfterEach
    void closeAll() throws Exception {
        TestClusters.close(open.toArray(AutoCloseable[]::new));
    }

    private StrangePort port(Kind kind) throws Exception {
        StrangePort port = new StrangePort(kind);
        open.add(port);
        return port;
    }

    @TestFactory
    Stream<DynamicTest> cases() {
        return new SideBySide()
                .with(
                        "aBrokerThatTurnsToTlsIsNamedAndMeasuredAgainWhenItIsBackAndOthersAreMeasuredMeanwhile",
                        this::aBrokerThatTurnsToTlsIsNamedAndMeasuredAgainWhenItIsBackAndOthersAreMeasuredMeanwhile)
                .with(
                        "noKindOfClientTakesMoreMemoryThanItHasWhateverAnswers",
                        this::noKindOfClientTakesMoreMemoryThanItHasWhateverAnswers)
                .with(
                        "withKafkasOwnClassInTheFirstPlaceTheMemoryDoesNotSuffice",
                        this::withKafkasOwnClassInTheFirstPlaceTheMemoryDoesNotSuffice)
                .run(3);
    }

    private void noKindOfClientTakesMoreMemoryThanItHasWhateverAnswers() throws Exception {
        List<String> addresses = new ArrayList<>();
        for (Kind kind : Kind.values()) {
            addresses.add(port(kind).address());
        }
        assertThat(everyClient(System.getProperty("java.class.path"), addresses))
                .as("the memory sufficed")
                .isZero();
    }

    /** What shows that the test above can fail. */
    private void withKafkasOwnClassInTheFirstPlaceTheMemoryDoesNotSuffice() throws Exception {
        Path kafkas = Path.of(
                Utils.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        String classPath = Stream.of(kafkas.toString(), System.getProperty("java.class.path"))
                .collect(Collectors.joining(File.pathSeparator));
        assertThat(everyClient(classPath, List.of(port(Kind.TLS_ALERT).address())))
                .as("the code that the JVM ends with where the memory does not suffice")
                .isEqualTo(3);
    }

    private static int everyClient(String classPath, List<String> addresses) throws Exception {
        List<String> command = new ArrayList<>(List.of(Programs.java()));
        command.addAll(SHIPPED);
        command.addAll(List.of("-cp", classPath, EveryClient.class.getName()));
        command.addAll(addresses);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).as(said).isTrue();
        return process.exitValue();
    }

    private void aBrokerThatTurnsToTlsIsNamedAndMeasuredAgainWhenItIsBackAndOthersAreMeasuredMeanwhile()
            throws Exception {
        PortLease ports = PortLease.take(2);
        open.add(ports);
        KafkaCluster turning = TestClusters.own(
                directory.resolve("turning"),
                1,
                "offsets.topic.num.partitions=1",
                more -> more.ports(id -> new BrokerPorts(ports.port(0), ports.port(1))));
        open.add(0, turning);
        turning.start();
        KafkaCluster sound =
                TestClusters.own(directory.resolve("sound"), 1, "offsets.topic.num.partitions=1", more -> more);
        open.add(0, sound);
        sound.start();
        RunningCanary canary = RunningCanary.shipped(directory, """
                clusters:
                  turning: {bootstrap-servers: "%1$s", topic: {replication-factor: 1}}
                  wants-tls: {bootstrap-servers: "%1$s", client: {security.protocol: SSL}}
                  http: {bootstrap-servers: "%2$s"}
                  zeros: {bootstrap-servers: "%3$s"}
                  flood: {bootstrap-servers: "%4$s"}
                  sound: {bootstrap-servers: "%5$s", topic: {replication-factor: 1}}
                """.formatted(
                        turning.bootstrap(),
                        port(Kind.HTTP).address(),
                        port(Kind.ZEROS).address(),
                        port(Kind.FLOOD).address(),
                        sound.bootstrap()));
        open.add(0, canary);
        awaitDelivered(canary, "turning");
        awaitDelivered(canary, "sound");
        awaitProblem(
                canary,
                "wants-tls",
                "client.security.protocol",
                turning.bootstrap()
                        + " speaks Kafka without TLS: set client.security.protocol to PLAINTEXT or SASL_PLAINTEXT");
        awaitProblem(canary, "http", "bootstrap-servers", "it answers HTTP");
        awaitProblem(canary, "zeros", "bootstrap-servers", "it answers the bytes 00 00 00 00");
        awaitProblem(canary, "flood", "bootstrap-servers", "it answers the bytes 00 70 00 00");
        canary.await(
                "counted", now -> now.sum("kafka_canary_errors_total", "cluster=http", "error=WrongPortException") > 0);

        turning.stop();
        String speaksTls = "speaks TLS: set client.security.protocol to SSL or SASL_SSL";
        try (StrangePort tls = new StrangePort(Kind.TLS_ALERT, ports.port(0))) {
            awaitProblem(canary, "turning", "client.security.protocol", speaksTls);
            assertThat(tls.connections()).isPositive();
        }
        // Every client is still there, and reads what comes.
        try (StrangePort zeros = new StrangePort(Kind.ZEROS, ports.port(0))) {
            awaitProblem(canary, "turning", "bootstrap-servers", "it answers the bytes 00 00 00 00");
            awaitDelivered(canary, "sound");
            assertThat(zeros.connections()).isPositive();
        }

        assertThat(canary.log().lines().filter(line -> line.contains(" ERROR ")))
                .as("each client's error is logged once a minute")
                .hasSizeLessThan(60);

        turning.start();
        canary.awaitNoProblems("turning");
        awaitDelivered(canary, "turning");
        assertThat(canary.problems("sound")).isEqualTo("[]");
        assertThat(canary.log()
                        .lines()
                        .filter(line -> line.contains("cluster turning: client.security.protocol: ")
                                && line.contains(speaksTls)))
                .as("logged once")
                .hasSize(1);
    }

    private static void awaitDelivered(RunningCanary canary, String cluster) {
        double before = canary.scrape().probes("delivered", "cluster=" + cluster);
        canary.await("probes of " + cluster, now -> now.probes("delivered", "cluster=" + cluster) > before + 20);
    }

    private static void awaitProblem(RunningCanary canary, String cluster, String key, String message) {
        awaitThat(cluster + " has a problem with " + key, () -> {
            JsonNode problems = canary.cluster(cluster).get("problems");
            assertThat(problems)
                    .filteredOn(problem -> problem.get("key").asText().equals(key))
                    .anyMatch(problem -> problem.get("message").asText().contains(message));
        });
    }
}
