/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import io.phasewise.canary.it.Fitness.Role;
import io.phasewise.canary.it.KernelSample.Processors;
import io.phasewise.canary.it.KernelSample.ThreadId;
import io.phasewise.canary.it.KernelSample.Waits;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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
        return new KernelSample(processors(), threads);
    }

    private void read(Subject subject, Map<ThreadId, Waits> threads) {
        Path tasks = proc.resolve(Long.toString(subject.pid())).resolve("task");
        try (DirectoryStream<Path> all = Files.newDirectoryStream(tasks)) {
            for (Path task : all) {
                Optional<String> name = text(task.resolve("comm"));
                Optional<String> counted = text(task.resolve("schedstat"));
                for (Role role : subject.roles()) {
                    if (name.isPresent()
                            && counted.isPresent()
                            && name.get().startsWith(role.prefix())) {
                        long[] fields = numbers(counted.get());
                        threads.put(
                                new ThreadId(
                                        subject.name(),
                                        role.name(),
                                        Long.parseLong(task.getFileName().toString())),
                                new Waits(fields[1], fields[2]));
                    }
                }
            }
        } catch (IOException gone) {
            // A process without threads: it is not there any more, or there is no such /proc.
        }
    }

    /** The first line: cpu user nice system idle iowait irq softirq steal guest guest_nice. */
    private Processors processors() {
        String line = text(proc.resolve("stat")).orElseThrow().lines().findFirst().orElseThrow();
        long[] ticks = numbers(line.substring("cpu ".length()));
        // Guests' times are in user's already.
        return new Processors(ticks[3], ticks[7], Arrays.stream(ticks, 0, 8).sum());
    }

    private static long[] numbers(String text) {
        return Arrays.stream(text.strip().split("\\s+")).mapToLong(Long::parseLong).toArray();
    }

    /** Empty where there is no such file, or a thread of that number any more. */
    private static Optional<String> text(Path file) {
        try {
            return Optional.of(Files.readString(file));
        } catch (IOException none) {
            return Optional.empty();
        }
    }
}
