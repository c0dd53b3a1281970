/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.config;

import io.phasewise.common.auth.BasicAuth;
import io.phasewise.common.tls.ServerTls;
import io.phasewise.exporter.telemetry.ClientLabel;
import io.phasewise.exporter.telemetry.ClientSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** The configuration file as the exporter uses it, every default filled in, and its faults. */
public final class ExporterConfig {

    /** Who may read /metrics; empty: everybody. */
    public final Optional<BasicAuth> basicAuth;

    /** Certificate and key of the endpoint; empty: it is served in the clear. */
    public final Optional<ServerTls> tls;

    /** The files that say who may read /metrics; empty where there is no configuration file. */
    public final Set<Path> files;

    /** The rules in the JMX exporter's format, checked; those built in unless a file is named. */
    public final String rules;

    /** What is wrong with the file. Each key with a fault has its default. */
    public final List<ConfigFault> faults;

    private final Map<String, Object> values;

    /**
     * @param values by key; of a key without a default and a text, there is none
     * @param basicAuth null: nobody is asked
     * @param tls null: in the clear
     */
    ExporterConfig(
            Map<String, Object> values,
            String rules,
            BasicAuth basicAuth,
            ServerTls tls,
            Set<Path> files,
            List<ConfigFault> faults) {
        this.values = values;
        this.rules = rules;
        this.basicAuth = Optional.ofNullable(basicAuth);
        this.tls = Optional.ofNullable(tls);
        this.files = Set.copyOf(files);
        this.faults = List.copyOf(faults);
    }

    /**
     * The value of a key that is true or false.
     *
     * @throws IllegalArgumentException when there is no such key
     */
    public boolean flag(String key) {
        return (Boolean) get(key);
    }

    /**
     * The value of a key that is a number.
     *
     * @throws IllegalArgumentException when there is no such key
     */
    public int number(String key) {
        return (Integer) get(key);
    }

    /**
     * The value of a key that is a duration.
     *
     * @throws IllegalArgumentException when there is no such key
     */
    public Duration duration(String key) {
        return (Duration) get(key);
    }

    /**
     * The value of a key that is a text.
     *
     * @throws IllegalArgumentException when there is no such key
     */
    public String text(String key) {
        return (String) get(key);
    }

    private Object get(String key) {
        return values.get(Key.named(key).name);
    }

    /** Settings of how much is kept of clients that push. */
    @SuppressWarnings("unchecked") // Of a key of labels.
    public ClientSettings clients() {
        return new ClientSettings(
                (List<ClientLabel>) get("clients.labels"),
                (Pattern) get("clients.client-id-pattern"),
                (Pattern) get("clients.group-pattern"),
                number("clients.top"),
                duration("clients.expiry"),
                number("clients.max-push-bytes"),
                number("clients.max-memory-bytes"));
    }

    /** Whether a fault leaves open who may read the endpoint. */
    public boolean isAccessInDoubt() {
        return faults.stream().anyMatch(ConfigFault::concernsAccess);
    }
}
