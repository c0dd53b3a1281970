/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.lab.process.CommandOutput;
import io.phasewise.lab.process.Programs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Assumptions;

/**
 * A program that a test runs; its two outputs are merged.
 *
 * @param directory where it runs
 * @param environment variables that are added to this process's own, or replace them
 */
record Command(List<String> words, Path directory, Map<String, String> environment) {

    /** How it ended. */
    record Result(int exitCode, String output) {}

    /** A command in the root of the repository. */
    static Command of(Object... words) {
        List<String> all = new ArrayList<>();
        for (Object word : words) {
            all.add(word.toString());
        }
        return new Command(all, Repository.ROOT, Map.of());
    }

    /** {@code ./phasewise}, told not to build: Maven has just built everything. */
    static Command phasewise(Object... words) {
        return of(Repository.path("phasewise")).and(words).with("PHASEWISE_NO_BUILD", "1");
    }

    /**
     * Sends a signal by the shell's own {@code kill}: a program of that name is not on every
     * machine.
     */
    static Command signal(String name, Object... pids) {
        return of("/bin/sh", "-c", "kill -" + name + " \"$@\"", "sh").and(pids);
    }

    Command and(Object... more) {
        List<String> all = new ArrayList<>(words);
        all.addAll(of(more).words);
        return new Command(all, directory, environment);
    }

    Command in(Path other) {
        return new Command(words, other, environment);
    }

    Command with(String variable, String value) {
        return with(Map.of(variable, value));
    }

    Command with(Map<String, String> variables) {
        Map<String, String> all = new TreeMap<>(environment);
        all.putAll(variables);
        return new Command(words, directory, all);
    }

    /** Starts it, with its output in a file. */
    Process start(Path output) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(words)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().putAll(environment);
        return builder.start();
    }

    /** Runs it to its end. After the bound it is killed, with its children. */
    Result run(Duration limit) {
        List<String> lines = Collections.synchronizedList(new ArrayList<>());
        try {
            int status = CommandOutput.stream(words, directory, environment, limit, lines::add);
            String output = String.join("\n", lines);
            assertThat(status).as("%s ends within %s:\n%s", this, limit, output).isNotNegative();
            return new Result(status, output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    /**
     * As {@link #run}, and returns its output without blanks at the ends; the test fails when the
     * command fails.
     */
    String output(Duration limit) {
        Result result = run(limit);
        assertThat(result.exitCode()).as("%s:\n%s", this, result.output()).isZero();
        return result.output().strip();
    }

    @Override
    public String toString() {
        return String.join(" ", words);
    }

    /** Skips the calling test when one of the programs is not installed. */
    static void assumeOnPath(String... programs) {
        for (String each : programs) {
            Assumptions.assumeTrue(Programs.find(each, System.getenv("PATH")).isPresent(), "no " + each + " on PATH");
        }
    }
}
