/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.cli;

import io.phasewise.common.cli.UsageException;
import io.phasewise.lab.security.ComposeSecrets;
import io.phasewise.lab.stack.Context;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code secrets}: makes certificates and passwords for the containers. */
@Command(name = "secrets")
final class SecretsCommand implements Callable<Integer> {

    private final Context context;

    @Option(names = "--out", paramLabel = "DIRECTORY", defaultValue = ".secured")
    private Path out;

    SecretsCommand(Context context) {
        this.context = context;
    }

    @Override
    public Integer call() throws IOException {
        Path directory = context.root().orElse(context.workingDirectory()).resolve(out);
        try {
            new ComposeSecrets(context.clock()).write(directory);
        } catch (FileAlreadyExistsException e) {
            throw new UsageException("--out: " + directory + " exists already; remove it, or name another one");
        }
        context.screen()
                .print("Certificates and passwords are in %s; all logins are in logins.txt there".formatted(directory));
        return 0;
    }
}
