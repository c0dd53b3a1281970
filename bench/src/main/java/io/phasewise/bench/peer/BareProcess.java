/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.peer;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A running {@link BareLoop}, read window by window. */
public final class BareProcess implements AutoCloseable {
    private static final Pattern FIELD = Pattern.compile("(\\w+)=(\\d+)");

    private final Process process;
    private final Writer marks;
    private final BufferedReader readings;

    BareProcess(Process process) {
        this.process = process;
        this.marks = process.outputWriter(StandardCharsets.US_ASCII);
        this.readings =
                new BufferedReader(
                        new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII));
    }

    /**
     * What it saw in one window.
     *
     * @param records how many
     * @param p50Seconds from send() to poll()
     * @param dueP50Seconds from when a record was due to poll()
     */
    public record Reading(long records, double p50Seconds, double dueP50Seconds) {}

    /**
     * Begins a window: what came in so far does not count.
     *
     * @throws IOException when the loop has failed
     */
    public void begin() throws IOException {
        read();
    }

    /**
     * Ends a window.
     *
     * @return what came in since it began
     * @throws IOException when the loop has failed or nothing came in
     */
    public Reading end() throws IOException {
        Reading reading = read();
        if (reading.records() == 0) {
            throw new IOException("the bare loop received nothing");
        }
        return reading;
    }

    private Reading read() throws IOException {
        marks.write("\n");
        marks.flush();
        String line = readings.readLine();
        if (line == null) {
            throw new IOException("the bare loop has ended");
        }
        return new Reading(
                field(line, "records"), field(line, "p50") / 1e9, field(line, "dueP50") / 1e9);
    }

    private static long field(String line, String name) throws IOException {
        Matcher matcher = FIELD.matcher(line);
        while (matcher.find()) {
            if (matcher.group(1).equals(name)) {
                return Long.parseLong(matcher.group(2));
            }
        }
        throw new IOException("the bare loop said: " + line);
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
