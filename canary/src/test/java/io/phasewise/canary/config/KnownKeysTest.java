/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.PropertyNamingStrategies.KebabCaseStrategy;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class KnownKeysTest {
    private static final String CLUSTER = "/canary/clusters/*";
    private static final String PROFILE = CLUSTER + "/profiles/*";

    /** Otherwise a key could be set to no effect, or a component not at all. */
    @Test
    void everyKeyIsAComponentAndEveryComponentIsAKey() {
        assertKeys("/canary/shard", Shard.class);
        assertKeys("/canary/http", HttpConfig.class);
        assertKeys("/canary/http/tls", HttpConfig.Tls.class);
        assertKeys("/canary/http/basic-auth", HttpConfig.BasicAuth.class);
        assertKeys("/canary/traces", TracesConfig.class);
        assertKeys(CLUSTER + "/exporters", ExportersConfig.class);
        assertKeys(CLUSTER + "/topic", TopicConfig.class);
        assertKeys(CLUSTER + "/topic/manage", ManageConfig.class);
        assertKeys(CLUSTER + "/probe", ProbeConfig.class);
        assertKeys(CLUSTER + "/probe/keys", ProbeConfig.RecordKeys.class);
        assertKeys(CLUSTER + "/slo", SloConfig.class);
        assertKeys(CLUSTER + "/slow-probes", SlowProbesConfig.class);
        assertKeys(CLUSTER + "/consumer-group", GroupConfig.class);
        assertThat(keys("/canary")).isEqualTo(with(components(ConfigLoader.Root.class), "clusters"));
    }

    private static void assertKeys(String at, Class<?> type) {
        assertThat(keys(at)).as(at).isEqualTo(components(type));
    }

    @Test
    void aClusterAndItsProfilesHaveWhatTheirRecordHas() {
        Set<String> known = new TreeSet<>(keys(CLUSTER));
        known.addAll(keys(PROFILE));
        Set<String> bound = components(ClusterConfig.class);
        bound.removeAll(Set.of("name", "profile", "kafka"));
        bound.addAll(components(KafkaConfig.class));
        bound.addAll(components(ClusterReader.Profile.class));
        bound.addAll(components(ClusterReader.Presets.class));

        assertThat(known).isEqualTo(with(bound, "profiles"));
    }

    @Test
    void presetsSetWhatThereIs() {
        ObjectNode presets = KnownKeys.read("presets.yml").tree();

        assertThat(Section.names(presets)).containsExactly("standard", "read-only", "fleet");
        presets.forEach(preset -> assertKnown(
                (ObjectNode) preset, (ObjectNode) KnownKeys.read().tree().at(CLUSTER)));
    }

    private static void assertKnown(ObjectNode keys, ObjectNode all) {
        for (String key : Section.names(keys)) {
            assertThat(all.has(key)).as(key).isTrue();
            if (keys.get(key) instanceof ObjectNode below) {
                assertKnown(below, (ObjectNode) all.get(key));
            }
        }
    }

    private static Set<String> keys(String at) {
        return new TreeSet<>(Section.names((ObjectNode) KnownKeys.read().tree().at(at)));
    }

    private static Set<String> components(Class<?> type) {
        Set<String> names = new TreeSet<>();
        Arrays.stream(type.getRecordComponents())
                .forEach(each -> names.add(new KebabCaseStrategy().translate(each.getName())));
        return names;
    }

    private static Set<String> with(Set<String> names, String further) {
        names.add(further);
        return names;
    }
}
