/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.config;

import io.phasewise.common.auth.BasicAuth;
import io.phasewise.common.tls.ServerTls;
import io.phasewise.exporter.telemetry.ClientLabel;
import io.phasewise.exporter.telemetry.ClientSettings;
import io.phasewise.exporter.timing.TimingSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** The configuration file as the exporter uses it, every default filled in, and its faults. */
public final class ExporterConfig {

    /** How /metrics is guarded. */
    public static final class Http {
        final int threads;
        final Duration requestTimeout;
        final BasicAuth basicAuth;
        final ServerTls tls;
        final Set<Path> files;

        Http(
                int threads,
                Duration requestTimeout,
                BasicAuth basicAuth,
                ServerTls tls,
                Set<Path> files) {
            this.threads = threads;
            this.requestTimeout = requestTimeout;
            this.basicAuth = basicAuth;
            this.tls = tls;
            this.files = Set.copyOf(files);
        }

        /** Threads that answer requests, 1 to 64. */
        public int threads() {
            return threads;
        }

        /** How long a request may take to arrive, 1 to 60 s. */
        public Duration requestTimeout() {
            return requestTimeout;
        }

        /** Empty: nobody is asked. */
        public Optional<BasicAuth> basicAuth() {
            return Optional.ofNullable(basicAuth);
        }

        /** Empty: in the clear. */
        public Optional<ServerTls> tls() {
            return Optional.ofNullable(tls);
        }

        /** What all this was read from; empty where there is no configuration file. */
        public Set<Path> files() {
            return files;
        }
    }

    private final Http http;
    private final String rules;
    private final Map<String, Object> values;
    private final List<ConfigFault> faults;

    ExporterConfig(Http http, String rules, Map<String, Object> values, List<ConfigFault> faults) {
        this.http = http;
        this.rules = rules;
        this.values = new HashMap<>(values);
        this.faults = List.copyOf(faults);
    }

    public Http http() {
        return http;
    }

    /** The rules in the JMX exporter's format, checked; those built in unless a file is named. */
    public String rules() {
        return rules;
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

    /** How requests are timed. */
    public TimingSettings timing() {
        return new TimingSettings(
                flag("timing.enabled"),
                number("timing.schema"),
                text("timing.canary-client-id-prefix"));
    }

    /** What is kept of clients that push. */
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

    /** What is wrong with the file; where it is, the default stands. */
    public List<ConfigFault> faults() {
        return faults;
    }

    /** Whether a fault leaves open who may read the endpoint. */
    public boolean isAccessInDoubt() {
        return faults.stream().anyMatch(ConfigFault::concernsAccess);
    }
}
