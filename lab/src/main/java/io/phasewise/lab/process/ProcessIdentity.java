/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Identifies a process by its pid and the instant at which it started. So a pid that the system has
 * reused is not taken for the same process.
 *
 * @param pid the process id
 * @param startedMillis when it started, milliseconds since the epoch (on Linux to a hundredth
 *     of a second)
 */
public record ProcessIdentity(long pid, long startedMillis) {

    /**
     * The system computes start instants from the boot time, which moves with the wall clock. This
     * much is allowed for: a pid is not reused as fast, and clocks rarely step further.
     */
    private static final Duration TOLERANCE = Duration.ofSeconds(2);

    /** The same, from an instant. */
    public ProcessIdentity(long pid, Instant started) {
        this(pid, started.toEpochMilli());
    }

    /** When it started. */
    public Instant started() {
        return Instant.ofEpochMilli(startedMillis);
    }

    /**
     * The process that has this pid now.
     *
     * @return empty when there is none, or when its start cannot be known
     */
    public static Optional<ProcessIdentity> of(long pid) {
        return ProcessHandle.of(pid).flatMap(ProcessIdentity::of);
    }

    static Optional<ProcessIdentity> of(ProcessHandle handle) {
        return handle.info().startInstant().map(started -> new ProcessIdentity(handle.pid(), started));
    }

    /**
     * Whether this very process still runs. A zombie, not yet reaped by its parent, does not.
     */
    public boolean isAlive() {
        return handle().isPresent();
    }

    /**
     * The handle of this very process; empty when it has ended, even if its pid is in use again.
     */
    Optional<ProcessHandle> handle() {
        return ProcessHandle.of(pid)
                .filter(ProcessHandle::isAlive)
                .filter(handle ->
                        handle.info().startInstant().filter(this::isStart).isPresent())
                .filter(handle -> !isZombie());
    }

    private boolean isStart(Instant instant) {
        return Duration.between(started(), instant).abs().compareTo(TOLERANCE) <= 0;
    }

    private boolean isZombie() {
        return isZombie(Path.of("/proc", Long.toString(pid)));
    }

    /**
     * Whether a process has ended and only waits for its parent to ask how. Where its first thread has ended before its
     * other threads, the system says the same of it; but these still have its files and its ports.
     *
     * @param process its directory in /proc
     */
    static boolean isZombie(Path process) {
        try (Stream<Path> threads = Files.list(process.resolve("task"))) {
            return state(process.resolve("stat")) == 'Z' && threads.count() <= 1;
        } catch (IOException noSuchFileSystem) {
            return false;
        }
    }

    /**
     * The state of a process or a thread, as proc(5) has it. Its name comes before and may hold
     * anything, brackets too.
     */
    static char state(Path stat) throws IOException {
        String all = Files.readString(stat);
        return all.charAt(all.lastIndexOf(')') + 2);
    }
}
