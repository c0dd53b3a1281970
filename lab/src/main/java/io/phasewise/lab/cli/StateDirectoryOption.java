/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.cli;

import io.phasewise.lab.stack.StateDirectory;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The option that names the state directory, the same for every command that needs one. */
final class StateDirectoryOption {

    private static final String VARIABLE = "PHASEWISE_STATE_DIR";

    @Option(
            names = "--state-dir",
            paramLabel = "DIR",
            description =
                    "Where the stack keeps its state, data, logs and configuration. Default:"
                            + " $PHASEWISE_STATE_DIR, else .phasewise in the repository.")
    private Path directory;

    StateDirectory resolve(Context context) {
        Path chosen =
                Optional.ofNullable(directory)
                        .or(() -> fromEnvironment(context))
                        .orElseGet(
                                () ->
                                        context.root()
                                                .orElse(context.workingDirectory())
                                                .resolve(".phasewise"));
        return new StateDirectory(context.workingDirectory().resolve(chosen));
    }

    private static Optional<Path> fromEnvironment(Context context) {
        return Optional.ofNullable(context.environment().get(VARIABLE))
                .filter(value -> !value.isEmpty())
                .map(Path::of);
    }
}
