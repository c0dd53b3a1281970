/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.cli;

import static io.phasewise.bench.measure.Numbers.format;

import io.phasewise.bench.measure.JmhRun;
import io.phasewise.bench.record.RecordedProbe;
import io.phasewise.lab.measure.Table;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.RunnerException;
import picocli.CommandLine.Command;

/** The cost of recording one probe. */
@Command(
        name = "record",
        mixinStandardHelpOptions = true,
        description = "Time and garbage of recording one probe, beside Kafka's clients (JMH).")
final class RecordCommand implements Callable<Table> {

    @Override
    public Table call() throws RunnerException {
        Table table = new Table("what", "one probe", "error (99.9 %)");
        for (RunResult result :
                new JmhRun(3, 5, 2).of(RecordedProbe.class, UnaryOperator.identity())) {
            Result<?> time = result.getPrimaryResult();
            if (result.getParams().getMode() == Mode.SampleTime) {
                for (double percentile : new double[] {50, 90, 99}) {
                    double nanos = time.getStatistics().getPercentile(percentile);
                    table.row(format("time, p%.0f", percentile), format("%.0f ns", nanos), "");
                }
            } else {
                row(table, "time, mean", "ns", time);
                row(table, "garbage", "B", result.getSecondaryResults().get(JmhRun.GARBAGE));
            }
        }
        return table;
    }

    private static void row(Table table, String what, String unit, Result<?> value) {
        table.row(
                what,
                format("%.0f ", value.getScore()) + unit,
                format("± %.0f", value.getScoreError()));
    }
}
