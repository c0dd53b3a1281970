/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.cluster.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.phasewise.canary.cluster.context.Contexts;
import io.phasewise.canary.config.CredentialFiles;
import io.phasewise.canary.config.KafkaConfig;
import io.phasewise.canary.show.metrics.ClusterMetrics;
import io.phasewise.canary.supervise.ProblemBoard;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.apache.kafka.common.KafkaException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReplaceableAdminTest {
    @TempDir
    private Path directory;

    private final List<Fake> made = new ArrayList<>();
    private Path store;
    private KafkaException unmakable;
    private KafkaException unaccepted;
    private ReplaceableAdmin<Fake> link;

    private final class Fake implements ReplaceableAdmin.Client {
        boolean inUse;
        boolean closed;

        @Override
        public void check() {
            if (unaccepted != null) {
                throw unaccepted;
            }
        }

        @Override
        public void use() {
            inUse = true;
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    @BeforeEach
    void first() throws IOException {
        store = Files.writeString(directory.resolve("user.pem"), "1");
        KafkaConfig kafka =
                new KafkaConfig("b:1", Map.of("ssl.keystore.location", store.toString()), Map.of(), Map.of(), Map.of());
        link = new ReplaceableAdmin<>("prod", CredentialFiles.of(List.of(kafka)), this::make, Reports.all(List.of()));
    }

    private Fake make() {
        if (unmakable != null) {
            throw unmakable;
        }
        Fake fake = new Fake();
        made.add(fake);
        return fake;
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aFailedRotationLeavesTheOldClientAndIsTriedAgain(boolean isMade) throws Exception {
        unmakable = new KafkaException("no such file");
        assertThatThrownBy(link::refresh).as("the first one").isSameAs(unmakable);
        unmakable = null;
        link.refresh();
        Files.writeString(store, "2");
        KafkaException why = new KafkaException("half replaced");
        unmakable = isMade ? null : why;
        unaccepted = isMade ? why : null;

        assertThat(link.refresh()).isEmpty();
        assertThat(link.get()).isSameAs(made.get(0));
        assertThat(made.get(0).closed).isFalse();
        assertThat(made.stream().skip(1)).allMatch(refused -> refused.closed && !refused.inUse);

        unmakable = null;
        unaccepted = null;
        assertThat(link.refresh()).as("though the files have not changed again").isEqualTo(store.toString());
        assertThat(link.get()).isSameAs(made.get(made.size() - 1));
        assertThat(made.get(0).closed).isTrue();
        assertThat(link.get().inUse).isTrue();
        assertThat(link.refresh()).as("nothing new").isEmpty();
    }

    /** As on a network file system whose server is gone: the keeper would stand still unseen. */
    @Test
    @Timeout(30)
    void filesThatHangAreToldAndStopNothing() throws Exception {
        AtomicReference<CountDownLatch> hanging = new AtomicReference<>(new CountDownLatch(1));
        AtomicReference<String> content = new AtomicReference<>("1");
        ProblemBoard board = new ProblemBoard("cluster prod", System::nanoTime);
        ClusterMetrics metrics = Contexts.context(new PrometheusRegistry(), InstantSource.system(), System::nanoTime)
                .metrics()
                .cluster("prod", "default");
        link = new ReplaceableAdmin<>(
                "prod",
                () -> {
                    hanging.get().await();
                    return Map.of(store, content.get());
                },
                this::make,
                Reports.of(metrics, board));
        assertThatThrownBy(link::refresh)
                .as("a first client would hang as the files do")
                .isInstanceOf(KafkaException.class);
        assertThat(made).isEmpty();
        assertThat(link.credentials()).isEmpty();

        hanging.get().countDown();
        refreshUntil(() -> link.get() != null);
        assertThat(board.problems()).isEmpty();

        content.set("2");
        hanging.set(new CountDownLatch(1));
        assertThat(link.refresh()).isEmpty();
        assertThat(link.credentials()).as("as read last").containsValue("1");
        assertThat(link.get().closed).isFalse();
        assertThat(board.problems())
                .singleElement()
                .matches(problem ->
                        problem.key().equals("client") && problem.message().contains("disk does not answer"));

        hanging.get().countDown();
        refreshUntil(() -> made.size() == 2);
        assertThat(board.problems()).isEmpty();
    }

    /** The read that hung ends on another thread. */
    private void refreshUntil(BooleanSupplier done) throws InterruptedException {
        while (!done.getAsBoolean()) { // bounded by the test's time
            try {
                link.refresh();
            } catch (KafkaException e) {
                Thread.onSpinWait();
            }
        }
    }
}
