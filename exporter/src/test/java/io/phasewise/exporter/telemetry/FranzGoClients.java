/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.telemetry;

import io.phasewise.lab.process.CommandOutput;
import io.phasewise.lab.process.ManagedProcess;
import io.phasewise.lab.process.ProcessSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A producer and a consumer of franz-go, built from the module in src/test/go. */
final class FranzGoClients {

    private static final Duration BUILD = Duration.ofMinutes(5);
    private static final Path PROGRAM = Path.of("target/franz-clients").toAbsolutePath();

    private FranzGoClients() {}

    /** Builds the program; what is missing for that, if anything is. */
    static Optional<String> build() throws InterruptedException {
        Path module = Path.of("src/test/go/franz").toAbsolutePath();
        try {
            List<String> command = List.of("go", "build", "-buildvcs=false", "-o", PROGRAM.toString(), ".");
            CommandOutput built = CommandOutput.of(command, module, BUILD);
            return built.status() == 0 ? Optional.empty() : Optional.of("go cannot build franz-go: " + built.lines());
        } catch (IOException e) {
            return Optional.of("no go: " + e.getMessage());
        }
    }

    /**
     * Starts them; they go on until the process is closed.
     *
     * @param prefix of the ids: {@code <prefix>-producer}, {@code <prefix>-consumer}
     */
    static ManagedProcess start(String bootstrap, String topic, String prefix, Path directory) throws IOException {
        List<String> command = List.of(PROGRAM.toString(), bootstrap, topic, prefix);
        Path log = directory.resolve(prefix + ".log");
        return ManagedProcess.start(new ProcessSpec(prefix, command, Map.of(), directory, log));
    }
}
