/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What the kernel knows of each thread of a canary at one instant (Linux).
 *
 * @param byId name and processor time of each, by the kernel's number of it
 */
public record ThreadUsage(Map<Long, Task> byId) {
    public ThreadUsage {
        byId = Map.copyOf(byId);
    }

    /**
     * One thread.
     *
     * @param name its first 15 characters
     * @param cpuSeconds processor time so far, to a hundredth
     */
    public record Task(String name, double cpuSeconds) {}

    /**
     * All threads of one kind.
     *
     * @param threads how many
     * @param cpu processors in use
     */
    public record Share(int threads, double cpu) {
        private Share plus(double more) {
            return new Share(threads + 1, cpu + more);
        }
    }

    /** What a canary's threads are for, told by how their names begin. */
    public enum Kind {
        KEEPER("looks at the cluster (cluster-)", "cluster-"),
        TICKER("judges overdue probes, learns leaders (tick-)", "tick-"),
        SCHEDULER("hands over what is due (schedule-)", "schedule-"),
        LANES("opens and closes lanes (lanes-)", "lanes-"),
        PRODUCER("a lane's Kafka producer", "kafka-producer-"),
        CONSUMER("polls (consume-)", "consume-"),
        PINGER("times round trips (ping-)", "ping-"),
        ADMIN("Kafka's admin client", "kafka-admin-cli"),
        HICCUPS("hiccup meter, 1,000 times a second", "hiccups"),
        COMPILER("JIT compiler", "C1 Comp", "C2 Comp", "Sweeper"),
        COLLECTOR("garbage collector", "Z", "G1 ", "GC Thread"),
        OTHER("the rest", "");

        private final String title;
        private final List<String> prefixes;

        Kind(String title, String... prefixes) {
            this.title = title;
            this.prefixes = List.of(prefixes);
        }

        /** What they do, for people. */
        public String title() {
            return title;
        }

        static Kind of(String name) {
            return Arrays.stream(values())
                    .filter(kind -> kind.prefixes.stream().anyMatch(name::startsWith))
                    .findFirst()
                    .orElseThrow(); // every name begins with nothing, which is the last kind's
        }
    }

    /**
     * Looks.
     *
     * @throws UncheckedIOException when there is no such process
     */
    public static ThreadUsage of(long pid) {
        Map<Long, Task> tasks = new HashMap<>();
        try (Stream<Path> directories = Files.list(Path.of("/proc/" + pid + "/task"))) {
            for (Path directory : (Iterable<Path>) directories::iterator) {
                try {
                    String stat = Files.readString(directory.resolve("stat"));
                    tasks.put(
                            Long.valueOf(directory.getFileName().toString()),
                            new Task(name(stat), Usage.cpuSeconds(stat)));
                } catch (NoSuchFileException e) {
                    continue; // it has ended meanwhile
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("no process " + pid, e);
        }
        return new ThreadUsage(tasks);
    }

    private static String name(String stat) {
        return stat.substring(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
    }

    /**
     * The threads that are there now, and the processors they kept busy; what threads took that
     * ended in between is in no share.
     *
     * @param before an earlier look at the same process
     * @param seconds between the two, more than 0
     * @return a share for each kind, in the order of {@link Kind}
     */
    public Map<Kind, Share> since(ThreadUsage before, double seconds) {
        Map<Kind, Share> shares = new EnumMap<>(Kind.class);
        for (Kind kind : Kind.values()) {
            shares.put(kind, new Share(0, 0));
        }
        byId.forEach(
                (id, task) -> {
                    Task earlier = before.byId.get(id);
                    double cpu = task.cpuSeconds() - (earlier == null ? 0 : earlier.cpuSeconds());
                    shares.compute(
                            Kind.of(task.name()), (kind, share) -> share.plus(cpu / seconds));
                });
        return shares;
    }
}
