/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.cli;

import io.phasewise.bench.record.RecordBenchmark;
import io.phasewise.lab.measure.Machine;
import java.util.List;
import java.util.concurrent.Callable;
import org.openjdk.jmh.runner.RunnerException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The cost of recording one probe. */
@Command(
        name = "record",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Time and garbage of recording one probe, beside Kafka's clients (JMH).")
final class RecordCommand implements Callable<Integer> {
    @Spec private CommandSpec spec;

    @Option(names = "--forks", paramLabel = "N", description = "Fresh JVMs (${DEFAULT-VALUE}).")
    private int forks = 3;

    @Option(
            names = "--iterations",
            paramLabel = "N",
            description =
                    "Two-second iterations in each, after as many to warm up (${DEFAULT-VALUE}).")
    private int iterations = 5;

    @Override
    public Integer call() throws RunnerException {
        new OptionCheck(spec)
                .atLeast("--forks", forks, 1)
                .atLeast("--iterations", iterations, 1)
                .done();
        List<String> jvm = List.of("-Xms256m", "-Xmx256m", "-XX:+UseG1GC");
        String table = new RecordBenchmark(forks, iterations, jvm).run().toString();
        spec.commandLine().getOut().println(Machine.describe() + "\n\n" + table);
        return 0;
    }
}
