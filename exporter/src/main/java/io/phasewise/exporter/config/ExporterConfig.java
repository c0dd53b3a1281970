/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.config;

import io.phasewise.exporter.telemetry.ClientSettings;
import io.phasewise.exporter.timing.TimingSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The configuration file as the exporter uses it, every default filled in, and its faults. */
public final class ExporterConfig {

    /** How /metrics is guarded. */
    public static final class Http {
        final int threads;
        final Duration requestTimeout;
        final BasicAuth basicAuth;
        final Tls tls;
        final Set<Path> files;

        Http(int threads, Duration requestTimeout, BasicAuth basicAuth, Tls tls, Set<Path> files) {
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
        public Optional<Tls> tls() {
            return Optional.ofNullable(tls);
        }

        /** What all this was read from; empty where there is no configuration file. */
        public Set<Path> files() {
            return files;
        }
    }

    /** Topics that have series of their own. */
    public static final class Topics {
        final int top;
        final Duration interval;
        final boolean logSize;

        Topics(int top, Duration interval, boolean logSize) {
            this.top = top;
            this.interval = interval;
            this.logSize = logSize;
        }

        /** How many, 0 to 1,000. */
        public int top() {
            return top;
        }

        /** How often they are chosen, 5 s to 1 h. */
        public Duration interval() {
            return interval;
        }

        /** Whether the size of the broker's logs is summed up as often. */
        public boolean logSize() {
            return logSize;
        }
    }

    private final Http http;
    private final String rules;
    private final Path rulesFile;
    private final boolean percentiles;
    private final Topics topics;
    private final TimingSettings timing;
    private final ClientSettings clients;
    private final List<ConfigFault> faults;

    ExporterConfig(
            Http http,
            String rules,
            Path rulesFile,
            boolean percentiles,
            Topics topics,
            TimingSettings timing,
            ClientSettings clients,
            List<ConfigFault> faults) {
        this.http = http;
        this.rules = rules;
        this.rulesFile = rulesFile;
        this.percentiles = percentiles;
        this.topics = topics;
        this.timing = timing;
        this.clients = clients;
        this.faults = List.copyOf(faults);
    }

    public Http http() {
        return http;
    }

    /** The rules in the JMX exporter's format, checked; those built in unless a file is named. */
    public String rules() {
        return rules;
    }

    /** The file that the rules come from; empty for those built in. */
    public Optional<Path> rulesFile() {
        return Optional.ofNullable(rulesFile);
    }

    /** Whether the percentiles of Kafka's own request timings are read too. */
    public boolean percentiles() {
        return percentiles;
    }

    public Topics topics() {
        return topics;
    }

    public TimingSettings timing() {
        return timing;
    }

    /** What is kept of clients that push. */
    public ClientSettings clients() {
        return clients;
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
