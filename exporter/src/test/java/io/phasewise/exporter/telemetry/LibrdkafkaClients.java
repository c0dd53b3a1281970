/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.telemetry;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A producer and a consumer that are not Java: librdkafka's, in a Python process. */
final class LibrdkafkaClients implements AutoCloseable {

    private static final String PACKAGE = "confluent-kafka==2.16.1";
    private static final int INSTALL_SECONDS = 60;
    private static final int END_SECONDS = 10;

    private final Process process;

    private LibrdkafkaClients(Process process) {
        this.process = process;
    }

    /** What starts them. */
    static final class Python {
        private final Path interpreter;
        private final String missing;

        private Python(Path interpreter, String missing) {
            this.interpreter = interpreter;
            this.missing = missing;
        }

        /** Why they cannot be started; empty when they can. */
        Optional<String> missing() {
            return Optional.ofNullable(missing);
        }
    }

    /** Gets the library into an environment of its own, which stays for the next time. */
    static Python python() throws InterruptedException {
        Path environment = Path.of("target/librdkafka").toAbsolutePath();
        Path interpreter = environment.resolve("bin/python");
        try {
            if (Files.exists(interpreter)
                    && run(interpreter.toString(), "-c", "import confluent_kafka")) {
                return new Python(interpreter, null);
            }
            if (!run("python3", "-m", "venv", environment.toString())) {
                return new Python(null, "python3 cannot make an environment (python3-venv)");
            }
            if (!run(
                    interpreter.toString(),
                    "-m",
                    "pip",
                    "install",
                    "--quiet",
                    "--only-binary",
                    ":all:",
                    PACKAGE)) {
                return new Python(null, "pip cannot install " + PACKAGE);
            }
            return new Python(interpreter, null);
        } catch (IOException e) {
            return new Python(null, "no python3: " + e.getMessage());
        }
    }

    static LibrdkafkaClients start(Python python, String bootstrap, String topic, Path log)
            throws IOException {
        return new LibrdkafkaClients(
                new ProcessBuilder(
                                python.interpreter.toString(),
                                Path.of("src/test/python/librdkafka_clients.py").toString(),
                                bootstrap,
                                topic)
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile())
                        .start());
    }

    private static boolean run(String... command) throws IOException, InterruptedException {
        Process process =
                new ProcessBuilder(List.of(command))
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start();
        if (!process.waitFor(INSTALL_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            return false;
        }
        return process.exitValue() == 0;
    }

    /** Lets them say goodbye to the brokers. */
    @Override
    public void close() throws IOException {
        process.getOutputStream().close();
        try {
            process.waitFor(END_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            process.destroyForcibly();
        }
    }
}
