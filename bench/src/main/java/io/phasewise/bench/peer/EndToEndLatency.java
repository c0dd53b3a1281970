/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.peer;

import io.phasewise.bench.measure.Jvm;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What Kafka's tool of that name saw, which sends a record when it has received the one before.
 *
 * @param meanSeconds of all records, the first ones included
 * @param p50Milliseconds cut to whole milliseconds
 */
public record EndToEndLatency(double meanSeconds, long p50Milliseconds) {
    private static final Pattern SAID =
            Pattern.compile("(?s)Avg latency: ([0-9.]+) ms.*50th = (\\d+)");

    /**
     * Runs it.
     *
     * @param root the repository's
     * @param log takes what it says on standard error
     * @throws IOException when it fails
     */
    public static EndToEndLatency run(
            Path root, Path log, String bootstrap, String topic, int records, int bytes)
            throws IOException, InterruptedException {
        Process process =
                Jvm.start(
                        log,
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
                                "all",
                                "--record-size",
                                Integer.toString(bytes)));
        try {
            String said =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            Matcher matcher = SAID.matcher(said);
            if (process.waitFor() != 0 || !matcher.find()) {
                throw new IOException("EndToEndLatency said: " + said + "; its log is " + log);
            }
            return new EndToEndLatency(
                    Double.parseDouble(matcher.group(1)) / 1e3, Long.parseLong(matcher.group(2)));
        } finally {
            process.destroyForcibly();
        }
    }
}
