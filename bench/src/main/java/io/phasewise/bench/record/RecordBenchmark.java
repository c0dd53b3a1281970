/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.record;

import io.phasewise.lab.measure.Table;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs {@link RecordedProbe} with the canary's heap and says what a probe costs. */
public final class RecordBenchmark {
    /** Bytes allocated for each call, as JMH's profiler names it. */
    private static final String GARBAGE = "gc.alloc.rate.norm";

    private static final double[] PERCENTILES = {50, 90, 99};

    private final int forks;
    private final int iterations;
    private final List<String> jvmOptions;

    /**
     * @param forks fresh JVMs, at least 1
     * @param iterations measured in each, two seconds long, after as many for warming up
     * @param jvmOptions of each fork
     */
    public RecordBenchmark(int forks, int iterations, List<String> jvmOptions) {
        this.forks = forks;
        this.iterations = iterations;
        this.jvmOptions = List.copyOf(jvmOptions);
    }

    /**
     * Runs it; JMH shows its progress on standard output.
     *
     * @return time and garbage for each probe
     * @throws RunnerException when JMH cannot run
     */
    public Table run() throws RunnerException {
        Options options =
                new OptionsBuilder()
                        .include("^" + RecordedProbe.class.getName().replace(".", "\\.") + "\\.")
                        .forks(forks)
                        .warmupIterations(iterations)
                        .warmupTime(TimeValue.seconds(2))
                        .measurementIterations(iterations)
                        .measurementTime(TimeValue.seconds(2))
                        .addProfiler(GCProfiler.class)
                        .jvmArgs(jvmOptions.toArray(String[]::new))
                        .verbosity(VerboseMode.NORMAL)
                        .build();
        Collection<RunResult> results = new Runner(options).run();
        Table table = new Table("what", "one probe", "error (99.9 %)");
        for (RunResult result : results) {
            if (result.getParams().getMode() == Mode.SampleTime) {
                percentiles(table, result.getPrimaryResult());
            } else {
                row(table, "time, mean", result.getPrimaryResult());
                row(table, "garbage", result.getSecondaryResults().get(GARBAGE));
            }
        }
        return table;
    }

    private static void percentiles(Table table, Result<?> sampled) {
        for (double percentile : PERCENTILES) {
            table.row(
                    String.format(Locale.ROOT, "time, p%.0f", percentile),
                    String.format(
                            Locale.ROOT,
                            "%.0f ns",
                            sampled.getStatistics().getPercentile(percentile)),
                    "");
        }
    }

    private static void row(Table table, String what, Result<?> value) {
        String unit = value.getScoreUnit().replace("/op", "");
        table.row(
                what,
                String.format(Locale.ROOT, "%.0f %s", value.getScore(), unit),
                String.format(Locale.ROOT, "± %.0f", value.getScoreError()));
    }
}
