/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix;

import java.util.List;
import java.util.Map;

/** Results for tests. */
public final class RowResults {
    private RowResults() {}

    /** Of a row that was run. */
    public static RowResult measured(String name, List<String> faults, String notJudged) {
        return new RowResult(
                name,
                "100 ms to the leader",
                faults,
                notJudged,
                "",
                300,
                Map.of("delivered", 298L, "late", 1L, "lost", 0L, "send_failed", 0L),
                1,
                9.5,
                Map.of("delivered", 98L, "late", 1L, "lost", 0L, "send_failed", 0L),
                0,
                2,
                0,
                0,
                Map.of("publish", 100.0),
                Map.of("publish", 97.0, "fetch", 3.0),
                1.5,
                Map.of("a wait for a handler, broker 1", 812.0),
                Map.of("BrokerDown (critical)", 71.2),
                List.of("SLOFastBurn"),
                List.of("ProbesLost"),
                true,
                3.2,
                new CanaryHealth(true, 40, 41, 50, 60, 7));
    }
}
