/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.agent;

import io.phasewise.common.file.ReloadedValue;
import io.phasewise.common.file.UnusableFileException;
import io.phasewise.exporter.config.ConfigFault;
import io.phasewise.exporter.config.ConfigLoader;
import io.phasewise.exporter.config.ExporterConfig;
import io.phasewise.exporter.http.Access;
import io.phasewise.exporter.http.ExporterEndpoint;
import io.phasewise.exporter.http.MarksHandler;
import io.phasewise.exporter.http.ScrapeHandler;
import io.phasewise.exporter.instrument.AgentLog;
import io.phasewise.exporter.instrument.Hook;
import io.phasewise.exporter.instrument.Hooks;
import io.phasewise.exporter.jmx.BusiestTopics;
import io.phasewise.exporter.jmx.JmxPart;
import io.phasewise.exporter.jmx.PartitionChanges;
import io.phasewise.exporter.marks.MarksPart;
import io.phasewise.exporter.series.SeriesRegistry;
import io.phasewise.exporter.telemetry.ClientPushes;
import io.phasewise.exporter.timing.RequestListener;
import io.phasewise.exporter.timing.RequestTiming;
import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Puts the parts together, in a broker's JVM: configuration, request timing, marks, clients,
 * JMX, endpoint. A part that cannot start is left out, and one line in the log says so; nothing is
 * thrown.
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

    private static final String TIMING = "timing.enabled";
    private static final String MARKS = "marks.enabled";

    private final AgentLog log;

    /** The parts that may be switched off and on while the broker runs. */
    private final List<Consumer<ExporterConfig>> switches = new CopyOnWriteArrayList<>();

    private Optional<MarksPart> marks = Optional.empty();

    Exporter(AgentLog log) {
        this.log = log;
    }

    /** Starts the parts and then, on this thread and for good, chooses the busiest topics. */
    void run(String arguments, Instrumentation instrumentation) {
        try {
            Optional<String> tool = KafkaTool.in(System.getProperty("sun.java.command"));
            if (tool.isPresent()) {
                log.info(tool.get() + " is a tool of Kafka's and no broker: nothing is measured or served here");
                return;
            }
            AgentArguments parsed = AgentArguments.parse(arguments);
            ExporterConfig config = parsed.file.map(ConfigLoader::load).orElseGet(ConfigLoader::defaults);
            PrometheusRegistry registry = new PrometheusRegistry();
            Gauge fault = new SeriesRegistry(registry).gauge("kafka_exporter_config_error");
            if (!config.faults.isEmpty()) {
                fault.set(1);
                log.error(describe(config));
            }
            ReloadedValue<ExporterConfig> access = access(parsed, config, fault);
            if (config.isAccessInDoubt()) {
                bind(parsed, access, registry, List::of);
                return;
            }
            install(instrumentation, config, registry);
            JmxPart jmx = new JmxPart(
                    config.rules,
                    config.flag("jmx.percentiles"),
                    config.number("topics.top"),
                    config.flag("topics.log-size"),
                    log::error,
                    log::info);
            bind(parsed, access, registry, jmx::collectors);
            Thread.sleep(BEFORE_BEANS.toMillis());
            Duration interval = config.duration("topics.interval");
            while (jmx.topics().isPresent()) {
                BusiestTopics topics = jmx.topics().get();
                topics.rank();
                boolean soon = topics.topics() == 0 && interval.compareTo(FIRST_RANKING) > 0;
                Thread.sleep((soon ? FIRST_RANKING : interval).toMillis());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Throwable e) {
            log.error(e instanceof IllegalArgumentException ? e.getMessage() : AgentLog.words(e));
        }
    }

    /** What Kafka's classes are to call. */
    private void install(Instrumentation instrumentation, ExporterConfig config, PrometheusRegistry registry) {
        Hooks hooks = new Hooks(log::error);
        new SeriesRegistry(registry)
                .read(
                        "kafka_exporter_request_timing_active",
                        points -> points.add(hooks.isActive(RequestTiming.HOOK) ? 1 : 0, hooks.kafkaVersion()));
        hooks.register(registry);
        if (!hooks.claim()) {
            log.error("request timing is off, and so is all that needs Kafka's code to call the"
                    + " agent: this agent was loaded twice");
            return;
        }
        String noMarks = "records are not followed from append to commit";
        List<Hook> all = new ArrayList<>(part(noMarks, () -> mark(config, registry)));
        all.addAll(part("request timing is off", () -> time(config, registry)));
        all.addAll(part(
                "what clients push is not received", () -> ClientPushes.start(config.clients(), registry, log::error)));
        all.add(PartitionChanges.hook());
        hooks.install(instrumentation, all);
        hooks.registerNode(registry);
    }

    /** Starts a part; if it fails, the other parts start all the same. */
    private List<Hook> part(String loss, Supplier<List<Hook>> start) {
        try {
            return start.get();
        } catch (Throwable e) {
            log.error(loss + ", everything else goes on: " + AgentLog.words(e));
            return List.of();
        }
    }

    private List<Hook> time(ExporterConfig config, PrometheusRegistry registry) {
        if (!config.flag(TIMING)) {
            return List.of();
        }
        RequestTiming timing = new RequestTiming(
                config.number("timing.schema"),
                config.text("timing.canary-client-id-prefix"),
                registry,
                marks.<RequestListener>map(known -> known).orElse(new RequestListener() {}));
        timing.enable(true);
        switches.add(now -> timing.enable(now.flag(TIMING)));
        return timing.hooks();
    }

    private List<Hook> mark(ExporterConfig config, PrometheusRegistry registry) {
        if (!config.flag(MARKS)) {
            return List.of();
        }
        MarksPart started = new MarksPart(config.text("marks.topic"), RequestTiming.classicNanos(), registry);
        started.enable(true);
        switches.add(now -> started.enable(now.flag(MARKS)));
        marks = Optional.of(started);
        return started.hooks();
    }

    /**
     * While the broker runs, certificates and passwords may change, and timing and marks may be
     * switched off and on. Every other change needs a restart of the broker.
     */
    private ReloadedValue<ExporterConfig> access(AgentArguments arguments, ExporterConfig config, Gauge fault) {
        return new ReloadedValue<>(
                config,
                new Access(config, () -> ConfigLoader.load(arguments.file.orElseThrow())),
                new ReloadedValue.Listener<>() {
                    private volatile boolean faulty = !config.faults.isEmpty();

                    @Override
                    public void reloaded(ExporterConfig changed) {
                        faulty = !changed.faults.isEmpty();
                        fault.set(faulty ? 1 : 0);
                        log.info("certificates and passwords were reloaded");
                        switches.forEach(each -> each.accept(changed));
                        if (!changed.faults.isEmpty()) {
                            log.error(describe(changed));
                        }
                    }

                    @Override
                    public void refused(UnusableFileException why, boolean repeated) {
                        faulty = true;
                        fault.set(1);
                        if (!repeated) {
                            log.error(why.getMessage() + " (the earlier certificates and passwords stay)");
                        }
                    }

                    @Override
                    public void hanging() {
                        fault.set(1);
                        log.error("the configuration's files do not answer (what was read earlier stays in use)");
                    }

                    @Override
                    public void answering() {
                        fault.set(faulty ? 1 : 0);
                        log.info("the configuration's files answer again");
                    }
                },
                System::nanoTime);
    }

    private static String describe(ExporterConfig config) {
        String then = config.isAccessInDoubt()
                ? " (nothing but kafka_exporter_config_error is served)"
                : " (defaults are used instead)";
        return config.faults.stream().map(ConfigFault::toString).collect(Collectors.joining("; ", "", then));
    }

    private void bind(
            AgentArguments arguments,
            ReloadedValue<ExporterConfig> access,
            PrometheusRegistry registry,
            Supplier<List<MultiCollector>> beans)
            throws InterruptedException {
        ScrapeHandler scrapes = new ScrapeHandler(registry, beans, System::nanoTime, log::error, log::info);
        MarksHandler pages = new MarksHandler(marks.map(known -> known::page), System::nanoTime);
        boolean failed = false;
        while (true) {
            InetSocketAddress address = arguments
                    .host
                    .map(host -> new InetSocketAddress(host, arguments.port))
                    .orElseGet(() -> new InetSocketAddress(arguments.port));
            try {
                int port = ExporterEndpoint.start(address, access, scrapes, pages, log::error)
                        .port();
                log.info("serving on " + address.getHostString() + ":" + port);
                return;
            } catch (IOException e) {
                if (!failed) {
                    String again = "; trying again every " + BETWEEN_BINDINGS.toSeconds() + " s";
                    log.error(e.getMessage() + ", given as the agent's argument" + again);
                }
                failed = true;
                Thread.sleep(BETWEEN_BINDINGS.toMillis());
            }
        }
    }
}
