/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.instrument;

import io.phasewise.exporter.series.SeriesRegistry;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.charset.StandardCharsets;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Puts all hooks into Kafka's classes as the JVM loads them, and knows which are active. A class
 * that is not as expected stays as it is, and so does the broker: the hook is off until the next
 * restart, which is counted, and logged once.
 *
 * <p>Thread-safe. Static where Kafka's code has no object to reach it by.
 */
public final class Hooks implements ClassFileTransformer {

    private static volatile Hooks installed;

    private final Consumer<String> errorLog;
    private final Map<String, State> hooks = new ConcurrentSkipListMap<>();

    /**
     * By the names of classes, written as in class files: the places in a class, and the hook of
     * each place.
     */
    private final Map<String, Map<CallSite, State>> targets = new HashMap<>();

    /** Of the broker's own copies of Kafka's classes. */
    private final ClassLoader brokers;

    private volatile String kafkaVersion = "unknown";

    /**
     * Main classes of brokers and controllers in all releases so far, in whatever package they are.
     */
    private static final Set<String> NODES =
            Set.of("BrokerServer", "ControllerServer", "KafkaRaftServer", "KafkaServer", "SharedServer");

    private volatile boolean watching;
    private volatile boolean node;

    private static final String FAILED = "it failed";

    private static final class State {
        private final Hook hook;
        private final AtomicLong failures = new AtomicLong();
        private volatile boolean inPlace;

        State(Hook hook) {
            this.hook = hook;
        }

        boolean isActive() {
            return inPlace && failures.get() == 0;
        }
    }

    /**
     * @param errorLog takes one line for each hook that fails
     */
    public Hooks(Consumer<String> errorLog) {
        this(errorLog, ClassLoader.getSystemClassLoader());
    }

    /**
     * As the other one.
     *
     * @param brokers what has a class file here, is the broker's; another copy of it, which a plugin
     *     brings with it, is left alone, whatever it looks like
     */
    public Hooks(Consumer<String> errorLog, ClassLoader brokers) {
        this.errorLog = errorLog;
        this.brokers = brokers;
    }

    /** Shows which hooks are active. */
    public void register(PrometheusRegistry registry) {
        SeriesRegistry series = new SeriesRegistry(registry);
        series.read(
                "kafka_exporter_hook_active",
                points -> hooks.forEach((name, state) -> points.add(state.isActive() ? 1 : 0, name, kafkaVersion)));
        series.read(
                "kafka_exporter_hook_failures_total",
                points -> hooks.forEach((name, state) -> points.add(state.failures.get(), name)));
    }

    /**
     * Shows whether this JVM has loaded a Kafka broker or controller. Nothing is shown where the
     * loading of classes cannot be watched.
     */
    public void registerNode(PrometheusRegistry registry) {
        new SeriesRegistry(registry).read("kafka_exporter_kafka_node", points -> {
            if (watching) {
                // A release may move its classes: one that calls the agent is a node as well.
                points.add(node || hooks.values().stream().anyMatch(State::isActive) ? 1 : 0);
            }
        });
    }

    /**
     * Makes these the hooks of this JVM.
     *
     * @return false when it has some already: the agent was loaded twice
     */
    public boolean claim() {
        synchronized (Hooks.class) {
            if (installed != null) {
                return false;
            }
            installed = this;
            return true;
        }
    }

    /** Lets another agent claim this JVM. */
    public void release() {
        synchronized (Hooks.class) {
            installed = null;
        }
    }

    /**
     * Instruments the classes of the hooks, loaded or not. Never throws.
     *
     * @param instrumentation of this JVM
     * @param all each with a name of its own
     */
    public void install(Instrumentation instrumentation, Collection<Hook> all) {
        for (Hook hook : all) {
            State state = new State(hook);
            hooks.put(hook.name, state);
            for (CallSite site : hook.sites) {
                targets.computeIfAbsent(site.internalName(), name -> new LinkedHashMap<>())
                        .put(site, state);
            }
        }
        try {
            // All classes that this transformer needs must be loaded before the JVM asks it about
            // others. The JVM asks it about its own classes, too: if they were loaded while it
            // works, they would be defined a second time.
            transform(null, "java/lang/Object", null, null, new byte[0]);
            instrumentation.addTransformer(this, false);
            retransform(instrumentation);
            watching = true;
        } catch (Throwable e) {
            hooks.values().forEach(state -> fail(state, "it could not be installed", e));
        }
    }

    /**
     * A transformer that is asked about retransformed classes as well sees every class twice, which
     * slows a broker's start: there is one only where the broker was fast enough to load a class.
     */
    private void retransform(Instrumentation instrumentation) throws Exception {
        List<Class<?>> loaded = new ArrayList<>();
        for (Class<?> each : instrumentation.getAllLoadedClasses()) {
            look(each.getName().replace('.', '/'));
            if (targets.containsKey(each.getName().replace('.', '/'))) {
                loaded.add(each);
            }
        }
        if (!loaded.isEmpty() && instrumentation.isRetransformClassesSupported()) {
            instrumentation.addTransformer(this, true);
            instrumentation.retransformClasses(loaded.toArray(new Class<?>[0]));
        }
    }

    @Override
    public byte[] transform(
            ClassLoader loader,
            String className,
            Class<?> classBeingRedefined,
            ProtectionDomain domain,
            byte[] classFile) {
        look(className);
        Map<CallSite, State> here = targets.get(className);
        if (here == null || isCopy(loader, className)) {
            return null;
        }
        byte[] transformed = null;
        String names = new String(classFile, StandardCharsets.ISO_8859_1);
        for (Map.Entry<CallSite, State> target : here.entrySet()) {
            State state = target.getValue();
            if (uses(names, target.getKey().calleeName())) {
                // Another agent saved the class with the call in it and now puts it back.
                state.inPlace = true;
            } else if (state.failures.get() == 0) {
                byte[] before = transformed == null ? classFile : transformed;
                byte[] after = insert(loader, target.getKey(), state, before);
                transformed = after == null ? transformed : after;
            }
        }
        return transformed;
    }

    /** Whether this is not the class that the broker uses, but one that a plugin has by its name. */
    private boolean isCopy(ClassLoader loader, String className) {
        for (ClassLoader each = brokers; each != null; each = each.getParent()) {
            if (each == loader) {
                return false;
            }
        }
        return brokers.getResource(className + ".class") != null;
    }

    /** Lambdas have no name. */
    private void look(String className) {
        if (!node && className != null && className.endsWith("Server") && className.contains("kafka/")) {
            // Only ever set, never cleared: several threads load classes, and none may undo what
            // another saw.
            if (NODES.contains(className.substring(className.lastIndexOf('/') + 1))) {
                node = true;
            }
        }
    }

    /** The class with one more call in it; null when there is none to make, or none can be made. */
    private byte[] insert(ClassLoader loader, CallSite site, State state, byte[] classFile) {
        try {
            readKafkaVersion(loader);
            if (!ClassShape.isMeant(site, classFile)) {
                return null;
            }
            byte[] transformed = instrument(loader, site, state.hook.name, classFile);
            state.inPlace = true;
            return transformed;
        } catch (UnknownShapeException e) {
            fail(state, "unexpected shape of a Kafka class: " + e.getMessage(), null);
        } catch (Throwable e) {
            fail(state, "cannot instrument " + site.type, e);
        }
        return null;
    }

    private static byte[] instrument(ClassLoader loader, CallSite site, String hook, byte[] classFile)
            throws ClassNotFoundException, IOException, UnknownShapeException {
        if (Class.forName(site.callee.getName(), false, loader) != site.callee) {
            throw new UnknownShapeException("it has another copy of this agent on its class path");
        }
        ClassShape.Reached reached = ClassShape.check(site, classFile, loader);
        return reached == null ? null : CallInserter.insert(site, reached, hook, classFile);
    }

    /**
     * Whether a class file uses a class: the file holds the names of such classes in plain text,
     * each after its length.
     */
    private static boolean uses(String classFile, String name) {
        char[] length = {(char) (name.length() >> 8), (char) (name.length() & 0xff)};
        return classFile.contains(new String(length) + name);
    }

    /** Reads Kafka's version from the file in kafka-clients that has it. */
    private void readKafkaVersion(ClassLoader loader) throws IOException {
        try (InputStream file = loader.getResourceAsStream("kafka/kafka-version.properties")) {
            Properties properties = new Properties();
            if (file != null) {
                properties.load(file);
            }
            kafkaVersion = properties.getProperty("version", "unknown").trim();
        }
    }

    /**
     * Called when a call of the agent has thrown, which ends its hook. Never throws.
     *
     * @param hook its name
     */
    public static void failed(Throwable surprise, String hook) {
        Hooks current = installed;
        State state = current == null ? null : current.hooks.get(hook);
        if (state != null) {
            current.fail(state, FAILED, surprise);
        }
    }

    /**
     * Logs that something failed which is no hook, and ends none. To be called once for each. Never throws.
     *
     * @param loss what is lost: the log line begins with it
     */
    public static void lost(String loss, Throwable surprise) {
        Hooks current = installed;
        if (current != null) {
            current.log(loss, FAILED, surprise);
        }
    }

    private void fail(State state, String what, Throwable cause) {
        if (state.failures.incrementAndGet() > 1) {
            return;
        }
        try {
            state.hook.off.run();
        } catch (Throwable offFailed) {
            // It must not throw; if it does, the hook has failed all the same.
        }
        log(state.hook.loss, what, cause);
    }

    private void log(String loss, String what, Throwable cause) {
        try {
            String why = cause == null ? "" : ": " + cause;
            StackTraceElement[] trace = cause == null ? new StackTraceElement[0] : cause.getStackTrace();
            String where = trace.length == 0 ? "" : " at " + trace[0];
            errorLog.accept(loss + ": " + what + why + where);
        } catch (Throwable loggingFailed) {
            // Not even the log works: there is nothing more to do.
        }
    }

    /** Whether the hook of this name is installed, in place, and has not failed. */
    public boolean isActive(String name) {
        State state = hooks.get(name);
        return state != null && state.isActive();
    }

    /** Kafka's version, {@code unknown} until one of its classes is seen. */
    public String kafkaVersion() {
        return kafkaVersion;
    }
}
