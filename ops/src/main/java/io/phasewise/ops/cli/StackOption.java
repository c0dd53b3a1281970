/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.ops.cli;

import io.phasewise.common.stack.LocalStack;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The option that names the state directory of a local stack. */
final class StackOption {

    @Option(names = "--state-dir", paramLabel = "DIR")
    private Path directory;

    LocalStack stack(Context context) {
        return LocalStack.of(
                directory, context.environment(), context.home(), context.workingDirectory());
    }
}
