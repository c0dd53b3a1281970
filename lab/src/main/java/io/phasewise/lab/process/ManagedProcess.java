/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.process;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * One child process from start to certain end: signals, liveness and the tail of its log. What the
 * process is, and when it is ready, is left to others.
 *
 * <p>The child runs in a session of its own: a Ctrl-C at the terminal reaches the launcher only,
 * and the child may outlive it. A later launcher takes it over again with {@link #attach}.
 *
 * <p>Safe for use by several threads.
 */
public final class ManagedProcess implements AutoCloseable {

    /** How a process came to its end. */
    public enum Ending {
        /** It had ended before it was asked to. */
        WAS_GONE,
        /** It ended itself when asked to. */
        STOPPED,
        /** It did not end in time and was killed. */
        KILLED
    }

    private static final Duration CLOSE_GRACE = Duration.ofSeconds(10);
    private static final Duration KILL_BOUND = Duration.ofSeconds(10);

    /** Every thread stops itself once it gets a processor: on a busy machine that takes a while. */
    private static final Duration PAUSE_BOUND = Duration.ofSeconds(30);

    private final String name;
    private final ProcessIdentity identity;
    private final Path log;
    private final long logStart;
    private final Process child;

    private ManagedProcess(String name, ProcessIdentity identity, Path log, long logStart, Process child) {
        this.name = name;
        this.identity = identity;
        this.log = log;
        this.logStart = logStart;
        this.child = child;
    }

    /**
     * Starts a process.
     *
     * @throws IOException when the program cannot be run, or a directory cannot be made
     */
    public static ManagedProcess start(ProcessSpec spec) throws IOException {
        Files.createDirectories(spec.directory());
        Files.createDirectories(spec.log().toAbsolutePath().getParent());
        ProcessBuilder builder = new ProcessBuilder(Programs.inOwnSession(spec.command()))
                .directory(spec.directory().toFile())
                .redirectInput(new File("/dev/null"))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(spec.log().toFile()));
        builder.environment().putAll(spec.environment());
        requireProgram(spec);
        long logStart = Files.exists(spec.log()) ? Files.size(spec.log()) : 0;
        Process child = builder.start();
        ProcessIdentity identity = ProcessIdentity.of(child.toHandle())
                // Ended before anyone could look: no process is known by that start.
                .orElseGet(() -> new ProcessIdentity(child.pid(), Instant.EPOCH));
        return new ManagedProcess(spec.name(), identity, spec.log(), logStart, child);
    }

    /**
     * Takes over a process that an earlier launcher started. It need not be alive any more.
     *
     * @param log the file its output goes to
     */
    public static ManagedProcess attach(String name, ProcessIdentity identity, Path log) {
        return new ManagedProcess(name, Objects.requireNonNull(identity), log, 0, null);
    }

    /** Through setsid a wrong program would only show in the log: refused here instead. */
    private static void requireProgram(ProcessSpec spec) throws IOException {
        String program = spec.command().get(0);
        boolean found = program.contains("/")
                ? Files.isExecutable(spec.directory().resolve(program))
                : Programs.find(program, System.getenv("PATH")).isPresent();
        if (!found) {
            throw new IOException(spec.name() + ": no such program: " + program);
        }
    }

    /** What messages call it. */
    public String name() {
        return name;
    }

    /** The process id of the program itself, not of a wrapper. */
    public long pid() {
        return identity.pid();
    }

    /** What to remember of it so that it can be recognised later. */
    public ProcessIdentity identity() {
        return identity;
    }

    /** The file its output is appended to. */
    public Path log() {
        return log;
    }

    /** Whether it runs; a paused process does. */
    public boolean isAlive() {
        return child != null ? child.isAlive() : identity.isAlive();
    }

    /**
     * Its exit status; empty while it runs, and for a process that was attached (only a parent is
     * told).
     */
    public OptionalInt exitStatus() {
        return child == null || child.isAlive() ? OptionalInt.empty() : OptionalInt.of(child.exitValue());
    }

    /** Completes when the process ends. */
    public CompletableFuture<ProcessHandle> onExit() {
        if (child != null) {
            return child.toHandle().onExit();
        }
        return identity.handle().map(ProcessHandle::onExit).orElseGet(() -> CompletableFuture.completedFuture(null));
    }

    /**
     * Asks the process to end, waits, and kills it when it does not.
     *
     * @param grace how long it may take to end by itself
     * @throws InterruptedException when interrupted while waiting; the process may still run
     */
    public Ending stop(Duration grace) throws InterruptedException {
        if (!isAlive()) {
            return Ending.WAS_GONE;
        }
        handle().ifPresent(ProcessHandle::destroy);
        // A paused process would not get to see the request.
        signal("CONT");
        if (ended(grace)) {
            return Ending.STOPPED;
        }
        kill();
        return Ending.KILLED;
    }

    /**
     * Ends the process at once, as a crash would (SIGKILL), and waits until it is gone.
     *
     * @throws InterruptedException when interrupted while waiting
     * @throws IllegalStateException when the system does not let go of it within seconds
     */
    public void kill() throws InterruptedException {
        destroy();
        if (!ended(KILL_BOUND)) {
            throw new IllegalStateException(
                    "%s is still there %d s after SIGKILL".formatted(this, KILL_BOUND.toSeconds()));
        }
    }

    /** Ends the process at once, as {@link #kill} does, without waiting until it is gone. */
    public void destroy() {
        handle().ifPresent(ProcessHandle::destroyForcibly);
    }

    /**
     * Freezes the process (SIGSTOP) and waits until each of its threads is stopped: one that runs
     * on another processor may go on for some milliseconds. Its connections stay open and nothing
     * answers.
     *
     * @throws InterruptedException when interrupted while waiting
     * @throws AwaitException when it is not stopped within seconds
     */
    public void pause() throws InterruptedException {
        signal("STOP");
        Path threads = Path.of("/proc", Long.toString(pid()), "task");
        Await.that(this + " is stopped", PAUSE_BOUND)
                .every(Duration.ofMillis(1))
                .until(() -> !(Files.isDirectory(threads) && anyRuns(threads)), () -> "a thread runs");
    }

    /** Lets a paused process go on (SIGCONT). */
    public void resume() throws InterruptedException {
        signal("CONT");
    }

    /** The last lines of its log, oldest first; empty when there is no log. */
    public List<String> tail(int lines) {
        return LogTail.of(log, lines);
    }

    /**
     * What its log says of why it may have ended: the first errors since it was started, then the
     * last lines.
     *
     * @param lines how many of the last lines at most
     * @return oldest first, gaps marked with dots
     */
    public List<String> logExcerpt(int lines) {
        return LogTail.excerpt(log, logStart, lines);
    }

    /** Ends the process: asks first, kills after ten seconds. */
    @Override
    public void close() {
        try {
            stop(CLOSE_GRACE);
        } catch (InterruptedException interrupted) {
            destroy();
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public String toString() {
        return name + " (pid " + pid() + ")";
    }

    private Optional<ProcessHandle> handle() {
        return child != null ? Optional.of(child.toHandle()).filter(ProcessHandle::isAlive) : identity.handle();
    }

    private boolean ended(Duration bound) throws InterruptedException {
        if (child != null) {
            return child.waitFor(bound.toNanos(), TimeUnit.NANOSECONDS);
        }
        // Not our child: the system tells only those who ask.
        try {
            Await.that(this + " has ended", bound)
                    .every(Duration.ofMillis(20))
                    .until(() -> !identity.isAlive(), () -> "it runs");
            return true;
        } catch (AwaitException stillThere) {
            return false;
        }
    }

    private static boolean anyRuns(Path threads) throws IOException {
        try (Stream<Path> all = Files.list(threads)) {
            for (Path thread : (Iterable<Path>) all::iterator) {
                if ("TtZX".indexOf(ProcessIdentity.state(thread.resolve("stat"))) < 0) {
                    return true;
                }
            }
            return false;
        }
    }

    /**
     * Java can only send TERM and KILL. The shell's own kill is there even where no program of that
     * name is.
     */
    private void signal(String signal) throws InterruptedException {
        if (!isAlive()) {
            return;
        }
        try {
            // Without a bound: a process that is left paused by a busy machine is noticed by
            // nobody.
            new ProcessBuilder("/bin/sh", "-c", "kill -" + signal + " " + pid())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot send " + signal + " to " + this, e);
        }
    }
}
