/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import io.phasewise.canary.it.Fitness.Role;
import io.phasewise.canary.it.KernelSample.ThreadId;
import io.phasewise.canary.it.KernelSample.Waits;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Reads what Linux counts of processors and of some processes' threads; judging is {@link
 * Fitness}'s.
 */
final class KernelReader {
    private final Path proc;
    private final List<Subject> subjects;

    /**
     * A process, and which of its threads matter.
     *
     * @param name for people
     */
    record Subject(String name, long pid, List<Role> roles) {}

    /**
     * @param proc {@code /proc}, or what stands for it
     */
    KernelReader(Path proc, List<Subject> subjects) {
        this.proc = proc;
        this.subjects = List.copyOf(subjects);
    }

    /** Reads all there is now; threads that the kernel does not count are left out. */
    KernelSample read() {
        Map<ThreadId, Waits> threads = new HashMap<>();
        subjects.forEach(subject -> read(subject, threads));
        try (Stream<String> lines = Files.lines(proc.resolve("stat"))) {
            // cpu user nice system idle iowait irq softirq steal guest guest_nice: guests' times
            // are in user's already.
            long[] ticks = numbers(lines.findFirst().orElseThrow().substring("cpu ".length()));
            return new KernelSample(ticks[7], Arrays.stream(ticks, 0, 8).sum(), threads);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void read(Subject subject, Map<ThreadId, Waits> threads) {
        Path tasks = proc.resolve(Long.toString(subject.pid())).resolve("task");
        try (DirectoryStream<Path> all = Files.newDirectoryStream(tasks)) {
            all.forEach(task -> read(subject, task, threads));
        } catch (IOException gone) {
            // A process without threads: it is not there any more, or there is no such /proc.
        }
    }

    private static void read(Subject subject, Path task, Map<ThreadId, Waits> threads) {
        try {
            String name = Files.readString(task.resolve("comm"));
            long[] counted = numbers(Files.readString(task.resolve("schedstat")));
            long tid = Long.parseLong(task.getFileName().toString());
            subject.roles().stream()
                    .filter(role -> name.startsWith(role.prefix()))
                    .map(role -> new ThreadId(subject.name(), role, tid))
                    .forEach(thread -> threads.put(thread, new Waits(counted[1], counted[2])));
        } catch (IOException ended) {
            // A thread of that number is not there any more, or is not counted.
        }
    }

    private static long[] numbers(String text) {
        return Arrays.stream(text.strip().split("\\s+")).mapToLong(Long::parseLong).toArray();
    }
}
