/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.cli;

import io.phasewise.common.stack.LocalStack;
import io.phasewise.lab.stack.Context;
import io.phasewise.lab.stack.StateDirectory;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The option that names the state directory, the same for every command that needs one. */
final class StateDirectoryOption {

    @Option(
            names = "--state-dir",
            paramLabel = "DIR",
            description =
                    "Where the stack keeps its state, data, logs and configuration. Default:"
                            + " $PHASEWISE_STATE_DIR, else .phasewise in the repository.")
    private Path directory;

    StateDirectory resolve(Context context) {
        return new StateDirectory(
                LocalStack.of(
                        directory,
                        context.environment(),
                        context.root().orElse(context.workingDirectory()),
                        context.workingDirectory()));
    }
}
