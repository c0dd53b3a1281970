/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.measure;

import java.util.Collection;
import java.util.function.UnaryOperator;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * How a class is run by JMH, with a heap like the canary's. JMH shows its progress on standard
 * output.
 *
 * @param forks fresh JVMs, at least 1
 * @param iterations measured in each, after as many to warm up, at least 1
 * @param seconds of an iteration
 */
public record JmhRun(int forks, int iterations, int seconds) {

    /** Bytes allocated for each call, as JMH's profiler names it. */
    public static final String GARBAGE = "gc.alloc.rate.norm";

    /**
     * Runs all benchmarks of a class.
     *
     * @param settings are made besides
     * @throws RunnerException when JMH cannot run
     */
    public Collection<RunResult> of(
            Class<?> benchmark, UnaryOperator<ChainedOptionsBuilder> settings)
            throws RunnerException {
        ChainedOptionsBuilder options =
                new OptionsBuilder()
                        .include("^" + benchmark.getName().replace(".", "\\.") + "\\.")
                        .forks(forks)
                        .warmupIterations(iterations)
                        .warmupTime(TimeValue.seconds(seconds))
                        .measurementIterations(iterations)
                        .measurementTime(TimeValue.seconds(seconds))
                        .addProfiler(GCProfiler.class)
                        .jvmArgs("-Xms256m", "-Xmx256m", "-XX:+UseG1GC");
        return new Runner(settings.apply(options).build()).run();
    }

    /** The score of a secondary result, by its name. */
    public static double score(RunResult result, String secondary) {
        return result.getSecondaryResults().get(secondary).getScore();
    }
}
