/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.marks;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.exporter.instrument.Hook;
import io.phasewise.exporter.instrument.Hooks;
import io.phasewise.lab.kafka.KafkaVersion;
import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The hooks of marks fit the class files of every Kafka that they are for: so a version whose
 * classes look different is noticed in each build. What the calls amount to in a broker: MarksIT.
 */
class MarkHooksIT {

    /** In the order in which a broker loads them; no version has all. */
    private static final List<String> CLASSES = List.of(
            "kafka/server/KafkaApis",
            "kafka/cluster/Partition",
            "kafka/log/UnifiedLog",
            "org/apache/kafka/storage/internals/log/UnifiedLog",
            "kafka/network/Processor",
            "org/apache/kafka/common/network/Selector",
            "kafka/network/RequestChannel",
            "kafka/server/BrokerBlockingSender");

    /** All but the log, which moved. */
    private static final List<String> IN_EVERY_KAFKA =
            CLASSES.stream().filter(name -> !name.endsWith("UnifiedLog")).toList();

    @ParameterizedTest
    @EnumSource(KafkaVersion.class)
    void theyFitTheClassFilesAndLeaveClassesThatTheJvmAccepts(KafkaVersion version)
            throws IOException, ClassNotFoundException {
        List<String> log = new ArrayList<>();
        List<Hook> all = new ArrayList<>(MarkHooks.marks(() -> log.add("no marks")));
        all.add(MarkHooks.receipts(() -> log.add("no receipts")));
        all.add(MarkHooks.appends(() -> log.add("no appends")));
        all.add(MarkHooks.networkThreads(() -> log.add("no network threads")));
        all.add(MarkHooks.replicaFetches(() -> log.add("no replica fetches")));
        Set<String> found = new HashSet<>();
        Hooks hooks;
        List<Path> jars = version.classPath(Path.of(System.getProperty("phasewise.root")));
        try (KafkaJars kafka = new KafkaJars(jars);
                Verifier verifier = new Verifier(jars)) {
            hooks = new Hooks(log::add, kafka);
            hooks.install(jvm(), all);
            for (String name : CLASSES) {
                try (InputStream file = kafka.getResourceAsStream(name + ".class")) {
                    byte[] transformed =
                            file == null ? null : hooks.transform(kafka, name, null, null, file.readAllBytes());
                    if (transformed != null) {
                        found.add(name);
                        verifier.files.put(name.replace('/', '.'), transformed);
                    }
                }
            }
            verifier.verify();
        }

        assertThat(log).isEmpty();
        assertThat(found).containsAll(IN_EVERY_KAFKA);
        assertThat(List.of(
                        MarkHooks.APPENDS,
                        MarkHooks.LEADER_APPENDS,
                        MarkHooks.FOLLOWERS,
                        MarkHooks.WATERMARKS,
                        MarkHooks.LEADERSHIP,
                        MarkHooks.RECEIPTS,
                        MarkHooks.NETWORK_THREADS,
                        MarkHooks.REPLICA_FETCHES))
                .allMatch(hooks::isActive);
        assertThat(hooks.kafkaVersion()).startsWith(version + ".");
    }

    /** Has loaded nothing yet. */
    private static Instrumentation jvm() {
        return (Instrumentation) Proxy.newProxyInstance(
                Instrumentation.class.getClassLoader(),
                new Class<?>[] {Instrumentation.class},
                (proxy, method, arguments) -> method.getName().equals("getAllLoadedClasses") ? new Class<?>[0] : null);
    }

    /** Has the classes of this Kafka apart from those of the tests, and of some what the hooks made of them. */
    private static final class Verifier extends URLClassLoader {
        /** By the names of the classes. */
        private final Map<String, byte[]> files = new HashMap<>();

        Verifier(List<Path> jars) throws IOException {
            super(KafkaJars.urls(jars), ClassLoader.getPlatformClassLoader());
        }

        /**
         * Fails with a VerifyError when the JVM would not run a class: it verifies those that it links, and
         * links those whose methods somebody asks for.
         */
        private void verify() throws ClassNotFoundException {
            for (String name : files.keySet()) {
                assertThat(loadClass(name).getDeclaredMethods()).isNotEmpty();
            }
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            byte[] file = files.get(name);
            return file == null ? super.findClass(name) : defineClass(name, file, 0, file.length);
        }
    }

    /** Finds the files of this Kafka, not of the one that the tests run with. */
    private static final class KafkaJars extends URLClassLoader {
        KafkaJars(List<Path> jars) throws IOException {
            super(urls(jars), MarkHooksIT.class.getClassLoader());
        }

        static URL[] urls(List<Path> jars) throws IOException {
            List<URL> urls = new ArrayList<>();
            for (Path jar : jars) {
                urls.add(jar.toUri().toURL());
            }
            return urls.toArray(new URL[0]);
        }

        @Override
        public URL getResource(String name) {
            return findResource(name);
        }
    }
}
