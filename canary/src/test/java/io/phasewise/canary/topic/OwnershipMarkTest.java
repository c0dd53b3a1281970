/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.topic;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.canary.topic.OwnershipMark.Origin;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A topic's mark is read back where it was set, and nowhere else. */
class OwnershipMarkTest {
    private static final String CLUSTER = "cluster-a";
    private static final String TOPIC = "phasewise-canary";

    /**
     * Computed beside it: python3 -c 'import hashlib; print(30*10**9 +
     * int.from_bytes(hashlib.sha256(b"phasewise/1|cluster-a|phasewise-canary|created").digest()[:8],
     * "big") % (30*10**9))'.
     */
    @Test
    void theNumberIsTheOneOfTheFormula() {
        assertThat(OwnershipMark.value(CLUSTER, TOPIC, Origin.CREATED)).isEqualTo("35912875233");
        assertThat(OwnershipMark.value(CLUSTER, TOPIC, Origin.ADOPTED)).isEqualTo("52208926462");
        assertThat(OwnershipMark.fallbackValue(CLUSTER, TOPIC, Origin.CREATED)).isEqualTo("1005912875233");
    }

    @Test
    void aMarkIsReadBack() {
        for (Origin origin : Origin.values()) {
            assertThat(read(OwnershipMark.SETTING, OwnershipMark.value(CLUSTER, TOPIC, origin)))
                    .isEqualTo(origin);
            assertThat(read(OwnershipMark.FALLBACK_SETTING, OwnershipMark.fallbackValue(CLUSTER, TOPIC, origin)))
                    .isEqualTo(origin);
        }
    }

    @Test
    void theMarkOfAnotherTopicOrClusterIsNone() {
        assertThat(read(OwnershipMark.SETTING, OwnershipMark.value(CLUSTER, "orders", Origin.CREATED)))
                .isNull();
        assertThat(read(OwnershipMark.SETTING, OwnershipMark.value("cluster-b", TOPIC, Origin.CREATED)))
                .isNull();
    }

    /** 0.1.0 gave these to any topic that it was pointed at. */
    @Test
    void settingsOfACanaryTopicAreNoMark() {
        assertThat(OwnershipMark.read(
                        CLUSTER,
                        TOPIC,
                        Map.of(
                                "cleanup.policy", "delete",
                                "retention.ms", "600000",
                                "delete.retention.ms", "86400000",
                                "retention.bytes", "-1")))
                .isEmpty();
    }

    private static Origin read(String setting, String value) {
        return OwnershipMark.read(CLUSTER, TOPIC, Map.of(setting, value)).orElse(null);
    }
}
