/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.agent;

import io.phasewise.exporter.marks.ColdRequest;
import io.phasewise.exporter.marks.MarkCalls;
import io.phasewise.exporter.timing.RecordedRequest;
import io.phasewise.lab.measure.Table;
import java.util.List;
import java.util.Locale;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * Runs {@link RecordedRequest} on different numbers of threads and says what a request costs, and
 * {@link MarkCalls}, and both together when they are seldom called.
 */
public final class RequestBenchmark {
    private final int forks;
    private final int iterations;

    /**
     * @param forks fresh JVMs for each line, at least 1
     * @param iterations of a second measured in each, after as many to warm up
     */
    public RequestBenchmark(int forks, int iterations) {
        this.forks = forks;
        this.iterations = iterations;
    }

    /**
     * Runs it; JMH shows its progress on standard output.
     *
     * @param threads numbers of threads to run it on
     * @throws RunnerException when JMH cannot run
     */
    public Table run(List<Integer> threads) throws RunnerException {
        Table table =
                new Table(
                        "client",
                        "threads",
                        "processor time",
                        "wall time",
                        "error (99.9 %)",
                        "garbage");
        for (int number : threads) {
            Options options = options(RecordedRequest.class).threads(number).build();
            for (RunResult result : new Runner(options).run()) {
                Result<?> wall = result.getPrimaryResult();
                table.row(
                        result.getParams().getParam("client"),
                        Integer.toString(number),
                        format("%.0f ns", score(result, "cpuNanos") / score(result, "requests")),
                        format("%.0f ns", wall.getScore()),
                        format("± %.0f ns", wall.getScoreError()),
                        format("%.3f B", score(result, "gc.alloc.rate.norm")));
            }
        }
        return table;
    }

    /**
     * The same of the calls that follow records, on one thread.
     *
     * @throws RunnerException when JMH cannot run
     */
    public Table marks() throws RunnerException {
        Table table = new Table("call", "a record of the canary waits", "wall time", "error");
        for (RunResult result : new Runner(options(MarkCalls.class).build()).run()) {
            Result<?> wall = result.getPrimaryResult();
            table.row(
                    wall.getLabel(),
                    result.getParams().getParam("pending"),
                    format("%.1f ns", wall.getScore()),
                    format("± %.1f ns", wall.getScoreError()));
        }
        return table;
    }

    /**
     * All calls that a request comes with, after other work has taken the processor's caches.
     *
     * @throws RunnerException when JMH cannot run
     */
    public Table cold() throws RunnerException {
        Table table =
                new Table("calls of one request", "a record of the canary waits", "mean", "median");
        Options options = options(ColdRequest.class).param("client", "orders-service-7").build();
        for (RunResult result : new Runner(options).run()) {
            Result<?> time = result.getPrimaryResult();
            table.row(
                    time.getLabel(),
                    result.getParams().getParam("pending"),
                    format("%.0f ns", time.getScore()),
                    format("%.0f ns", time.getStatistics().getPercentile(50)));
        }
        return table;
    }

    private ChainedOptionsBuilder options(Class<?> benchmark) {
        return new OptionsBuilder()
                .include("^" + benchmark.getName().replace(".", "\\.") + "\\.")
                .forks(forks)
                .warmupIterations(iterations)
                .warmupTime(TimeValue.seconds(1))
                .measurementIterations(iterations)
                .measurementTime(TimeValue.seconds(1))
                .addProfiler(GCProfiler.class)
                .jvmArgs("-Xms256m", "-Xmx256m", "-XX:+UseG1GC");
    }

    private static double score(RunResult result, String secondary) {
        return result.getSecondaryResults().get(secondary).getScore();
    }

    private static String format(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }
}
