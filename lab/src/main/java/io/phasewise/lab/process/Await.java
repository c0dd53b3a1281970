/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.process;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

/**
 * Waits for a condition, with a bound, and says what it waited for when that passes. Gives up at
 * once when a process that the condition depends on ends.
 *
 * <pre>{@code
 * Await.that("Prometheus is ready",
 * Duration.ofSeconds(20)).needing(process).until(ReadinessChecks.answers(client, readyUrl));
 * }</pre>
 *
 * @param what the condition as a statement
 * @param bound how long to wait at most
 * @param interval how often to look
 * @param needed processes that must run; waiting ends when one of them has ended
 */
public record Await(String what, Duration bound, Duration interval, List<ManagedProcess> needed) {

    /** A condition that says what is missing. */
    @FunctionalInterface
    public interface Check {
        /**
         * Looks once.
         *
         * @return empty when the condition holds, else why it does not yet, for the message
         * @throws Exception taken as "not yet", with its message as the reason
         */
        Optional<String> missing() throws Exception;
    }

    /** A condition that holds or does not. */
    @FunctionalInterface
    public interface Condition {
        /**
         * Looks once.
         *
         * @throws Exception taken as "not yet", with its message as the reason
         */
        boolean holds() throws Exception;
    }

    private static final Duration DEFAULT_INTERVAL = Duration.ofMillis(50);
    private static final int TAIL_LINES = 20;

    /**
     * Begins the description of what to wait for.
     *
     * @param what the condition as a statement, for instance "broker-1 is registered"
     * @param bound how long to wait at most
     */
    public static Await that(String what, Duration bound) {
        return new Await(what, bound, DEFAULT_INTERVAL, List.of());
    }

    /** Looks this often instead of every 50 ms. */
    public Await every(Duration interval) {
        return new Await(what, bound, interval, needed);
    }

    /**
     * Gives up at once when one of these processes has ended. The message of any failure has the
     * tails of their logs.
     */
    public Await needing(ManagedProcess... processes) {
        return needing(List.of(processes));
    }

    /** As {@link #needing(ManagedProcess...)}. */
    public Await needing(List<ManagedProcess> processes) {
        return new Await(what, bound, interval, List.copyOf(processes));
    }

    /**
     * Waits. The condition is looked at once even when the bound is zero.
     *
     * @throws AwaitException when the bound passed, or a needed process ended
     * @throws InterruptedException when interrupted
     */
    public void until(Check check) throws InterruptedException {
        long start = System.nanoTime();
        CompletableFuture<?>[] ends =
                needed.stream().map(ManagedProcess::onExit).toArray(CompletableFuture[]::new);
        while (true) {
            Optional<String> missing = look(check);
            if (missing.isEmpty()) {
                return;
            }
            for (ManagedProcess process : needed) {
                if (!process.isAlive()) {
                    throw failed(ended(process), missing.get(), List.of(process));
                }
            }
            long left = bound.toNanos() - (System.nanoTime() - start);
            if (left <= 0) {
                String waited = "waited " + bound.toMillis() / 1e3 + " s without success";
                throw failed(waited, missing.get(), needed);
            }
            pause(Math.min(left, interval.toNanos()), ends);
        }
    }

    /**
     * As {@link #until(Check)}, for a condition that holds or does not.
     *
     * @param otherwise why it does not hold yet, for the message
     */
    public void until(Condition condition, Callable<String> otherwise) throws InterruptedException {
        until(() -> condition.holds() ? Optional.empty() : Optional.of(otherwise.call()));
    }

    private static Optional<String> look(Check check) throws InterruptedException {
        try {
            return check.missing();
        } catch (InterruptedException interrupted) {
            throw interrupted;
        } catch (Exception notYet) {
            String message = notYet.getMessage();
            return Optional.of(notYet.getClass().getSimpleName() + (message == null ? "" : ": " + message));
        }
    }

    /** Waits for the interval to pass or for a needed process to end, whichever comes first. */
    private static void pause(long nanos, CompletableFuture<?>[] ends) throws InterruptedException {
        if (ends.length == 0) {
            TimeUnit.NANOSECONDS.sleep(nanos);
            return;
        }
        try {
            CompletableFuture.anyOf(ends).get(nanos, TimeUnit.NANOSECONDS);
        } catch (TimeoutException | ExecutionException lookAgain) {
            return;
        }
    }

    private AwaitException failed(String how, String reason, List<ManagedProcess> processes) {
        String tails = processes.stream().map(Await::tail).collect(Collectors.joining());
        return new AwaitException("%s: %s (last: %s)%s".formatted(how, what, reason, tails));
    }

    private static String ended(ManagedProcess process) {
        OptionalInt status = process.exitStatus();
        String how = status.isPresent() ? " with status " + status.getAsInt() : "";
        return process + " ended" + how + " while waiting";
    }

    private static String tail(ManagedProcess process) {
        return "\n--- %s (%s)\n%s"
                .formatted(process.log(), process.name(), String.join("\n", process.logExcerpt(TAIL_LINES)));
    }
}
