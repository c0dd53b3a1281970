/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import io.phasewise.canary.phases.Instants;
import io.phasewise.canary.phases.Passage;
import io.phasewise.canary.probe.ledger.Breakdown;
import io.phasewise.canary.probe.ledger.LeaderCounts;
import io.phasewise.canary.probe.ledger.Outcome;
import io.phasewise.canary.show.slow.ProbeJournal;
import io.phasewise.canary.show.slow.SlowProbe;
import io.phasewise.canary.show.slow.UnseenProbe;
import io.phasewise.canary.show.status.ClusterStatus;
import io.phasewise.canary.show.status.SloStatus;
import io.phasewise.canary.show.status.Statuses;
import io.phasewise.canary.show.status.VerdictHistory;
import io.phasewise.canary.supervise.Problem;
import io.phasewise.common.phase.Phase;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/** Statuses of a cluster of three brokers, so that what shows them is known to the digit. */
final class MadeUpStatus {
    static final Instant NOW = Instant.parse("2026-01-02T04:00:00Z");
    static final ClusterStatus.Mirror MIRROR =
            new ClusterStatus.Mirror("Vk3xR", "prod.phasewise-canary", Map.of(0, 1, 1, 1));
    private static final ClusterStatus.PartSeconds NONE =
            new ClusterStatus.PartSeconds(Double.NaN, Double.NaN, Double.NaN);
    private static final ClusterStatus.Broker UNKNOWN_BROKER =
            new ClusterStatus.Broker(
                    3,
                    "",
                    -1,
                    2,
                    false,
                    false,
                    new ClusterStatus.Window(60, 0, Double.NaN, Double.NaN, allPhases(NONE), NONE),
                    12,
                    0,
                    new LeaderCounts.Outcomes(10, 0, 1, 1),
                    Double.NaN);

    private MadeUpStatus() {}

    static ClusterStatus status(String name, double p99OfBrokerOne) {
        return status(name, p99OfBrokerOne, List.of(), null);
    }

    static ClusterStatus status(
            String name,
            double p99OfBrokerOne,
            List<Problem> problems,
            ClusterStatus.Mirror mirror) {
        UnseenProbe lost =
                new UnseenProbe(
                        "000000000000feed-1-8",
                        3,
                        1,
                        Outcome.LOST,
                        NOW.minusSeconds(1800),
                        OptionalLong.of(3_000_000),
                        OptionalLong.empty());
        List<SlowProbe> slow =
                List.of(
                        slow(7, 301_234_567, Outcome.LATE, true),
                        slow(9, 80_000_000, Outcome.DELIVERED, false));
        return Statuses.status(
                name,
                "default",
                "cluster " + name,
                "Vk3xQ",
                ClusterStatus.State.RUNNING,
                problems,
                new ClusterStatus.Topic("phasewise-canary", 3, 3),
                4,
                List.of(broker(1, p99OfBrokerOne), broker(2, 0.096), UNKNOWN_BROKER),
                42,
                new ProbeJournal.Entries(slow, List.of(lost)),
                new SloStatus(
                        0.05,
                        0.99,
                        new VerdictHistory.Verdicts(300, 1_200, 0, 0),
                        new VerdictHistory.Verdicts(3_600, 98_765, 1_235, 35)),
                new TreeMap<>(Map.of("acks", "all", "linger_ms", "0")),
                mirror);
    }

    private static ClusterStatus.Broker broker(int id, double p99) {
        double[] shares = {1 / 48.0, 2 / 48.0, 36 / 48.0, 0, 9 / 48.0};
        Map<Phase, ClusterStatus.PartSeconds> phases = new EnumMap<>(Phase.class);
        for (Phase phase : Phase.values()) {
            double share = shares[phase.ordinal()] * p99;
            phases.put(phase, new ClusterStatus.PartSeconds(share * 0.5625, share * 0.5, share));
        }
        return new ClusterStatus.Broker(
                id,
                "host" + id,
                9092,
                id - 1,
                true,
                true,
                new ClusterStatus.Window(
                        60, 1_234, p99 / 2, p99, phases, new ClusterStatus.PartSeconds(0, 0, 0)),
                123_456,
                2,
                new LeaderCounts.Outcomes(123_000, 400, 54, 0),
                0.00025);
    }

    private static Map<Phase, ClusterStatus.PartSeconds> allPhases(ClusterStatus.PartSeconds each) {
        Map<Phase, ClusterStatus.PartSeconds> phases = new EnumMap<>(Phase.class);
        for (Phase phase : Phase.values()) {
            phases.put(phase, each);
        }
        return phases;
    }

    private static SlowProbe slow(int sequence, long nanos, Outcome outcome, boolean stalled) {
        Instants instants = new Instants(0, nanos / 10, nanos / 5, nanos / 2, nanos / 2, nanos);
        return new SlowProbe(
                String.format(Locale.ROOT, "000000000000feed-1-%d", sequence),
                2,
                1,
                99,
                outcome,
                NOW.minusSeconds(30L * (17 - sequence)),
                new Breakdown(
                        instants,
                        instants.breakdown(),
                        outcome == Outcome.LATE ? Optional.of(told(instants)) : Optional.empty()),
                OptionalLong.of(nanos / 2),
                nanos / 20,
                stalled ? 40_000_000 : 0);
    }

    private static Breakdown.Marked told(Instants at) {
        return new Breakdown.Marked(
                new Passage(
                        40_000_000,
                        41_000_000,
                        41_500_000,
                        at.t2(),
                        new TreeMap<>(Map.of(3, at.t2() + 90_000_000, 2, at.t2() + 2_000_000)),
                        at.t3(),
                        at.t3() + 1_000_000),
                1,
                at.breakdown(),
                false);
    }
}
