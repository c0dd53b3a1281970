/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.cli;

import static io.phasewise.bench.measure.JmhRun.score;
import static io.phasewise.bench.measure.Numbers.format;

import io.phasewise.bench.measure.JmhRun;
import io.phasewise.exporter.marks.ColdRequest;
import io.phasewise.exporter.marks.MarkCalls;
import io.phasewise.exporter.timing.RecordedRequest;
import io.phasewise.lab.measure.Table;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.RunnerException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The cost of timing one request on a broker, and of following its records. */
@Command(
        name = "agent-request",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Time of timing one request, of each call of marks, and of all calls of one request"
                        + " after other work, in the exporter's agent (JMH).")
final class AgentRequestCommand implements Callable<String> {
    @Spec private CommandSpec spec;

    @Option(names = "--forks", paramLabel = "N", description = "Fresh JVMs (${DEFAULT-VALUE}).")
    private int forks = 2;

    @Option(
            names = "--iterations",
            paramLabel = "N",
            description =
                    "One-second iterations in each, after as many to warm up (${DEFAULT-VALUE}).")
    private int iterations = 3;

    @Option(
            names = "--threads",
            paramLabel = "N",
            split = ",",
            description = "Numbers of threads (1,2,4).")
    private List<Integer> threads = List.of(1, 2, 4);

    @Override
    public String call() throws RunnerException {
        OptionCheck check =
                new OptionCheck()
                        .within("--forks", forks, 1, 100)
                        .within("--iterations", iterations, 1, 1_000);
        threads.forEach(number -> check.within("--threads", number, 1, 256));
        check.done(spec);
        JmhRun run = new JmhRun(forks, iterations, 1);
        return timing(run) + "\n" + marks(run) + "\n" + cold(run);
    }

    private Table timing(JmhRun run) throws RunnerException {
        Table table =
                new Table(
                        "client",
                        "threads",
                        "processor time",
                        "wall time",
                        "error (99.9 %)",
                        "garbage");
        for (int number : threads) {
            for (RunResult result :
                    run.of(RecordedRequest.class, options -> options.threads(number))) {
                Result<?> wall = result.getPrimaryResult();
                table.row(
                        result.getParams().getParam("client"),
                        Integer.toString(number),
                        format("%.0f ns", score(result, "cpuNanos") / score(result, "requests")),
                        format("%.0f ns", wall.getScore()),
                        format("± %.0f ns", wall.getScoreError()),
                        format("%.3f B", score(result, JmhRun.GARBAGE)));
            }
        }
        return table;
    }

    private static Table marks(JmhRun run) throws RunnerException {
        Table table = new Table("call", "a record of the canary waits", "wall time", "error");
        for (RunResult result : run.of(MarkCalls.class, UnaryOperator.identity())) {
            Result<?> wall = result.getPrimaryResult();
            table.row(
                    wall.getLabel(),
                    result.getParams().getParam("pending"),
                    format("%.1f ns", wall.getScore()),
                    format("± %.1f ns", wall.getScoreError()));
        }
        return table;
    }

    /** All calls that a request comes with, after other work has taken the processor's caches. */
    private static Table cold(JmhRun run) throws RunnerException {
        Table table =
                new Table("calls of one request", "a record of the canary waits", "mean", "median");
        for (RunResult result :
                run.of(ColdRequest.class, all -> all.param("client", "orders-service-7"))) {
            Result<?> time = result.getPrimaryResult();
            table.row(
                    time.getLabel(),
                    result.getParams().getParam("pending"),
                    format("%.0f ns", time.getScore()),
                    format("%.0f ns", time.getStatistics().getPercentile(50)));
        }
        return table;
    }
}
