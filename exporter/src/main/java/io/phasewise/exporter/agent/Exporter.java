/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.agent;

import com.sun.net.httpserver.HttpHandler;
import io.phasewise.exporter.config.ConfigFault;
import io.phasewise.exporter.config.ConfigLoader;
import io.phasewise.exporter.config.ExporterConfig;
import io.phasewise.exporter.http.Access;
import io.phasewise.exporter.http.ExporterServer;
import io.phasewise.exporter.http.ScrapeHandler;
import io.phasewise.exporter.jmx.BusiestTopics;
import io.phasewise.exporter.jmx.JmxPart;
import io.phasewise.exporter.jmx.PartitionChanges;
import io.phasewise.exporter.telemetry.ClientTelemetryPart;
import io.phasewise.exporter.timing.RequestTiming;
import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.net.InetSocketAddress;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Puts the parts together, in a broker's JVM: configuration, request timing, clients, JMX,
 * endpoint. What cannot be had is left out and said in one line; nothing is thrown.
 */
final class Exporter {

    /** A taken port may become free: the process before this one may not have ended yet. */
    private static final Duration BETWEEN_BINDINGS = Duration.ofSeconds(10);

    /** The first choice of topics can be sooner: the broker has only just started. */
    private static final Duration FIRST_RANKING = Duration.ofSeconds(15);

    /**
     * The beans can wait until the broker has started, which needs its processors itself; a scrape
     * that comes before does not.
     */
    private static final Duration BEFORE_BEANS = Duration.ofSeconds(10);

    private final AgentLog log;

    Exporter(AgentLog log) {
        this.log = log;
    }

    /** Starts the parts and then, on this thread and for good, chooses the busiest topics. */
    void run(String arguments, Instrumentation instrumentation) {
        try {
            AgentArguments parsed = AgentArguments.parse(arguments);
            ExporterConfig config =
                    parsed.file().map(ConfigLoader::load).orElseGet(ConfigLoader::defaults);
            PrometheusRegistry registry = new PrometheusRegistry();
            Gauge fault =
                    Gauge.builder()
                            .name("kafka_exporter_config_error")
                            .help("1 when the configuration file has a fault; the log says which")
                            .register(registry);
            if (!config.faults().isEmpty()) {
                fault.set(1);
                log.error(describe(config));
            }
            Access access = access(parsed, config, fault);
            if (config.isAccessInDoubt()) {
                bind(
                        parsed,
                        access,
                        new ScrapeHandler(registry, List::of, System::nanoTime, log::error));
                return;
            }
            RequestTiming.install(instrumentation, config.timing(), registry);
            ClientTelemetryPart.install(instrumentation, config.clients(), registry);
            PartitionChanges.follow(instrumentation, log::error);
            JmxPart jmx = new JmxPart(config, log::error);
            bind(
                    parsed,
                    access,
                    new ScrapeHandler(registry, jmx::collectors, System::nanoTime, log::error));
            Thread.sleep(BEFORE_BEANS.toMillis());
            while (jmx.topics().isPresent()) {
                BusiestTopics topics = jmx.topics().get();
                topics.rank();
                Thread.sleep(
                        topics.topics() == 0
                                ? Math.min(
                                        FIRST_RANKING.toMillis(),
                                        config.topics().interval().toMillis())
                                : config.topics().interval().toMillis());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Throwable e) {
            log.error(e.getMessage() == null ? e.toString() : e.getMessage());
        }
    }

    /** Certificates and passwords may change while the broker runs, all else takes its restart. */
    private Access access(AgentArguments arguments, ExporterConfig config, Gauge fault) {
        return new Access(
                config.http(),
                () -> ConfigLoader.load(arguments.file().orElseThrow()),
                new Access.Listener() {
                    @Override
                    public void taken(ExporterConfig changed) {
                        fault.set(changed.faults().isEmpty() ? 0 : 1);
                        log.info("certificates and passwords are those that the files hold now");
                        if (!changed.faults().isEmpty()) {
                            log.error(describe(changed));
                        }
                    }

                    @Override
                    public void refused(String why) {
                        fault.set(1);
                        log.error(why + " (the earlier certificates and passwords stay)");
                    }
                },
                System::nanoTime);
    }

    private static String describe(ExporterConfig config) {
        String faults =
                config.faults().stream()
                        .map(ConfigFault::toString)
                        .collect(Collectors.joining("; "));
        return faults
                + (config.isAccessInDoubt()
                        ? " (nothing but kafka_exporter_config_error is served)"
                        : " (the defaults stand in)");
    }

    private void bind(AgentArguments arguments, Access access, HttpHandler scrapes)
            throws InterruptedException {
        boolean failed = false;
        while (true) {
            InetSocketAddress address =
                    arguments
                            .host()
                            .map(host -> new InetSocketAddress(host, arguments.port()))
                            .orElseGet(() -> new InetSocketAddress(arguments.port()));
            try {
                int port = ExporterServer.start(address, access, scrapes).port();
                log.info("serving on " + address.getHostString() + ":" + port);
                return;
            } catch (IOException | UnresolvedAddressException e) {
                if (!failed) {
                    log.error(
                            "cannot listen on "
                                    + address.getHostString()
                                    + ":"
                                    + address.getPort()
                                    + ", given as the agent's argument: "
                                    + e
                                    + "; trying again every "
                                    + BETWEEN_BINDINGS.toSeconds()
                                    + " s");
                }
                failed = true;
                Thread.sleep(BETWEEN_BINDINGS.toMillis());
            }
        }
    }
}
