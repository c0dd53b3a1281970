/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * Runs Jazzer, which must be on this process's class path, on one fuzz target in a JVM of its own.
 * What may not happen is said by the target.
 */
public final class Jazzer {

    /** Beyond the time that is searched: starting, minimizing what was found. */
    private static final Duration GRACE = Duration.ofMinutes(2);

    private static final Pattern FIGURES = Pattern.compile("#\\d+\\s+(DONE|REDUCE|NEW|pulse)\\b.*");

    private final Class<?> target;
    private final String instrumented;
    private final Path directory;

    /**
     * @param target has {@code fuzzerTestOneInput(byte[])}
     * @param instrumented patterns of classes whose branches guide the search, with colons between
     * @param directory for what it writes; a finding is left there as a file that begins with
     *     {@code crash-}
     */
    public Jazzer(Class<?> target, String instrumented, Path directory) {
        this.target = target;
        this.instrumented = instrumented;
        this.directory = directory;
    }

    /**
     * What became of a search.
     *
     * @param foundNothing whether the target held
     * @param output of Jazzer
     */
    public record Result(boolean foundNothing, List<String> output) {

        /** Runs, branches reached and corpus, as Jazzer counts them. */
        public List<String> figures() {
            List<String> counted =
                    output.stream().filter(line -> FIGURES.matcher(line).matches()).toList();
            List<String> last =
                    counted.isEmpty() ? List.of() : List.of(counted.get(counted.size() - 1));
            return java.util.stream.Stream.concat(
                            last.stream(), output.stream().filter(line -> line.startsWith("Done")))
                    .toList();
        }
    }

    /**
     * Searches.
     *
     * @param corpus seeds; what reaches something new is added
     * @param time how long
     * @throws IOException when it cannot be started, or does not end
     */
    public Result search(Path corpus, Duration time) throws IOException, InterruptedException {
        Path output = directory.resolve("jazzer.log");
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
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
                                corpus.toString())
                        .directory(directory.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
        try {
            if (!process.waitFor(time.plus(GRACE).toSeconds(), TimeUnit.SECONDS)) {
                throw new IOException(
                        "Jazzer has not ended; it said:\n" + Files.readString(output));
            }
        } finally {
            process.destroyForcibly();
        }
        return new Result(process.exitValue() == 0, Files.readAllLines(output));
    }
}
