/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.bench.run.ThreadUsage.Kind;
import io.phasewise.bench.run.ThreadUsage.Share;
import io.phasewise.bench.run.ThreadUsage.Task;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ThreadUsageTest {
    @Test
    void aShareHoldsWhatItsThreadsTookInBetween() {
        ThreadUsage before =
                new ThreadUsage(
                        Map.of(
                                1L, new Task("tick-cluster-00", 1),
                                2L, new Task("kafka-producer-", 5),
                                3L, new Task("C2 CompilerThre", 2)));
        ThreadUsage after =
                new ThreadUsage(
                        Map.of(
                                1L, new Task("tick-cluster-00", 2),
                                3L, new Task("C2 CompilerThre", 6),
                                4L, new Task("tick-cluster-01", 3)));

        Map<Kind, Share> shares = after.since(before, 10);

        assertThat(shares.get(Kind.TICKER)).isEqualTo(new Share(2, 0.1 + 0.3));
        assertThat(shares.get(Kind.COMPILER)).isEqualTo(new Share(1, 0.4));
        assertThat(shares.get(Kind.PRODUCER)).isEqualTo(new Share(0, 0));
    }

    @Test
    void whatNobodyKnowsIsTheRest() {
        assertThat(Kind.of("Reference Handl")).isEqualTo(Kind.OTHER);
        assertThat(Kind.of("ZWorker#0")).isEqualTo(Kind.COLLECTOR);
        assertThat(Kind.of("cluster-payment")).isEqualTo(Kind.KEEPER);
    }

    @Test
    void itSeesThisProcess() {
        ThreadUsage usage = ThreadUsage.of(ProcessHandle.current().pid());

        assertThat(usage.byId().values())
                .extracting(Task::name)
                .anyMatch(name -> name.startsWith("C2 Comp") || name.startsWith("C1 Comp"));
    }
}
