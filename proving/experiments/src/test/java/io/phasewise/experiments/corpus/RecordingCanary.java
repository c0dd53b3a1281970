/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.corpus;

import io.phasewise.canary.Canary;
import io.phasewise.canary.cluster.context.InputListener;
import io.phasewise.canary.config.ConfigLoader;
import io.phasewise.canary.trip.OpenProbe;
import io.phasewise.canary.trip.Trip;
import io.phasewise.common.marks.MarkPage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The canary as users run it, which writes down all that its splitter and suspects are given: a program of its own, as
 * the canary writes no such file. What is written can be read while it goes on.
 */
public final class RecordingCanary {
    /** System property with the path of the file. */
    static final String FILE = "phasewise.recording";

    /** See {@code Canary}: shorter ones are none. */
    private static final long STALL = 20_000_000;

    private RecordingCanary() {}

    /** Takes {@code --config FILE}, as the canary does. */
    public static void main(String[] arguments) throws Exception {
        Recorder recorder = new Recorder(Files.newBufferedWriter(Path.of(System.getProperty(FILE))));
        ConfigLoader.Loaded loaded = new ConfigLoader(System.getenv()).load(Path.of(arguments[1]));
        Canary canary = new Canary(loaded.config(), "recording", System::nanoTime, recorder);
        canary.start();
        System.out.println("http://127.0.0.1:" + canary.port() + "/");
    }

    private static final class Recorder implements InputListener {
        private final Writer file;
        private final EventWriter events = new EventWriter(0, 1);
        private String topic = "";

        Recorder(Writer file) {
            this.file = file;
        }

        private synchronized void write(Event event) {
            events.add(event);
            try {
                file.write(events.take());
                if (event instanceof Event.Open) {
                    file.flush();
                }
            } catch (IOException full) {
                throw new UncheckedIOException(full);
            }
        }

        @Override
        public void page(int broker, long now, MarkPage page) {
            write(new Event.Page(now, broker, page));
        }

        @Override
        public void silent(int broker, long now) {
            write(new Event.Silent(now, broker));
        }

        @Override
        public void roundTrip(int broker, long now, long nanos) {
            write(new Event.RoundTrip(now, broker, nanos));
        }

        @Override
        public void hiccup(long nanos) {
            if (nanos > STALL) {
                write(new Event.Hiccup(System.nanoTime(), nanos));
            }
        }

        @Override
        public void polled(long from, long to, int[] partitions, int count) {
            List<Integer> brought = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                brought.add(partitions[i]);
            }
            write(new Event.Poll(to, from, brought));
        }

        @Override
        public synchronized void topic(String id) {
            if (!id.equals(topic)) {
                topic = id;
                write(new Event.Topic(System.nanoTime(), id));
            }
        }

        @Override
        public void ended(Trip trip) {
            write(new Event.Ended(System.nanoTime(), trip));
        }

        @Override
        public void open(List<OpenProbe> probes, long now) {
            write(new Event.Open(now, probes));
        }
    }
}
