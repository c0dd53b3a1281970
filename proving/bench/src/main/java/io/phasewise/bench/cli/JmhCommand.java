/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.cli;

import io.phasewise.common.cli.OptionCheck;
import java.util.List;
import java.util.concurrent.Callable;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Runs all JMH benchmarks of some classes, on a heap like the canary's. JMH prints the result.
 */
@Command(mixinStandardHelpOptions = true, sortOptions = false)
final class JmhCommand implements Callable<String> {
    private final List<Class<?>> benchmarks;

    @Option(names = "--forks", paramLabel = "N", description = "Fresh JVMs (${DEFAULT-VALUE}).")
    private int forks = 3;

    @Option(
            names = "--iterations",
            paramLabel = "N",
            description = "One-second iterations in each JVM, after as many to warm up (${DEFAULT-VALUE}).")
    private int iterations = 5;

    @Option(
            names = "--threads",
            paramLabel = "N",
            split = ",",
            description = "Threads at once. Several numbers are measured in turn (1).")
    private List<Integer> threads = List.of(1);

    JmhCommand(Class<?>... benchmarks) {
        this.benchmarks = List.of(benchmarks);
    }

    @Override
    public String call() throws RunnerException {
        OptionCheck check =
                new OptionCheck().within("--forks", forks, 1, 100).within("--iterations", iterations, 1, 1_000);
        threads.forEach(number -> check.within("--threads", number, 1, 256));
        check.done();
        for (int number : threads) {
            new Runner(options(number)).run();
        }
        return "";
    }

    private Options options(int number) {
        ChainedOptionsBuilder options = new OptionsBuilder()
                .threads(number)
                .forks(forks)
                .warmupIterations(iterations)
                .warmupTime(TimeValue.seconds(1))
                .measurementIterations(iterations)
                .measurementTime(TimeValue.seconds(1))
                .addProfiler(GCProfiler.class)
                .shouldFailOnError(true)
                .jvmArgs("-Xms256m", "-Xmx256m", "-XX:+UseG1GC");
        benchmarks.forEach(each -> options.include("^" + each.getName() + "\\."));
        return options.build();
    }
}
