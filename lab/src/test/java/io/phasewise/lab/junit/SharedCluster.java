/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.junit;

import io.phasewise.lab.kafka.ClusterBuilder;
import io.phasewise.lab.kafka.KafkaCluster;
import io.phasewise.lab.measure.Scratch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * One real cluster for all test classes of a JVM. The first class that uses it starts it; it is
 * stopped at the end of the run. Keep one instance in a constant, and register it in each class
 * with {@code RegisterExtension}.
 *
 * <p>Tests share its brokers. So each uses topics, groups and client ids of its own, and none
 * breaks, pauses or restarts a broker: a test that does so has a cluster of its own.
 */
public final class SharedCluster implements BeforeAllCallback {
    private final UnaryOperator<ClusterBuilder> settings;
    private volatile KafkaCluster cluster;

    /**
     * @param settings for the builder, which has short-lived brokers that are killed at the end
     */
    public SharedCluster(UnaryOperator<ClusterBuilder> settings) {
        this.settings = settings;
    }

    /**
     * The running cluster; not to be closed by the caller.
     *
     * @throws IllegalStateException if this is not registered in the class that runs
     */
    public KafkaCluster get() {
        if (cluster == null) {
            throw new IllegalStateException("register this extension in the test class first");
        }
        return cluster;
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        context.getRoot()
                .getStore(ExtensionContext.Namespace.create(SharedCluster.class))
                .computeIfAbsent(this, key -> start());
    }

    /** Closed by JUnit when the whole run is over. */
    private AutoCloseable start() {
        try {
            Scratch scratch = Scratch.create();
            KafkaCluster started = settings.apply(
                            KafkaCluster.builder(Path.of(System.getProperty("phasewise.root")), scratch.directory())
                                    .shortLived()
                                    .stopGrace(Duration.ZERO))
                    .build();
            started.start();
            cluster = started;
            return () -> {
                started.close();
                scratch.close();
            };
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the shared cluster started", e);
        }
    }
}
