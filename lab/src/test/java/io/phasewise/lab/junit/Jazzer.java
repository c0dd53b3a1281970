/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.junit;

import io.phasewise.lab.process.CommandOutput;
import io.phasewise.lab.process.Programs;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Runs Jazzer on one fuzz target in a JVM of its own. Jazzer must be on the class path of this
 * process. The target says what must not happen.
 */
public final class Jazzer {
    /** Added to the time of the search: for the start, and to minimize what was found. */
    private static final Duration GRACE = Duration.ofMinutes(2);

    private static final Pattern FIGURES = Pattern.compile("#\\d+\\s+(DONE|REDUCE|NEW|pulse)\\b.*");

    private final Class<?> target;
    private final String instrumented;
    private final Path directory;

    /**
     * @param target class with a method {@code fuzzerTestOneInput(byte[])}
     * @param instrumented patterns of classes whose branches guide the search, separated by colons
     * @param directory for its files; it writes a finding to a file whose name begins with
     *     {@code crash-}
     */
    public Jazzer(Class<?> target, String instrumented, Path directory) {
        this.target = target;
        this.instrumented = instrumented;
        this.directory = directory;
    }

    /**
     * The result of a search.
     *
     * @param foundNothing whether no input broke the target
     * @param output of Jazzer
     */
    public record Result(boolean foundNothing, List<String> output) {

        /** Jazzer's counts of runs, branches reached and corpus. */
        public List<String> figures() {
            List<String> counted = output.stream()
                    .filter(line -> FIGURES.matcher(line).matches())
                    .toList();
            return Stream.concat(
                            counted.stream().skip(Math.max(0, counted.size() - 1)),
                            output.stream().filter(line -> line.startsWith("Done")))
                    .toList();
        }
    }

    /**
     * Searches.
     *
     * @param corpus directory of seeds; inputs that reach new branches are added
     * @param time how long to search
     * @throws IOException when it cannot be started, or does not end
     */
    public Result search(Path corpus, Duration time) throws IOException, InterruptedException {
        CommandOutput said = CommandOutput.of(
                List.of(
                        Programs.java(),
                        "-Xmx512m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "com.code_intelligence.jazzer.Jazzer",
                        "--target_class=" + target.getName(),
                        "--instrumentation_includes=" + instrumented,
                        "--reproducer_path=" + directory,
                        "-max_total_time=" + time.toSeconds(),
                        "-max_len=16384",
                        "-print_final_stats=1",
                        corpus.toString()),
                directory,
                time.plus(GRACE));
        if (said.status() < 0) {
            throw new IOException("Jazzer has not ended; it said:\n" + said.text());
        }
        return new Result(said.status() == 0, said.lines());
    }
}
