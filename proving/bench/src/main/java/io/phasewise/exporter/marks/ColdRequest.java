/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.marks;

import io.phasewise.exporter.timing.RecordedRequest;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.common.TopicPartition;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * All calls of the agent for one request, as many as a broker under load counts, after other work
 * has evicted the agent from the processor's caches. On a broker it is the same: between two calls
 * it does a hundred times as much other work.
 */
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class ColdRequest {
    /** Appends, and looks at a partition, per request; counted under the load of agent-load. */
    private static final int APPENDS = 2;

    private static final int LOOKS = 44;

    /** More than all caches of a machine hold. */
    private static final int OTHER_WORK_BYTES = 32 << 20;

    /** Enough calls for the code to be compiled as on a broker that has run for minutes. */
    private static final int HURRIED = 50_000;

    private static final int LINE_LONGS = 8;

    /** Other work between two requests. */
    @State(Scope.Thread)
    public static class OtherWork {
        private final long[] memory = new long[OTHER_WORK_BYTES / Long.BYTES];
        private int requests;

        /** Reads every cache line of its memory, except in the first requests. */
        @Setup(Level.Invocation)
        public void run() {
            if (requests++ < HURRIED) {
                return;
            }
            for (int i = 0; i < memory.length; i += LINE_LONGS) {
                memory[i]++;
            }
        }
    }

    /** Partitions that followers fetch. */
    @State(Scope.Thread)
    public static class Partitions {
        private final TopicPartition[] all = IntStream.range(0, LOOKS)
                .mapToObj(number -> new TopicPartition("orders", number))
                .toArray(TopicPartition[]::new);
    }

    /** The hooks of marks alone. */
    @Benchmark
    public void marks(MarkCalls hooks, Partitions partitions, OtherWork other) {
        call(hooks, partitions);
    }

    /** The hooks of marks, and the timing of the request. */
    @Benchmark
    public void agent(
            MarkCalls hooks,
            Partitions partitions,
            RecordedRequest timing,
            RecordedRequest.Shared shared,
            RecordedRequest.Drawn drawn,
            RecordedRequest.Spent spent,
            OtherWork other) {
        call(hooks, partitions);
        timing.request(shared, drawn, spent);
    }

    private static void call(MarkCalls hooks, Partitions partitions) {
        hooks.request();
        for (int i = 0; i < APPENDS; i++) {
            hooks.leaderAppend();
            hooks.append();
            hooks.watermark();
        }
        for (TopicPartition partition : partitions.all) {
            if (MarkAdvice.isAnyPending()) {
                MarkAdvice.followerFetches(partition, 2, 5);
            }
        }
    }
}
