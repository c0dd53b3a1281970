/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.corpus;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/** Recordings as files: what a canary has written, and the parts of it that are kept. */
final class Recordings {
    /** Ten microseconds: what splitter and suspects tell apart is longer. */
    private static final long UNIT = 10_000;

    /** When a recording that is replayed begins. */
    private static final long BEGINNING = TimeUnit.SECONDS.toNanos(100_000);

    /** By so much a broker's clock is ahead of the canary's and of that of the broker before it. */
    private static final long APART = TimeUnit.SECONDS.toNanos(10_000);

    private Recordings() {}

    /** Reads what a canary has written so far. */
    static List<Event> ofCanary(Path file) throws IOException {
        try (BufferedReader lines = Files.newBufferedReader(file)) {
            return new EventReader(0, broker -> 0).read(lines);
        }
    }

    /**
     * The events of a stretch of time.
     *
     * @param begins when the fault begins
     * @param ends when it ends
     */
    static List<Event> cut(List<Event> all, long from, long begins, long ends, long to) {
        List<Event> part = new ArrayList<>();
        Event.Topic topic = null;
        boolean begun = false;
        boolean ended = false;
        for (Event each : all) {
            if (each instanceof Event.Topic now && each.at() <= from) {
                topic = new Event.Topic(from, now.id());
            }
            if (each.at() < from || each.at() > to) {
                continue;
            }
            if (part.isEmpty() && topic != null) {
                part.add(topic);
            }
            if (!begun && each.at() >= begins) {
                part.add(new Event.Fault(begins, true));
                begun = true;
            }
            if (!ended && each.at() >= ends) {
                part.add(new Event.Fault(ends, false));
                ended = true;
            }
            part.add(each);
        }
        return part;
    }

    static void write(Path file, List<Event> events) throws IOException {
        try (OutputStream packed = new GZIPOutputStream(Files.newOutputStream(file)) {
                    {
                        def.setLevel(9);
                    }
                };
                Writer text = new BufferedWriter(new OutputStreamWriter(packed, StandardCharsets.US_ASCII))) {
            text.write(EventWriter.text(events, events.get(0).at(), UNIT));
        }
    }

    /** Reads a kept recording. No two clocks in it are alike, though one machine had them all. */
    static List<Event> read(Path file) throws IOException {
        try (InputStream packed = new GZIPInputStream(Files.newInputStream(file), 1 << 16);
                BufferedReader lines =
                        new BufferedReader(new InputStreamReader(packed, StandardCharsets.US_ASCII), 1 << 16)) {
            return new EventReader(BEGINNING, broker -> broker * APART).read(lines);
        }
    }
}
