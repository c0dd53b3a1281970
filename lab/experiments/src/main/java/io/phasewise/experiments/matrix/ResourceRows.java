/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix;

import io.phasewise.common.phase.Phase;
import io.phasewise.experiments.fault.AwayFromPoll;
import io.phasewise.experiments.fault.BrokerSetting;
import io.phasewise.experiments.fault.BusyHandlers;
import io.phasewise.experiments.fault.CollectingBroker;
import io.phasewise.experiments.fault.Fault;
import io.phasewise.experiments.fault.RevokedPermission;
import io.phasewise.lab.fault.PacketLoss;
import io.phasewise.lab.fault.SlowDisk;
import io.phasewise.lab.kafka.KafkaBroker;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * Faults that leave a path, a broker or the canary too little of what it needs: packets, threads,
 * its disk, its time, its permission. The others are in {@link Rows}.
 */
final class ResourceRows {
    private static final double LOST = 0.2;
    private static final int WRITES_PER_SECOND = 30;

    /** More than the hundred waiting requests that the alert asks for. */
    private static final int WAITING = 140;

    /** With {@link #WAITING}: some 5 ms each make somewhat less than a second of waiting. */
    private static final int BATCH_BYTES = 50_000;

    private static final Duration SHORT = Duration.ofSeconds(15);

    /** RequestQueueBacklog looks at a minute's mean for two minutes. */
    private static final Duration BACKLOG = Duration.ofSeconds(210);

    private static final Set<Integer> ALL = Set.of(1, 2, 3);

    private ResourceRows() {}

    /**
     * These rows, in order.
     *
     * @param withAlerts whether faults last long enough for the alerts that they should raise
     */
    static List<Row> all(boolean withAlerts) {
        BusyHandlers handlers =
                new BusyHandlers(1, withAlerts ? WAITING : WAITING / 4, BATCH_BYTES);
        AwayFromPoll consumer = new AwayFromPoll(Duration.ofMillis(600), Duration.ofMillis(1_130));
        CollectingBroker collecting = new CollectingBroker(1);
        return List.of(
                Row.of(
                                "consumer-slow",
                                "the canary's consumer is away from poll() for 600 ms of every"
                                        + " 1130 ms",
                                scene -> consumer.begin(scene),
                                SHORT,
                                Effect.MOVES_PHASES,
                                ALL)
                        .moving(Phase.CATCH_UP, consumer.meanWaitMillis()),
                Row.of(
                                "broker-collects",
                                collecting.about() + ", its own probes",
                                scene -> collecting.begin(scene),
                                SHORT,
                                Effect.IS_FELT,
                                Set.of(1))
                        .toldBy(
                                new Row.Witness(
                                        "one collection",
                                        1,
                                        "jvm_gc_collection_seconds",
                                        List.of("gc=\"G1 Old Generation\""),
                                        5)),
                Row.of(
                                "handlers-busy",
                                handlers.about() + ", its own probes",
                                scene -> handlers.begin(scene),
                                withAlerts ? BACKLOG : SHORT,
                                Effect.IS_FELT,
                                Set.of(1))
                        .raisingIf(withAlerts, "RequestQueueBacklog")
                        .permitting("CanaryStarved") // its handler and 140 producers are busy
                        .toldBy(
                                new Row.Witness(
                                        "a produce request's wait for a handler",
                                        1,
                                        "kafka_request_phase_seconds",
                                        List.of("request=\"Produce\"", "phase=\"request_queue\""),
                                        50)),
                Row.of(
                                "packets-lost",
                                Math.round(100 * LOST)
                                        + " % of the packets on the way to broker 1 are lost and"
                                        + " sent again",
                                scene -> {
                                    PacketLoss loss =
                                            PacketLoss.begin(
                                                    scene.cluster().broker(1).ownPort(), LOST);
                                    return loss::close;
                                },
                                SHORT,
                                Effect.IS_FELT,
                                Set.of(1))
                        .needing(Row.Needs.PACKET_LOSS),
                Row.of(
                                "disk-slow",
                                "brokers force every record to disk, and broker 1 may write "
                                        + WRITES_PER_SECOND
                                        + " times a second",
                                ResourceRows::slowDisk,
                                SHORT,
                                Effect.IS_FELT,
                                Set.of(1))
                        .needing(Row.Needs.SLOW_DISK)
                        .toldBy(
                                new Row.Witness(
                                        "a flush of a log",
                                        1,
                                        "kafka_log_logflushstats_logflushrateandtimems",
                                        List.of(),
                                        20)),
                Row.of(
                                "permission-revoked",
                                "the canary may not use its topic any more (ACL), and may again"
                                        + " later",
                                scene -> new RevokedPermission().begin(scene),
                                withAlerts ? Duration.ofSeconds(60) : SHORT,
                                Effect.IS_FELT,
                                ALL)
                        .raisingIf(withAlerts, "ProbesLost", "MostProbesBad")
                        .needing(Row.Needs.ACLS));
    }

    private static Fault.Broken slowDisk(Scene scene) throws IOException, InterruptedException {
        KafkaBroker broker = scene.cluster().broker(1);
        Fault.Broken flushed = BrokerSetting.FLUSHED_LOGS.begin(scene);
        boolean begun = false;
        try {
            SlowDisk slow = SlowDisk.begin(broker.pid(), broker.dataDirectory(), WRITES_PER_SECOND);
            begun = true;
            return () -> {
                try {
                    slow.close();
                } finally {
                    flushed.close();
                }
            };
        } finally {
            if (!begun) {
                flushed.close();
            }
        }
    }
}
