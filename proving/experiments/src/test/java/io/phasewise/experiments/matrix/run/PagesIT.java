/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.experiments.fault.ActiveFault;
import io.phasewise.experiments.fault.Fault;
import io.phasewise.experiments.fault.FaultTarget;
import io.phasewise.experiments.fault.restart.KilledBrokers;
import io.phasewise.experiments.matrix.scene.Monitoring;
import io.phasewise.experiments.matrix.scene.Scene;
import io.phasewise.lab.fault.LinkDirection;
import io.phasewise.lab.kafka.KafkaBroker;
import io.phasewise.lab.process.Await;
import io.phasewise.lab.receiver.Notification;
import io.phasewise.lab.receiver.ReceiverServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.apache.commons.statistics.descriptive.Median;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * From an outage to the webhook's call, in seconds: brokers, canary, Prometheus and Alertmanager
 * with the settings that they are shipped with, but for what ends a row of the matrix in time. Each
 * outage has a Prometheus and an Alertmanager of its own, so that none finds an alert of the one
 * before.
 *
 * <p>The figures are left in {@code proving/experiments/target/pages.md}.
 */
@Tag("long")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PagesIT {
    private static final int OUTAGES = Integer.getInteger("pages.outages", 10);

    /** Of these, the first ones that are left out. */
    private static final int SKIPPED = Integer.getInteger("pages.skipped", 0);

    /** Where in the intervals of scrapes and evaluations a fault falls is drawn. */
    private static final long SEED = 26;

    private static final String PAGE = "MostProbesBad";
    private static final double GOAL_SECONDS = 15;

    /** No page by then is a failure. */
    private static final Duration BOUND = Duration.ofSeconds(60);

    /** An outage lasts on after its page: nobody may be told that it is over. */
    private static final Duration HOLDS = Duration.ofSeconds(20);

    /** Without a fault, in which nobody may be paged. */
    private static final Duration CALM = Duration.ofSeconds(30);

    private static final Duration INTERVAL = Duration.ofSeconds(5);
    private static final Path ROOT = Path.of(System.getProperty("phasewise.root"));

    /** Each with its name, in turn. */
    private static final List<Map.Entry<String, Fault>> FAULTS = List.of(
            Map.entry("all killed", new KilledBrokers(List.of(1, 2, 3), false)),
            Map.entry("all paused", new KilledBrokers(List.of(1, 2, 3), true)),
            Map.entry("path cut", PagesIT::pathCut),
            Map.entry("two of three paused", new KilledBrokers(List.of(2, 3), true)));

    private static ActiveFault pathCut(FaultTarget target) {
        List<LinkDirection> directions = target.cluster().brokers().stream()
                .map(broker -> target.cluster().clientLink(broker.id()))
                .flatMap(link -> Stream.of(link.toServer(), link.toClient()))
                .toList();
        directions.forEach(LinkDirection::pause);
        return () -> directions.forEach(LinkDirection::resume);
    }

    /** A notification for the page. */
    private record Told(Instant at, boolean firing) {}

    private final List<Told> told = new CopyOnWriteArrayList<>();
    private final Random random = new Random(SEED);

    private ReceiverServer receiver;
    private Scene scene;

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        receiver = receiver();
        scene = Scene.start(ROOT, directory, Scene.USUAL);
    }

    @AfterAll
    void stop() throws Exception {
        if (scene != null) {
            scene.close();
        }
        if (receiver != null) {
            receiver.close();
        }
    }

    @Test
    void nobodyIsPagedForTheRestartOfOneBroker(@TempDir Path directory) throws Exception {
        try (Monitoring monitoring = watch(directory)) {
            KafkaBroker broker = scene.cluster().broker(3);
            broker.stop();
            broker.start();
            broker.awaitRegistered();
            passesWithoutAPage(CALM, "the restart of one broker");
        }
    }

    @Test
    void anOutageIsPagedWithinFifteenSeconds(@TempDir Path directory) throws Exception {
        StringBuilder table = new StringBuilder("| outage | seconds to the page |\n|---|---|\n");
        List<Double> seconds = new ArrayList<>();
        try {
            for (int i = SKIPPED; i < OUTAGES; i++) {
                Map.Entry<String, Fault> outage = FAULTS.get(i % FAULTS.size());
                try (Monitoring monitoring = watch(directory.resolve("outage-" + i))) {
                    double after = page(outage);
                    seconds.add(after);
                    String line = String.format(Locale.ROOT, "| %s | %.1f |%n", outage.getKey(), after);
                    table.append(line);
                    System.out.print(line);
                }
            }
        } finally {
            Files.writeString(ROOT.resolve("proving/experiments/target/pages.md"), table);
        }
        double[] all = seconds.stream().mapToDouble(Double::doubleValue).toArray();
        assertThat(Median.withDefaults().evaluate(all)).as("%s", table).isLessThanOrEqualTo(GOAL_SECONDS);
    }

    private ReceiverServer receiver() throws Exception {
        return new ReceiverServer(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                ReceiverServer.Access.OPEN,
                Optional.empty(),
                Clock.systemUTC(),
                this::take);
    }

    private void take(Notification notification) {
        for (Notification.Alert alert : notification.alerts()) {
            if (alert.label("alertname").equals(PAGE) && alert.label("cluster").equals(Scene.WITH_EXPORTERS)) {
                told.add(new Told(Instant.parse(notification.receivedAt()), alert.firing()));
            }
        }
    }

    /** With a Prometheus that has seen a calm cluster, and nobody who was paged. */
    private Monitoring watch(Path home) throws Exception {
        scene.canary().awaitReady();
        Await.that("the canary suspects no outage", BOUND)
                .until(() -> scene.canary().scrape().sum("kafka_canary_outage_suspected") == 0, () -> "it does");
        Monitoring monitoring = Monitoring.start(ROOT, home, scene);
        // Alertmanager reads it at each notification.
        Files.writeString(home.resolve("alertmanager/receiver.url"), "http://127.0.0.1:" + receiver.port() + "/\n");
        told.clear();
        passesWithoutAPage(CALM, "no fault");
        return monitoring;
    }

    private double page(Map.Entry<String, Fault> outage) throws Exception {
        Thread.sleep(random.nextLong(INTERVAL.toMillis()));
        Instant begin = Instant.now();
        try (ActiveFault fault = outage.getValue().begin(scene.target())) {
            Await.that("a page for " + outage.getKey(), BOUND)
                    .every(Duration.ofMillis(100))
                    .until(() -> !told.isEmpty(), () -> "none yet");
            Instant end = Instant.now().plus(HOLDS);
            while (Instant.now().isBefore(end)) {
                assertThat(told).as("told in %s", outage.getKey()).allMatch(Told::firing);
                Thread.sleep(100);
            }
        }
        return Duration.between(begin, told.get(0).at()).toMillis() / 1e3;
    }

    private void passesWithoutAPage(Duration time, String what) throws InterruptedException {
        Instant end = Instant.now().plus(time);
        while (Instant.now().isBefore(end)) {
            assertThat(told).as("pages for %s", what).isEmpty();
            Thread.sleep(100);
        }
    }
}
