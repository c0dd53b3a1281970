/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.telemetry;

import io.phasewise.lab.process.CommandOutput;
import io.phasewise.lab.process.ManagedProcess;
import io.phasewise.lab.process.ProcessSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A producer and a consumer of librdkafka, by its library for Python. */
final class LibrdkafkaClients {

    private static final String PACKAGE = "confluent-kafka==2.16.1";
    private static final Duration INSTALLATION = Duration.ofSeconds(60);

    /** An environment with the library, which stays for the next time. */
    private static final Path ENVIRONMENT = Path.of("target/librdkafka").toAbsolutePath();

    private static final String PYTHON = ENVIRONMENT.resolve("bin/python").toString();

    private LibrdkafkaClients() {}

    /** Gets the library; what is missing for that, if anything is. */
    static Optional<String> install() throws InterruptedException {
        try {
            if (Files.exists(Path.of(PYTHON)) && run(PYTHON, "-c", "import confluent_kafka")) {
                return Optional.empty();
            }
            if (!run("python3", "-m", "venv", ENVIRONMENT.toString())) {
                return Optional.of("python3 cannot make an environment (python3-venv)");
            }
            return run(PYTHON, "-m", "pip", "install", "--only-binary", ":all:", PACKAGE)
                    ? Optional.empty()
                    : Optional.of("pip cannot install " + PACKAGE);
        } catch (IOException e) {
            return Optional.of("no python3: " + e.getMessage());
        }
    }

    private static boolean run(String... command) throws IOException, InterruptedException {
        return CommandOutput.of(List.of(command), null, INSTALLATION).status() == 0;
    }

    /** Starts them; they go on until the process is closed. */
    static ManagedProcess start(String bootstrap, String topic, Path directory) throws IOException {
        String program = Path.of("src/test/python/librdkafka_clients.py")
                .toAbsolutePath()
                .toString();
        List<String> command = List.of(PYTHON, program, bootstrap, topic);
        Path log = directory.resolve("librdkafka.log");
        return ManagedProcess.start(new ProcessSpec("librdkafka", command, Map.of(), directory, log));
    }
}
