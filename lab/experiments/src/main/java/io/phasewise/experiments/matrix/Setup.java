/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix;

import io.phasewise.experiments.run.Build;
import io.phasewise.lab.measure.Machine;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.config.ConfigDef;

/**
 * What a matrix or a soak was run with, beside its command and the machine.
 *
 * @param circumstances versions, JVMs and the machine's load, for people: names to values
 * @param configuration of brokers and canary as it was given to them, for programs; holds no
 *     secrets
 */
public record Setup(Map<String, String> circumstances, Map<String, Object> configuration) {
    /** Nothing is known yet. */
    public static final Setup UNKNOWN = new Setup(Map.of(), Map.of());

    /** In place of a secret. */
    private static final String UNTOLD = "not told";

    private static final Map<String, ConfigDef.ConfigKey> CLIENT =
            AdminClientConfig.configDef().configKeys();

    public Setup {
        circumstances = Collections.unmodifiableMap(new LinkedHashMap<>(circumstances));
        configuration = Collections.unmodifiableMap(new LinkedHashMap<>(configuration));
    }

    /**
     * What is known before anything is started.
     *
     * @param root the repository's
     */
    public static Setup atStart(Path root) throws IOException, InterruptedException {
        Map<String, String> circumstances = new LinkedHashMap<>();
        circumstances.put("Phasewise", Build.commit(root));
        circumstances.put("clients", "kafka-clients " + Build.clients());
        circumstances.put("load average at the start", Machine.loadAverage());
        return new Setup(circumstances, Map.of());
    }

    /** This with the machine's load now as that of the end. */
    public Setup atEnd() throws IOException {
        return and(new Setup(Map.of("load average at the end", Machine.loadAverage()), Map.of()));
    }

    /** This with what another tells besides or otherwise. */
    public Setup and(Setup other) {
        Map<String, String> circumstances = new LinkedHashMap<>(this.circumstances);
        circumstances.putAll(other.circumstances);
        Map<String, Object> configuration = new LinkedHashMap<>(this.configuration);
        configuration.putAll(other.configuration);
        return new Setup(circumstances, configuration);
    }

    /** The same, its configuration below a name: one of several that took part in a run. */
    public Setup under(String name) {
        return new Setup(circumstances, Map.of(name, configuration));
    }

    /** The circumstances in a line; empty where none are known. */
    public String line() {
        return circumstances.entrySet().stream()
                .map(each -> each.getKey() + ": " + each.getValue())
                .collect(Collectors.joining("; "));
    }

    /** A configuration without what Kafka's clients keep secret, at whatever depth. */
    static Map<String, Object> withoutSecrets(Map<?, ?> configuration) {
        Map<String, Object> told = new LinkedHashMap<>();
        configuration.forEach(
                (key, value) -> {
                    ConfigDef.ConfigKey known = CLIENT.get(key);
                    if (known != null && known.type() == ConfigDef.Type.PASSWORD) {
                        told.put(key.toString(), UNTOLD);
                    } else if (value instanceof Map<?, ?> below) {
                        told.put(key.toString(), withoutSecrets(below));
                    } else {
                        told.put(key.toString(), value);
                    }
                });
        return told;
    }
}
