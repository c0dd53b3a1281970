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

/** A producer and a consumer of one version of librdkafka, by its library for Python. */
final class LibrdkafkaClients {

    private static final Duration INSTALLATION = Duration.ofMinutes(3);

    private final String wheel;

    /** An environment with the library, which stays for the next time. */
    private final Path environment;

    /**
     * @param version of confluent-kafka, whose wheel holds a librdkafka
     */
    LibrdkafkaClients(String version) {
        wheel = "confluent-kafka==" + version;
        environment = Path.of("target/librdkafka-" + version).toAbsolutePath();
    }

    private String python() {
        return environment.resolve("bin/python").toString();
    }

    /** Gets the library; what is missing for that, if anything is. */
    Optional<String> install() throws InterruptedException {
        try {
            if (Files.exists(Path.of(python())) && run(python(), "-c", "import confluent_kafka")) {
                return Optional.empty();
            }
            if (!run("python3", "-m", "venv", environment.toString())) {
                return Optional.of("python3 cannot make an environment (python3-venv)");
            }
            return run(python(), "-m", "pip", "install", "--only-binary", ":all:", wheel)
                    ? Optional.empty()
                    : Optional.of("pip cannot install " + wheel + " (no network, or no wheel for this Python)");
        } catch (IOException e) {
            return Optional.of("no python3: " + e.getMessage());
        }
    }

    private static boolean run(String... command) throws IOException, InterruptedException {
        return CommandOutput.of(List.of(command), null, INSTALLATION).status() == 0;
    }

    /**
     * Starts them; they go on until the process is closed.
     *
     * @param prefix of the ids: {@code <prefix>-producer}, {@code <prefix>-consumer}
     */
    ManagedProcess start(String bootstrap, String topic, String prefix, Path directory) throws IOException {
        String program = Path.of("src/test/python/librdkafka_clients.py")
                .toAbsolutePath()
                .toString();
        List<String> command = List.of(python(), program, bootstrap, topic, prefix);
        Path log = directory.resolve(prefix + ".log");
        return ManagedProcess.start(new ProcessSpec(prefix, command, Map.of(), directory, log));
    }

    /** What the clients said last of the connections that they lost. */
    static String lost(ManagedProcess clients) {
        return clients.logExcerpt(50).stream()
                .filter(line -> line.contains("lost connections: "))
                .reduce((before, last) -> last)
                .map(line -> line.replaceFirst(".*lost connections: ", ""))
                .orElse("");
    }
}
