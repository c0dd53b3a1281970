/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.kafka;

import io.phasewise.lab.kafka.ClusterPlan.BrokerPlan;
import io.phasewise.lab.net.ReadinessChecks;
import io.phasewise.lab.process.Await;
import io.phasewise.lab.process.AwaitException;
import io.phasewise.lab.process.ManagedProcess;
import io.phasewise.lab.process.ProcessSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * One broker of a {@link KafkaCluster}: starts, stops, kills and pauses it. The cluster lays out
 * its files.
 *
 * <p>Safe for use by several threads.
 */
public final class KafkaBroker {
    /** Three brokers that start at once on a full machine took more than 90 s; one that has died is seen at once. */
    private static final Duration START_BOUND = Duration.ofSeconds(240);

    /** A controlled shutdown moves leaders first; on a busy machine that takes seconds. */
    private static final Duration STOP_GRACE = Duration.ofSeconds(30);

    private final BrokerPlan plan;
    private final Function<KafkaBroker, Await.Check> registered;
    private volatile ManagedProcess process;

    KafkaBroker(BrokerPlan plan, Function<KafkaBroker, Await.Check> registered) {
        this.plan = plan;
        this.registered = registered;
    }

    /** Its id, from 1. */
    public int id() {
        return plan.id();
    }

    /** What messages call it, for instance {@code broker-1}. */
    public String name() {
        return plan.process().name();
    }

    /** The port that clients connect to. */
    public int port() {
        return plan.ports().client().advertised();
    }

    /** The port for clients that it binds itself, behind a link where there is one. */
    public int ownPort() {
        return plan.ports().client().port();
    }

    /** Its address for clients, host and port. */
    public String bootstrap() {
        return plan.host().address() + ":" + port();
    }

    /** The file its output is appended to, across restarts. */
    public Path log() {
        return plan.process().log();
    }

    /** Its log directory, as Kafka calls the place of its data. */
    public Path dataDirectory() {
        return plan.dataDirectory();
    }

    /**
     * The process id.
     *
     * @throws IllegalStateException when it was never started
     */
    public long pid() {
        return running().pid();
    }

    /** Whether its process runs; a paused one does. */
    public boolean isAlive() {
        ManagedProcess current = process;
        return current != null && current.isAlive();
    }

    /**
     * Starts it and waits until it is registered and unfenced. Only waits when it runs.
     *
     * @throws AwaitException when it ends, or is not registered within four minutes; the message has
     *     the tail of its log
     * @throws InterruptedException when interrupted while waiting
     */
    public void start() throws InterruptedException {
        launch();
        awaitRegistered();
    }

    /** Ends it at once, as a crash would (SIGKILL). */
    public void kill() throws InterruptedException {
        running().kill();
    }

    /**
     * Shuts it down in an orderly way; kills it when that takes more than half a minute.
     *
     * @throws InterruptedException when interrupted; it is killed then
     */
    public ManagedProcess.Ending stop() throws InterruptedException {
        return stop(STOP_GRACE);
    }

    /** Pauses it (SIGSTOP): connections stay open, nothing answers. */
    public void pause() throws InterruptedException {
        running().pause();
    }

    /** Lets it go on after {@link #pause}. */
    public void resume() throws InterruptedException {
        running().resume();
    }

    /** Its process; empty when it was never started. */
    public Optional<ManagedProcess> process() {
        return Optional.ofNullable(process);
    }

    /** Holds when its own port accepts connections. */
    Await.Check listens() {
        return ReadinessChecks.accepts(plan.host().address(), ownPort());
    }

    /** Starts processes. */
    @FunctionalInterface
    public interface Launcher {
        /** As {@link ManagedProcess#start}. */
        ManagedProcess launch(ProcessSpec spec) throws IOException, InterruptedException;
    }

    /** Starts its process by another launcher. */
    public void launch(Launcher launcher) throws IOException, InterruptedException {
        process = launcher.launch(plan.process());
    }

    void launch() {
        if (isAlive()) {
            return;
        }
        try {
            process = ManagedProcess.start(plan.process());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start " + name(), e);
        }
    }

    /**
     * Waits until it is registered and unfenced.
     *
     * @throws AwaitException when it ends, or is not registered within four minutes
     * @throws InterruptedException when interrupted while waiting
     */
    public void awaitRegistered() throws InterruptedException {
        awaitRegistered(List.of(running()));
    }

    /** The same, and gives up when one of these processes ends. */
    void awaitRegistered(List<ManagedProcess> needed) throws InterruptedException {
        Await.that(name() + " is part of the cluster", START_BOUND)
                .every(Duration.ofMillis(100))
                .needing(needed)
                .until(registered.apply(this));
    }

    /** As {@link #stop()}, with another time to end by itself. */
    ManagedProcess.Ending stop(Duration grace) throws InterruptedException {
        ManagedProcess current = process;
        if (current == null) {
            return ManagedProcess.Ending.WAS_GONE;
        }
        try {
            return current.stop(grace);
        } catch (InterruptedException inAHurry) {
            // While it is still ending it could not be started again.
            current.kill();
            throw inAHurry;
        }
    }

    private ManagedProcess running() {
        ManagedProcess current = process;
        if (current == null) {
            throw new IllegalStateException(name() + " was never started");
        }
        return current;
    }
}
