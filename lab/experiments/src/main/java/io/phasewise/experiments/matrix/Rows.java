/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix;

import io.phasewise.common.phase.Phase;
import io.phasewise.experiments.fault.Fault;
import io.phasewise.experiments.fault.Recurring;
import io.phasewise.experiments.fault.StallingBroker;
import io.phasewise.lab.fault.FalseClock;
import io.phasewise.lab.fault.Way;
import io.phasewise.lab.kafka.KafkaBroker;
import io.phasewise.lab.kafka.KafkaCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.apache.kafka.common.quota.ClientQuotaAlteration;
import org.apache.kafka.common.quota.ClientQuotaEntity;

/** The faults of the matrix, in order. */
public final class Rows {
    private static final double DELAY_MS = 100;

    /** Twice what the canary's probes need, so that each takes its time and none is lost. */
    private static final long NARROW_BYTES_PER_SECOND = 60_000;

    private static final Duration LINK = Duration.ofSeconds(8);

    /** A rise of the way back is believed after two seconds, which must be less than a tenth. */
    private static final Duration WAY_BACK = Duration.ofSeconds(30);

    private static final Duration STALLS = Duration.ofSeconds(14);
    private static final Duration SHORT = Duration.ofSeconds(5);

    /** Prometheus looks every 5 s, and most rules want a fault to last. */
    private static final Duration LONG = Duration.ofSeconds(100);

    private static final Set<Integer> ALL = Set.of(1, 2, 3);
    private static final String TOPIC = "phasewise-canary";
    private static final long ADMIN_SECONDS = 30;

    private Rows() {}

    /**
     * All rows.
     *
     * @param withAlerts whether faults last long enough for the alerts that they should raise
     */
    public static List<Row> all(boolean withAlerts) {
        StallingBroker follower =
                new StallingBroker(3, Duration.ofMillis(600), Duration.ofMillis(1_130));
        StallingBroker leader =
                new StallingBroker(1, Duration.ofMillis(600), Duration.ofMillis(1_130));
        Duration outage = withAlerts ? LONG : SHORT;
        return List.of(
                // First those in which no alert may fire: nothing stands yet that has to end.
                restart("prometheus-restarts", "Prometheus", Monitoring::restartPrometheus),
                restart("alertmanager-restarts", "Alertmanager", Monitoring::restartAlertmanager),
                Row.of(
                        "rolling-restart",
                        "every broker is shut down in an orderly way and started again, in turn",
                        Rows::roll,
                        Duration.ofSeconds(1),
                        Effect.LOSES_NOTHING,
                        ALL),
                // CanaryStarved weighs the last five minutes: before rows with bad probes of
                // others.
                Row.of(
                                "canary-stalls",
                                "the canary itself stands still for 500 ms of every 1500 ms",
                                scene ->
                                        CanaryRows.stall(
                                                scene,
                                                Duration.ofMillis(500),
                                                Duration.ofMillis(1_500)),
                                withAlerts ? Duration.ofSeconds(40) : STALLS,
                                Effect.IS_FELT,
                                ALL)
                        .raisingIf(withAlerts, "CanaryStarved"),
                delay(
                        "delay-to-leader",
                        "100 ms on the way to broker 1",
                        Phase.PUBLISH,
                        1,
                        LINK,
                        cluster -> cluster.clientLink(1).there()),
                delay(
                        "delay-from-leader",
                        "100 ms on the way back from broker 2",
                        Phase.FETCH,
                        2,
                        WAY_BACK,
                        cluster -> cluster.clientLink(2).back()),
                delay(
                        "delay-replication",
                        "100 ms from broker 1 to its followers",
                        Phase.COMMIT,
                        1,
                        LINK,
                        cluster -> cluster.replicationLink(1).back()),
                Row.of(
                        "narrow-path-to-leader",
                        "no more than 60,000 bytes a second on the way to broker 1",
                        scene -> {
                            Way narrow = scene.cluster().clientLink(1).there();
                            narrow.narrow(NARROW_BYTES_PER_SECOND);
                            return () -> narrow.narrow(Way.UNBOUNDED);
                        },
                        LINK,
                        Effect.IS_FELT,
                        Set.of(1)),
                Row.of(
                                "follower-stalls",
                                follower.about() + " (SIGSTOP)",
                                scene -> follower.begin(scene),
                                STALLS,
                                Effect.MOVES_PHASES,
                                Set.of(1, 2))
                        .moving(Phase.COMMIT, follower.meanWaitMillis()),
                Row.of(
                        "leader-stalls",
                        leader.about() + " (SIGSTOP), its own probes",
                        scene -> leader.begin(scene),
                        STALLS,
                        Effect.IS_FELT,
                        Set.of(1)),
                Row.of(
                                "isr-shrinks",
                                "broker 3 stands still (SIGSTOP) until it is out of sync, then goes"
                                        + " on",
                                scene -> {
                                    KafkaBroker broker = scene.cluster().broker(3);
                                    broker.pause();
                                    return broker::resume;
                                },
                                withAlerts ? LONG : Duration.ofSeconds(12),
                                Effect.IS_FELT,
                                Set.of(1, 2))
                        .raisingIf(withAlerts, "BrokerDown")
                        // Whether it is found out before probes sent to it are given up varies.
                        .permitting("ProbesLost"),
                Row.of(
                                "leader-killed",
                                "broker 2 is killed (SIGKILL) and started again later",
                                scene -> {
                                    KafkaBroker broker = scene.cluster().broker(2);
                                    broker.kill();
                                    return broker::start;
                                },
                                outage,
                                Effect.IS_FELT,
                                ALL)
                        .raisingIf(withAlerts, "BrokerDown"),
                Row.of(
                                "topic-deleted",
                                "the canary's topic is deleted",
                                Rows::deleteTopic,
                                SHORT,
                                Effect.IS_FELT,
                                ALL)
                        .raisingIf(withAlerts, "ProbesLost"),
                Row.of(
                        "connections-cut",
                        "all connections of clients to broker 1 break twice a second",
                        Rows::cutConnections,
                        Duration.ofSeconds(6),
                        Effect.IS_FELT,
                        Set.of(1)),
                Row.of(
                        "consumers-throttled",
                        "every client id may fetch 1000 bytes a second (quota)",
                        scene -> throttle(scene, "consumer_byte_rate", 1_000),
                        Duration.ofSeconds(15),
                        Effect.IS_FELT,
                        ALL),
                Row.of(
                                "producers-throttled",
                                "every client id may produce 20 bytes a second (quota)",
                                scene -> throttle(scene, "producer_byte_rate", 20),
                                Duration.ofSeconds(15),
                                Effect.IS_FELT,
                                ALL)
                        .raisingIf(withAlerts, "ProbesLost"),
                Row.of(
                                "cluster-down",
                                "all brokers are killed (SIGKILL) and started again later",
                                Rows::killAll,
                                outage,
                                Effect.IS_FELT,
                                ALL)
                        .raisingIf(withAlerts, "ClusterDown", "BrokerDown", "ProbesLost")
                        .permitting("NoActiveController"),
                Row.of(
                                "clock-steps",
                                "the clock of broker "
                                        + Scene.CLOCK_BROKER
                                        + " is set 5 s ahead, and right again later",
                                Rows::setClock,
                                Duration.ofSeconds(10),
                                Effect.MOVES_NO_PHASE,
                                Set.of(Scene.CLOCK_BROKER))
                        .permitting("ClockUncertain")
                        .needing(Row.Needs.CLOCK));
    }

    private interface Restart {
        void of(Monitoring monitoring) throws IOException, InterruptedException;
    }

    private static Row restart(String name, String server, Restart restart) {
        return Row.of(
                        name,
                        server + " is killed (SIGKILL) and started again on its data",
                        scene -> {
                            restart.of(scene.monitoring().orElseThrow());
                            return () -> {};
                        },
                        Duration.ofSeconds(20),
                        Effect.LOSES_NOTHING,
                        ALL)
                .needing(Row.Needs.ALERTS);
    }

    private static Row delay(
            String name,
            String about,
            Phase phase,
            int leader,
            Duration holds,
            Function<KafkaCluster, Way> way) {
        return Row.of(
                        name,
                        about,
                        scene -> {
                            Way slow = way.apply(scene.cluster());
                            slow.delay(Duration.ofMillis((long) DELAY_MS));
                            return () -> slow.delay(Duration.ZERO);
                        },
                        holds,
                        Effect.MOVES_PHASES,
                        Set.of(leader))
                .moving(phase, DELAY_MS);
    }

    private static Fault.Broken roll(Scene scene) throws InterruptedException {
        for (KafkaBroker broker : scene.cluster().brokers()) {
            try {
                broker.stop();
            } finally {
                broker.start();
            }
            // The next one goes only when this one leads again and follows: as an operator would.
            scene.canary().awaitReady();
        }
        return () -> {};
    }

    private static Fault.Broken deleteTopic(Scene scene) throws InterruptedException {
        done(
                () ->
                        scene.cluster()
                                .admin()
                                .deleteTopics(List.of(TOPIC))
                                .all()
                                .get(ADMIN_SECONDS, TimeUnit.SECONDS));
        return () -> {};
    }

    private static Fault.Broken cutConnections(Scene scene) {
        return Recurring.every(
                Duration.ofMillis(500),
                scene.cluster().clientLink(1)::sever,
                Duration.ofSeconds(ADMIN_SECONDS),
                () -> {});
    }

    private static Fault.Broken setClock(Scene scene) {
        FalseClock clock = scene.clock().orElseThrow();
        clock.set(Duration.ofSeconds(5));
        return () -> clock.set(Duration.ZERO);
    }

    private static Fault.Broken throttle(Scene scene, String quota, double bytesPerSecond)
            throws InterruptedException {
        quota(scene, quota, bytesPerSecond);
        return () -> quota(scene, quota, null);
    }

    private static void quota(Scene scene, String quota, Double bytesPerSecond)
            throws InterruptedException {
        ClientQuotaEntity every =
                new ClientQuotaEntity(Collections.singletonMap(ClientQuotaEntity.CLIENT_ID, null));
        done(
                () ->
                        scene.cluster()
                                .admin()
                                .alterClientQuotas(
                                        List.of(
                                                new ClientQuotaAlteration(
                                                        every,
                                                        List.of(
                                                                new ClientQuotaAlteration.Op(
                                                                        quota, bytesPerSecond)))))
                                .all()
                                .get(ADMIN_SECONDS, TimeUnit.SECONDS));
    }

    static Fault.Broken killAll(Scene scene) throws InterruptedException {
        for (KafkaBroker broker : scene.cluster().brokers()) {
            broker.kill();
        }
        return () -> {
            scene.cluster().launch();
            scene.cluster().awaitReady();
        };
    }

    private interface Request {
        Object send() throws ExecutionException, TimeoutException, InterruptedException;
    }

    private static void done(Request request) throws InterruptedException {
        try {
            request.send();
        } catch (ExecutionException | TimeoutException e) {
            throw new UncheckedIOException(
                    new IOException("the cluster refused a fault of the lab's: " + e, e));
        }
    }
}
