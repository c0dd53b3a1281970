/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.status;

import io.phasewise.canary.probe.ledger.Ledger;
import io.phasewise.canary.send.LaneCounts;
import io.phasewise.canary.show.slow.ProbeJournal;
import io.phasewise.canary.supervise.Problem;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Makes statuses for tests of what shows them. */
public final class Statuses {
    private Statuses() {}

    /** One whose brokers are as told; of counts, clocks and leaders it knows nothing. */
    public static ClusterStatus status(
            String name,
            String profile,
            String title,
            String clusterId,
            ClusterStatus.State state,
            List<Problem> problems,
            ClusterStatus.Topic topic,
            int producers,
            List<ClusterStatus.Broker> brokers,
            long seed,
            ProbeJournal.Entries probes,
            SloStatus slo,
            Map<String, String> settings,
            ClusterStatus.Mirror mirror) {
        ProfileSnapshot at =
                new ProfileSnapshot(
                        new ProfileSnapshot.Facts(
                                name,
                                profile,
                                title,
                                settings,
                                seed,
                                slo.targetSeconds(),
                                slo.objectiveRatio()),
                        clusterId,
                        state,
                        problems,
                        topic,
                        List.of(),
                        List.of(),
                        false,
                        List.of(),
                        producers,
                        Optional.empty(),
                        mirror);
        return new ClusterStatus(at, brokers, probes, slo);
    }

    /** Of a running profile with eight lanes. */
    public static ProfileSnapshot snapshot(
            Map<String, String> settings,
            List<ProfileSnapshot.PartitionLeader> leaders,
            Ledger ledger,
            ProfileSnapshot.BrokerTiming timing,
            ClusterStatus.Mirror mirror) {
        return new ProfileSnapshot(
                new ProfileSnapshot.Facts(
                        "prod", "default", "cluster prod", settings, 1, 0.05, 0.99),
                "abc",
                ClusterStatus.State.RUNNING,
                List.of(),
                null,
                leaders,
                ledger.counts(),
                ledger.suspectsOutage(),
                List.of(timing),
                8,
                Optional.of(new LaneCounts(8, 0, 0)),
                mirror);
    }
}
