/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.status;

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
}
