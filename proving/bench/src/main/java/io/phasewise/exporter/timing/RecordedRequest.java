/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.timing;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * What the agent adds to one request on a broker: from the call by Kafka's class, with the reading
 * of the clock, until all seven phases are recorded. It is in the package of the hook, as only that
 * can install it.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class RecordedRequest {
    /** Number of requests, which are used in turn; a power of two. */
    private static final int DRAWN = 1 << 14;

    private static final int INSTANTS = 5;

    /** The recorder that all threads share. */
    @State(Scope.Benchmark)
    public static class Shared {
        /** An application's client id, and one of the canary's, which is recorded twice. */
        @Param({"orders-service-7", "phasewise-canary-default-producer-1"})
        public String client;

        /** Installs the recorder with the settings of production. */
        @Setup
        public void install() {
            RequestAdvice.timer = RequestTiming.timer(7, "phasewise-canary", new RequestListener() {});
        }
    }

    /** The durations of one thread's requests. */
    @State(Scope.Thread)
    public static class Drawn {
        private final long[] durations = new long[DRAWN * INSTANTS];
        private int turn;

        /** Log-normal around a few tens of microseconds, as on a broker with little to do. */
        @Setup
        public void draw() {
            Random random = new Random(20_261_121);
            for (int i = 0; i < durations.length; i++) {
                durations[i] = (long) (50_000 * Math.exp(random.nextGaussian()));
            }
        }
    }

    /**
     * Processor time of the thread and number of requests: what a request costs when other threads
     * use the same processors.
     */
    @AuxCounters(AuxCounters.Type.EVENTS)
    @State(Scope.Thread)
    public static class Spent {
        /** Nanoseconds of processor time. */
        public long cpuNanos;

        /** Number of requests. */
        public long requests;

        private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        private long begin;

        /** Begins the measurement. */
        @Setup(Level.Iteration)
        public void begin() {
            begin = threads.getCurrentThreadCpuTime();
        }

        /** Ends the measurement. */
        @TearDown(Level.Iteration)
        public void end() {
            cpuNanos = threads.getCurrentThreadCpuTime() - begin;
        }
    }

    /** One request. */
    @Benchmark
    public void request(Shared shared, Drawn drawn, Spent spent) {
        spent.requests++;
        drawn.turn = (drawn.turn + 1) & (DRAWN - 1);
        int first = drawn.turn * INSTANTS;
        long[] durations = drawn.durations;
        long received = drawn.turn;
        long dequeued = received + durations[first];
        long localComplete = dequeued + durations[first + 1];
        long responseComplete = localComplete + durations[first + 2];
        long responseDequeued = responseComplete + durations[first + 3];
        RequestAdvice.timer.record(
                0,
                "Produce",
                false,
                shared.client,
                "1",
                0,
                System.nanoTime(),
                received,
                dequeued,
                localComplete,
                responseComplete,
                responseDequeued,
                0,
                0);
    }
}
