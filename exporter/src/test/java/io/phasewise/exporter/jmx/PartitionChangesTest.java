/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.jmx;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.exporter.instrument.FakeJvm;
import io.phasewise.exporter.instrument.FakeKafka;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Kafka's class says before and after that something changes. */
class PartitionChangesTest {

    @AutoClose
    private final FakeJvm jvm = new FakeJvm(PartitionChanges.hook());

    private final FakeKafka replicaManager = FakeKafka.named("kafka.server.ReplicaManager");

    @Test
    void aChangeIsNoticedBeforeAndAfterItIsTakenIn() throws Exception {
        Class<?> delta = jvm.load(FakeKafka.named("org.apache.kafka.image.TopicsDelta"));
        Class<?> image = jvm.load(FakeKafka.named("org.apache.kafka.image.MetadataImage"));
        Class<?> type = jvm.load(replicaManager.method("applyDelta", delta, image));
        long before = PartitionChanges.noticed();
        type.getMethod("applyDelta", delta, image)
                .invoke(type.getDeclaredConstructor().newInstance(), null, null);

        assertThat(PartitionChanges.noticed()).isEqualTo(before + 2);
        assertThat(jvm.log()).isEmpty();
        assertThat(jvm.hooks().isActive("partition_changes")).isTrue();
    }
}
