/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.measure;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

/**
 * Looks at threads of a broker from outside, {@value #PER_SECOND} times a second: whether the system has them run, wait
 * for the disk, or sleep, and where in the kernel they sleep. It is no part of the agent, and asks it nothing. What it
 * saw is a log: a line for each change of a thread, with the monotonic clock's nanoseconds, which brokers on this host
 * share, the thread's name, and the state of proc(5). A thread that sleeps in select() has the state {@value #SELECTS}.
 *
 * <p>It costs a processor some 10 us for each thread and look.
 */
public final class ThreadWitness implements AutoCloseable {
    /** Looks a second. */
    public static final int PER_SECOND = 500;

    /** A thread that waits in select() for something to do. */
    public static final char SELECTS = 'e';

    /** When the witness itself did not run for longer, it saw nothing meanwhile: the time is left out of its word. */
    static final long BLIND_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private static final char BLIND = '?';
    private static final char ENDED = 'X';
    private static final int MOST_BYTES = 512;

    private final Path log;
    private final BufferedWriter lines;
    private final List<Watched> threads = new ArrayList<>();
    private final Thread looker;
    private final byte[] buffer = new byte[MOST_BYTES];
    private volatile boolean ending;
    private volatile IOException failure;

    /** A thread that is looked at. */
    private static final class Watched {
        private final String name;
        private final RandomAccessFile stat;
        private final RandomAccessFile where;
        private char state = BLIND;

        Watched(String name, Path task) throws IOException {
            this.name = name;
            stat = new RandomAccessFile(task.resolve("stat").toFile(), "r");
            where = new RandomAccessFile(task.resolve("wchan").toFile(), "r");
        }

        void close() throws IOException {
            stat.close();
            where.close();
        }
    }

    /** What one line of the log says. */
    record Look(long nanos, String thread, char state) {
        static Look read(String line) {
            int first = line.indexOf(' ');
            int last = line.lastIndexOf(' ');
            return new Look(
                    Long.parseLong(line.substring(0, first)), line.substring(first + 1, last), line.charAt(last + 1));
        }
    }

    private ThreadWitness(long pid, Map<Long, String> names, Path log) throws IOException {
        this.log = log;
        lines = Files.newBufferedWriter(log);
        for (Map.Entry<Long, String> each : names.entrySet()) {
            Path task =
                    Path.of("/proc", Long.toString(pid), "task", each.getKey().toString());
            threads.add(new Watched(each.getValue(), task));
        }
        looker = new Thread(this::look, "witness-" + pid);
        looker.setDaemon(true);
        looker.setPriority(Thread.MAX_PRIORITY);
    }

    /**
     * Begins to look.
     *
     * @param pid of the JVM
     * @param names which of its threads; those that begin later are not looked at
     * @param log gets what it sees
     * @throws IOException when there is no such thread, or it cannot be looked at
     */
    public static ThreadWitness begin(long pid, Predicate<String> names, Path log)
            throws IOException, InterruptedException {
        Map<Long, String> all = ThreadNames.of(pid);
        all.values().removeIf(names.negate());
        if (all.isEmpty()) {
            throw new IOException("process " + pid + " has no such thread");
        }
        ThreadWitness witness = new ThreadWitness(pid, all, log);
        witness.looker.start();
        return witness;
    }

    private void look() {
        long period = TimeUnit.SECONDS.toNanos(1) / PER_SECOND;
        long before = System.nanoTime();
        try {
            while (!ending) {
                LockSupport.parkNanos(period);
                long now = System.nanoTime();
                if (now - before > BLIND_NANOS) {
                    for (Watched each : threads) {
                        note(before, each, BLIND);
                    }
                }
                for (Watched each : threads) {
                    note(now, each, state(each));
                }
                before = now;
            }
            for (Watched each : threads) {
                note(before, each, BLIND);
            }
        } catch (IOException broken) {
            failure = broken;
        }
    }

    private void note(long nanos, Watched thread, char state) throws IOException {
        if (state != thread.state) {
            thread.state = state;
            lines.write(nanos + " " + thread.name + " " + state + "\n");
        }
    }

    private char state(Watched thread) {
        try {
            String stat = read(thread.stat);
            char state = stat.charAt(stat.lastIndexOf(')') + 2);
            return state == 'S' && read(thread.where).contains("ep_poll") ? SELECTS : state;
        } catch (IOException | StringIndexOutOfBoundsException gone) {
            return ENDED;
        }
    }

    private String read(RandomAccessFile file) throws IOException {
        file.seek(0);
        int length = file.read(buffer);
        return new String(buffer, 0, Math.max(0, length), StandardCharsets.ISO_8859_1);
    }

    /**
     * Ends it.
     *
     * @throws UncheckedIOException when its log could not be written
     */
    @Override
    public void close() {
        ending = true;
        try {
            looker.join();
            lines.close();
            for (Watched each : threads) {
                each.close();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            failure = e;
        }
        if (failure != null) {
            throw new UncheckedIOException(failure);
        }
    }

    /**
     * When threads were in one of some states, by the log of a witness that has ended.
     *
     * @param names which threads; several count as one while any of them was
     * @param states of proc(5), and {@link #SELECTS}
     */
    public HeldTimes held(Predicate<String> names, String states) throws IOException {
        return held(Files.readAllLines(log), names, states, System.nanoTime(), Instant.now());
    }

    /** Of how much time it can say nothing, as it did not run itself. */
    public double blindSeconds() throws IOException {
        return held(name -> true, String.valueOf(BLIND)).seconds();
    }

    /**
     * @param nanos the monotonic clock at an instant of the wall clock
     * @param wall that instant
     */
    static HeldTimes held(List<String> log, Predicate<String> names, String states, long nanos, Instant wall) {
        Map<String, List<HeldTimes.Stretch>> found = new HashMap<>();
        Map<String, Look> last = new HashMap<>();
        for (String line : log) {
            Look look = Look.read(line);
            if (names.test(look.thread)) {
                Look before = last.put(look.thread, look);
                if (before != null && states.indexOf(before.state) >= 0) {
                    found.computeIfAbsent(look.thread, thread -> new ArrayList<>())
                            .add(new HeldTimes.Stretch(
                                    wall.plusNanos(before.nanos - nanos), wall.plusNanos(look.nanos - nanos)));
                }
            }
        }
        return found.values().stream().map(HeldTimes::new).reduce(new HeldTimes(List.of()), HeldTimes::or);
    }
}
