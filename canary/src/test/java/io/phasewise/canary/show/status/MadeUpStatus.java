/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.status;

import io.phasewise.canary.account.Accounts;
import io.phasewise.canary.account.suspect.Suspect;
import io.phasewise.canary.phases.Breakdown;
import io.phasewise.canary.phases.Instants;
import io.phasewise.canary.phases.LeaderInstants;
import io.phasewise.canary.probe.ledger.LeaderCounts;
import io.phasewise.canary.probe.ledger.Ledger;
import io.phasewise.canary.send.LaneCounts;
import io.phasewise.canary.show.slow.ProbeReport;
import io.phasewise.canary.show.slow.ProbeSource;
import io.phasewise.canary.show.status.ClusterStatus.Broker;
import io.phasewise.canary.show.status.ClusterStatus.PhaseSeconds;
import io.phasewise.canary.supervise.Problem;
import io.phasewise.canary.trip.Delivery;
import io.phasewise.canary.trip.Outcome;
import io.phasewise.canary.trip.SendResult;
import io.phasewise.canary.trip.Trip;
import io.phasewise.common.phase.Phase;
import io.phasewise.common.phase.Role;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Statuses whose figures are made up, so that what shows them is known to the digit. */
public final class MadeUpStatus {
    /** Whose figures are not known, and whose partition another broker leads. */
    public static final MadeUpBroker UNKNOWN = new MadeUpBroker(3, 2, false, Double.NaN);

    private static final Instant NOW = Instant.parse("2026-01-02T04:00:00Z");
    private static final ProbeSource SOURCE =
            new ProbeSource("prod", "default", "phasewise-canary", 0xfeed, null, (from, to) -> 0);

    private final String name;
    private ClusterStatus.State state = ClusterStatus.State.RUNNING;
    private List<Problem> problems = List.of();
    private List<MadeUpBroker> brokers =
            List.of(new MadeUpBroker(1, 0, true, 0.012), new MadeUpBroker(2, 1, true, 0.096), UNKNOWN);

    /**
     * A broker whose phases have fixed shares of its latency.
     *
     * @param partition null where none measures it
     * @param p99 seconds; the median is 50 % of it, the mean 56 %
     */
    public record MadeUpBroker(int id, Integer partition, boolean ready, double p99, String unreachable) {
        /** One that the canary can connect to. */
        public MadeUpBroker(int id, Integer partition, boolean ready, double p99) {
            this(id, partition, ready, p99, null);
        }
    }

    /** A running cluster of three brokers without a problem. */
    public MadeUpStatus(String name) {
        this.name = name;
    }

    public MadeUpStatus state(ClusterStatus.State state) {
        this.state = state;
        return this;
    }

    public MadeUpStatus problems(Problem... problems) {
        this.problems = List.of(problems);
        return this;
    }

    public MadeUpStatus brokers(MadeUpBroker... brokers) {
        this.brokers = List.of(brokers);
        return this;
    }

    public ClusterStatus make() {
        ProbeReport late = slow(7, 301_234_567, Outcome.LATE, 40_000_000);
        ProbeReport delivered = slow(9, 80_000_000, Outcome.DELIVERED, 0);
        SendResult sent = SendResult.of(List.of(3_000_000L), Instants.UNKNOWN, 3, List.of(), 0, 0, null);
        ProbeReport lost = new ProbeReport(
                SOURCE,
                NOW.minusSeconds(1800),
                new Trip(1, 8, 3, 0, Outcome.LOST, Optional.of(sent), Optional.empty(), false),
                Optional.empty(),
                0);
        return new ClusterStatus(
                new ProfileSnapshot(
                        new ProfileSnapshot.Facts(
                                name,
                                "default",
                                "cluster " + name,
                                new TreeMap<>(Map.of("acks", "all", "linger_ms", "0")),
                                42,
                                0.05,
                                0.99),
                        "Vk3xQ",
                        state,
                        problems,
                        new ClusterStatus.Topic("phasewise-canary", 3, 3, "created"),
                        null,
                        List.of(),
                        List.of(),
                        false,
                        List.of(),
                        Map.of(),
                        4,
                        Optional.empty()),
                brokers.stream().map(this::broker).toList(),
                List.of(late, delivered),
                List.of(lost),
                new SloStatus(
                        0.05,
                        0.99,
                        new VerdictHistory.Verdicts(300, 1_200, 0, 0),
                        new VerdictHistory.Verdicts(3_600, 98_765, 1_235, 35)));
    }

    private Broker broker(MadeUpBroker of) {
        double[] shares = {1 / 48.0, 2 / 48.0, 36 / 48.0, 0, 9 / 48.0};
        Map<Phase, PhaseSeconds> phases = new EnumMap<>(Phase.class);
        for (Phase phase : Phase.values()) {
            double share = shares[phase.ordinal()] * of.p99();
            phases.put(phase, new PhaseSeconds(share * 0.5625, share * 0.5, share));
        }
        boolean known = of.p99() > 0;
        return new Broker(
                of.id(),
                known ? "host" + of.id() : "",
                known ? 9092 : -1,
                of.partition(),
                known && of.partition() != null,
                of.ready(),
                of.unreachable(),
                new ClusterStatus.Window(60, 1_234, of.p99() / 2, of.p99(), phases),
                123_456,
                2,
                new LeaderCounts.Outcomes(123_000, 400, 54, 0),
                known ? 0.00025 : Double.NaN);
    }

    private static ProbeReport slow(int sequence, long nanos, Outcome outcome, long stalled) {
        Instants at = new Instants(0, nanos / 10, nanos / 5, nanos / 2, nanos / 2, nanos);
        LeaderInstants leaderInstants = new LeaderInstants(
                40_000_000,
                41_000_000,
                41_500_000,
                at.t2(),
                new TreeMap<>(Map.of(3, at.t2() + 90_000_000, 2, at.t2() + 2_000_000)),
                at.t3(),
                at.t3() + 1_000_000);
        Breakdown.Marked told = new Breakdown.Marked(leaderInstants, 1, at.breakdown(), false);
        SendResult sent = new SendResult(List.of(at.t1()), nanos / 2, 2, List.of(), 0, nanos / 20, 99);
        Delivery back = new Delivery(nanos, Delivery.NO_APPEND_TIME, 99);
        return new ProbeReport(
                SOURCE,
                NOW.minusSeconds(30L * (17 - sequence)).minusNanos(6),
                new Trip(1, sequence, 2, 0, outcome, Optional.of(sent), Optional.of(back), false),
                Optional.of(Accounts.with(new Breakdown(
                        at, at.breakdown(), outcome == Outcome.LATE ? Optional.of(told) : Optional.empty()))),
                stalled);
    }

    /** Cold reads of broker 2, and a canary that has learned for seven minutes. */
    public static ClusterSuspects suspects(String cluster) {
        Suspect coldReads = new Suspect(
                2, Role.NETWORK_THREADS, Map.of(Phase.COMMIT, 2.5, Phase.FETCH, 1.25), List.of(2), 3_000_000_000L);
        return ClusterSuspects.of(cluster, List.of(coldReads), true, 7, nanos -> NOW.minusNanos(nanos));
    }

    /** A canary at a site that measures these clusters. */
    public static CanaryStatus canary(List<ClusterStatus> clusters) {
        Instant started = Instant.parse("2026-01-02T03:04:05Z");
        return new CanaryStatus("1.2.3", Optional.of("fra-1"), started, NOW, clusters, List.of(suspects("prod")));
    }

    /** What metrics show of a running profile with eight lanes. */
    public static ProfileSnapshot snapshot(
            Map<String, String> settings,
            List<ProfileSnapshot.PartitionLeader> leaders,
            Ledger ledger,
            ProfileSnapshot.BrokerTiming timing) {
        return new ProfileSnapshot(
                new ProfileSnapshot.Facts("prod", "default", "cluster prod", settings, 1, 0.05, 0.99),
                "abc",
                ClusterStatus.State.RUNNING,
                List.of(),
                null,
                new ClusterStatus.Group("phasewise", "ours"),
                leaders,
                ledger.counts(),
                ledger.suspectsOutage(),
                List.of(timing),
                Map.of(timing.broker(), true, timing.broker() + 1, false),
                8,
                Optional.of(new LaneCounts(8, 0)));
    }
}
