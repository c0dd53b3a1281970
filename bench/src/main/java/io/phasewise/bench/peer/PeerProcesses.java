/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.peer;

import io.phasewise.bench.run.Jvm;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Runs each peer in a JVM of its own, set up as the canary's, and reads what it prints. */
public final class PeerProcesses {
    private static final Pattern MEAN = Pattern.compile("Avg latency: ([0-9.]+) ms");
    private static final Pattern MEDIAN = Pattern.compile("50th = (\\d+)");

    private final Path root;
    private final Path scratch;

    /**
     * @param root the repository's
     * @param scratch a directory for their logs
     */
    public PeerProcesses(Path root, Path scratch) {
        this.root = root;
        this.scratch = scratch;
    }

    /**
     * What Kafka's tool saw.
     *
     * @param meanSeconds of all records, the first ones included
     * @param p50Milliseconds cut to whole milliseconds
     */
    public record ToolReading(double meanSeconds, long p50Milliseconds) {}

    /**
     * Starts the bare loop.
     *
     * @param rate records a second
     * @throws IOException when it cannot be started
     */
    public BareProcess bareLoop(
            String bootstrap, String topic, int partitions, double rate, String acks, int bytes)
            throws IOException {
        List<String> arguments =
                List.of(
                        bootstrap,
                        topic,
                        Integer.toString(partitions),
                        Double.toString(rate),
                        acks,
                        Integer.toString(bytes));
        return new BareProcess(
                start(System.getProperty("java.class.path"), BareLoop.class.getName(), arguments));
    }

    /**
     * Runs Kafka's EndToEndLatency, which sends a record when it has received the one before.
     *
     * @throws IOException when it fails
     */
    public ToolReading endToEndLatency(
            String bootstrap, String topic, int records, String acks, int bytes)
            throws IOException, InterruptedException {
        String output =
                run(
                        root.resolve("bench/kafka-tools/target/lib") + "/*",
                        "org.apache.kafka.tools.EndToEndLatency",
                        List.of(
                                "--bootstrap-server",
                                bootstrap,
                                "--topic",
                                topic,
                                "--num-records",
                                Integer.toString(records),
                                "--producer-acks",
                                acks,
                                "--record-size",
                                Integer.toString(bytes)));
        Matcher mean = MEAN.matcher(output);
        Matcher median = MEDIAN.matcher(output);
        if (!mean.find() || !median.find()) {
            throw new IOException("EndToEndLatency said: " + output);
        }
        return new ToolReading(
                Double.parseDouble(mean.group(1)) / 1e3, Long.parseLong(median.group(1)));
    }

    private Process start(String classPath, String main, List<String> arguments)
            throws IOException {
        List<String> all = new ArrayList<>();
        all.add("-Dlogback.configurationFile=bench-logback.xml");
        all.addAll(List.of("-cp", classPath, main));
        all.addAll(arguments);
        return new ProcessBuilder(Jvm.command(all))
                .redirectError(ProcessBuilder.Redirect.appendTo(log(main)))
                .start();
    }

    private File log(String main) {
        return scratch.resolve(main + ".log").toFile();
    }

    private String run(String classPath, String main, List<String> arguments)
            throws IOException, InterruptedException {
        Process process = start(classPath, main, arguments);
        try {
            byte[] output = process.getInputStream().readAllBytes();
            if (process.waitFor() != 0) {
                throw new IOException(main + " failed; its log is " + log(main));
            }
            return new String(output, StandardCharsets.UTF_8);
        } finally {
            process.destroyForcibly();
        }
    }
}
