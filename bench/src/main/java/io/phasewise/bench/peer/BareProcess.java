/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.peer;

import io.phasewise.bench.measure.Jvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.List;

/** A running {@link BareLoop}, read window by window. */
public final class BareProcess implements AutoCloseable {
    private final Process process;
    private final Writer marks;
    private final BufferedReader readings;

    private BareProcess(Process process) {
        this.process = process;
        this.marks = process.outputWriter();
        this.readings = process.inputReader();
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
     * Starts it.
     *
     * @param rate records a second over all partitions
     * @param log takes what it says on standard error
     */
    public static BareProcess start(
            String bootstrap, String topic, int partitions, int rate, int bytes, Path log)
            throws IOException {
        return new BareProcess(
                Jvm.start(
                        log,
                        System.getProperty("java.class.path"),
                        BareLoop.class.getName(),
                        List.of(
                                bootstrap,
                                topic,
                                Integer.toString(partitions),
                                Integer.toString(rate),
                                Integer.toString(bytes))));
    }

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
        String[] fields = line.split(" ");
        return new Reading(
                Long.parseLong(fields[0]),
                Long.parseLong(fields[1]) / 1e9,
                Long.parseLong(fields[2]) / 1e9);
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
