/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.cli;

import io.phasewise.bench.agent.RequestBenchmark;
import io.phasewise.lab.measure.Machine;
import java.util.List;
import java.util.concurrent.Callable;
import org.openjdk.jmh.runner.RunnerException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The cost of timing one request on a broker. */
@Command(
        name = "agent-request",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Time of timing one request, of each call of marks, and of all calls of one request"
                        + " after other work, in the exporter's agent (JMH).")
final class AgentRequestCommand implements Callable<Integer> {
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
    public Integer call() throws RunnerException {
        OptionCheck check =
                new OptionCheck(spec)
                        .atLeast("--forks", forks, 1)
                        .atLeast("--iterations", iterations, 1);
        threads.forEach(number -> check.within("--threads", number, 1, 256));
        check.done();
        RequestBenchmark benchmark = new RequestBenchmark(forks, iterations);
        String tables = benchmark.run(threads) + "\n" + benchmark.marks() + "\n" + benchmark.cold();
        spec.commandLine().getOut().println(Machine.describe() + "\n\n" + tables);
        return 0;
    }
}
