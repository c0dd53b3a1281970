/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.cli;

import io.phasewise.bench.figure.Figures;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Draws the documentation's figures anew. */
@Command(
        name = "figures",
        mixinStandardHelpOptions = true,
        description = "No benchmark: draws the figures in docs/images anew.")
final class FiguresCommand implements Callable<Integer> {
    private final Path root;

    @Spec private CommandSpec spec;

    FiguresCommand(Path root) {
        this.root = root;
    }

    @Override
    public Integer call() throws IOException {
        Figures.write(root);
        Figures.all()
                .keySet()
                .forEach(
                        name ->
                                spec.commandLine()
                                        .getOut()
                                        .println(root.resolve(Figures.DIRECTORY).resolve(name)));
        return 0;
    }
}
