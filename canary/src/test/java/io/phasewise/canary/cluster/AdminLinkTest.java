/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.KafkaException;
import org.junit.jupiter.api.Test;

class AdminLinkTest {
    private final List<Fake> made = new ArrayList<>();
    private final Files files = new Files();
    private KafkaException refusal;
    private final AdminLink<Fake> link = new AdminLink<>(files, this::make);

    private static final class Fake implements AdminLink.Client {
        boolean inUse;
        boolean closed;

        @Override
        public void use() {
            inUse = true;
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    /** Files with one version, which the cluster accepts. */
    private static final class Files implements AdminLink.Credentials {
        private static final Path FILE = Path.of("password");
        String version = "1";
        Map<Path, String> inUse = Map.of();
        final List<String> refused = new ArrayList<>();

        @Override
        public Map<Path, String> read() {
            return Map.of(FILE, version);
        }

        @Override
        public void markInUse(Map<Path, String> contents) {
            inUse = contents;
        }

        @Override
        public String changedAndValid() {
            return read().equals(inUse) ? "" : "password";
        }

        @Override
        public void refused(String changed, Throwable cause) {
            refused.add(changed);
        }
    }

    private Fake make() {
        if (refusal != null) {
            throw refusal;
        }
        Fake fake = new Fake();
        made.add(fake);
        return fake;
    }

    @Test
    void aFailedRotationLeavesTheOldClientAndIsTriedAgain() throws Exception {
        link.refresh();
        files.version = "2";
        refusal = new KafkaException("half replaced");

        assertThat(link.refresh()).isEmpty();
        assertThat(link.get()).isSameAs(made.get(0));
        assertThat(made.get(0).closed).isFalse();
        assertThat(files.refused).containsExactly("password");

        refusal = null;
        assertThat(link.refresh())
                .as("though the files have not changed again")
                .isEqualTo("password");
        assertThat(link.get()).isSameAs(made.get(1));
        assertThat(made.get(0).closed).isTrue();
        assertThat(made.get(1).inUse).isTrue();
        assertThat(link.refresh()).as("nothing new").isEmpty();
    }

    @Test
    void aFirstClientThatCannotBeMadeIsTriedAgain() throws Exception {
        refusal = new KafkaException("no such file");
        assertThatThrownBy(link::refresh).isSameAs(refusal);

        refusal = null;
        link.refresh();

        assertThat(link.get()).isSameAs(made.get(0));
    }
}
