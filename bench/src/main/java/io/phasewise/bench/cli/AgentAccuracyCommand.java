/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.cli;

import io.phasewise.bench.agent.AgentAccuracy;
import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** How true the percentiles of the agent's histograms are. */
@Command(
        name = "agent-accuracy",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Percentiles out of a scrape of the exporter's agent beside the exact ones.")
final class AgentAccuracyCommand implements Callable<Integer> {
    @Spec private CommandSpec spec;

    @Option(
            names = "--requests",
            paramLabel = "N",
            description = "Recorded for each line (${DEFAULT-VALUE}).")
    private int requests = 4_000_000;

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "Of the durations (${DEFAULT-VALUE}).")
    private long seed = 20_261_121;

    @Override
    public Integer call() throws IOException, InterruptedException, ExecutionException {
        new OptionCheck(spec).within("--requests", requests, 100_000, 10_000_000).done();
        spec.commandLine()
                .getOut()
                .printf(
                        "%d requests for each line; error of the percentile.%n%n%s",
                        requests, new AgentAccuracy(requests, seed).run());
        return 0;
    }
}
