/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix.result;

import java.util.List;
import java.util.Map;

/** Results to show. */
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
                9.5,
                Map.of("delivered", 96L, "late", 2L, "lost", 3L, "send_failed", 4L),
                3.2,
                Map.of("publish", 100.0),
                Map.of("publish", 97.0, "fetch", 3.0),
                1.5,
                List.of(
                        new RowResult.Naming("suspect", "1 network/publish", RowResult.Right.RIGHT, 25.4),
                        new RowResult.Naming("suspect (inferred)", "nobody", RowResult.Right.NEITHER, null),
                        new RowResult.Naming(
                                "BrokerDegraded (warning)", "2 network/publish", RowResult.Right.WRONG, 205.0)),
                Map.of("a wait for a handler, broker 1", 812.0));
    }

    /** Of a row whose fault added 100 ms to publish, as was judged by earlier bounds. */
    public static RowResult measured(String name, Map<String, Double> added, RowResult.Naming... namings) {
        RowResult usual = measured(name, List.of(), "");
        return new RowResult(
                name,
                usual.about(),
                List.of(),
                "",
                "",
                usual.seconds(),
                usual.ends(),
                usual.recoverySeconds(),
                usual.amount(),
                added,
                usual.wander(),
                List.of(namings),
                Map.of());
    }
}
