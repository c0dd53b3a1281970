/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.supervise;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Adds up how long the threads that measure were ready to run and had no processor: Linux's
 * schedstat. {@link HiccupMeter} cannot see that, as the scheduler prefers a thread that has slept
 * to one that has worked. Thread-safe.
 *
 * <p>What a thread waits after the last reading before its end is not seen.
 */
public final class RunQueueWait {
    /** This process's threads in Linux's process file system. */
    public static final Path TASKS = Path.of("/proc/self/task");

    /**
     * How the names of the threads that send, receive and time probes begin. Of a long name the
     * system gets the first 15 characters or, from newer JVMs, the first seven and the last.
     */
    private static final List<String> MEASURING = List.of("schedul", "lanes-", "consume", "kafka-p", "ping-");

    private final File tasks;

    /** The beginning of a file, which is all of it: with 200 clusters these are 3,000 at each scrape. */
    private final byte[] buffer = new byte[128];

    /** The wait of each thread at the last reading; threads that do not measure are not in it. */
    private Map<String, Long> last = new HashMap<>();

    private long total;

    /**
     * @param tasks a directory with one directory for each thread, usually {@link #TASKS}
     */
    public RunQueueWait(Path tasks) {
        this.tasks = tasks.toFile();
    }

    /** Whether the system reports it: Linux does, where its kernel was built with schedstat. */
    public static boolean isAvailable(Path tasks) {
        try (Stream<Path> all = Files.list(tasks)) {
            return all.anyMatch(task -> Files.isReadable(task.resolve("schedstat")));
        } catch (IOException e) {
            return false;
        }
    }

    /** How long all threads that measure have waited, seconds; never less than before. */
    public synchronized double seconds() {
        String[] ids = tasks.list();
        if (ids != null) { // otherwise what was read before stands
            Map<String, Long> now = new HashMap<>();
            for (String id : ids) {
                read(id, now);
            }
            last = now;
        }
        return total / 1e9;
    }

    private void read(String id, Map<String, Long> now) {
        File task = new File(tasks, id);
        try {
            String name = text(new File(task, "comm"));
            if (MEASURING.stream().noneMatch(name::startsWith)) {
                return;
            }
            // Nanoseconds on a processor, nanoseconds of waiting for one, number of times.
            long nanos = Long.parseLong(text(new File(task, "schedstat")).split(" ")[1]);
            long before = last.getOrDefault(id, 0L);
            // Less than before: another thread has got the number of one that ended.
            total += nanos < before ? nanos : nanos - before;
            now.put(id, nanos);
        } catch (IOException | RuntimeException e) {
            // The thread has ended meanwhile, or the files have another form: not counted.
        }
    }

    private String text(File file) throws IOException {
        try (InputStream in = new FileInputStream(file)) {
            return new String(buffer, 0, Math.max(0, in.read(buffer)), StandardCharsets.ISO_8859_1);
        }
    }
}
