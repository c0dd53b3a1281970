/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.instrument;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.exporter.TextFormat;
import io.phasewise.exporter.timing.RequestTiming;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.IllegalClassFormatException;
import java.lang.instrument.Instrumentation;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** What is the same for all hooks; each of them is tested where it is. */
class HooksTest {

    private final List<String> log = new ArrayList<>();
    private final List<String> offs = new ArrayList<>();
    private final PrometheusRegistry registry = new PrometheusRegistry();

    @AutoClose
    private final FakeJvm jvm = new FakeJvm(hook("one"), hook("other"));

    @Test
    void noHookIsActiveBeforeTheBrokersClassesAreThere() {
        jvm.hooks().register(registry);

        assertThat(jvm.transformers()).isOne();
        assertThat(TextFormat.of(registry.scrape()))
                .contains(
                        "kafka_exporter_hook_active{hook=\"one\",kafka_version=\"unknown\"} 0.0",
                        "kafka_exporter_hook_active{hook=\"other\",kafka_version=\"unknown\"} 0.0",
                        "kafka_exporter_hook_failures_total{hook=\"one\"} 0.0");
        assertThat(jvm.log()).isEmpty();
    }

    @Test
    void aJvmIsANodeOnceItHasLoadedABrokerOrAController() {
        jvm.hooks().registerNode(registry);
        for (String other :
                List.of("kafka/Server", "org/eclipse/jetty/KafkaServer", "kafka/clients/producer/KafkaProducer")) {
            jvm.transform(other, new byte[0]);
        }
        assertThat(TextFormat.of(registry.scrape())).contains("kafka_exporter_kafka_node 0.0");

        jvm.transform("kafka/server/KafkaRaftServer", new byte[0]);
        jvm.transform("kafka/server/Other", new byte[0]);
        assertThat(TextFormat.of(registry.scrape())).contains("kafka_exporter_kafka_node 1.0");
    }

    @Test
    void anUnknownClassIsCountedSaidOnceAndLeftAlone() {
        jvm.hooks().register(registry);
        for (int i = 0; i < 3; i++) {
            assertThat(jvm.transform(FakeKafka.named("kafka.Target"))).isNull();
        }

        String unknown = " is lost: unexpected shape of a Kafka class: kafka.Target has 0 methods";
        assertThat(jvm.log()).hasSize(2).allMatch(line -> line.contains(unknown));
        assertThat(offs).containsExactly("one", "other");
        assertThat(TextFormat.of(registry.scrape()))
                .contains("kafka_exporter_hook_failures_total{hook=\"one\"} 1.0")
                .containsPattern("kafka_exporter_hook_active.*\"[34][.].*\"} 0.0");
    }

    /** Kafka 4.0 has a class of static helpers with the name that its log has since 4.1. */
    @Test
    void aClassOfHelpersIsNotTheOneThatIsMeant() {
        CallSite site = new CallSite("kafka.Target", "run", ".*")
                .begin(HooksTest.class, "called")
                .unlessHelpers();
        jvm.close();
        try (FakeJvm other = new FakeJvm(new Hook("log", "log is lost", () -> offs.add("log"), site))) {
            assertThat(other.transform(FakeKafka.named("kafka.Target"))).isNull();
            assertThat(other.log()).isEmpty();
            assertThat(other.hooks().isActive("log")).isFalse();

            assertThat(other.transform(FakeKafka.named("kafka.Target").field("id", int.class)))
                    .isNull();
            assertThat(other.log()).singleElement().asString().contains("kafka.Target has 0 methods");
            assertThat(offs).containsExactly("log");
        }
    }

    /** A plugin of a broker may bring another release of Kafka's clients with it, in its own loader. */
    @Test
    void aPluginsCopyOfAClassIsLeftAloneWhateverItLooksLike() throws IOException {
        CallSite site = new CallSite("org.apache.kafka.common.TopicPartition", "hashCode", "\\(\\)I")
                .begin(HooksTest.class, "called");
        FakeKafka copy = FakeKafka.named("org.apache.kafka.common.TopicPartition");
        ClassLoader plugin = new ClassLoader(getClass().getClassLoader()) {};
        ClassLoader apart = new ClassLoader(ClassLoader.getPlatformClassLoader()) {};
        jvm.close();
        try (FakeJvm other = new FakeJvm(new Hook("copied", "it is lost", () -> offs.add("copied"), site))) {
            String name = copy.name().replace('.', '/');
            for (ClassLoader loader : List.of(plugin, apart)) {
                assertThat(other.hooks().transform(loader, name, null, null, copy.classFile()))
                        .isNull();
            }
            assertThat(other.log()).isEmpty();
            assertThat(other.hooks().kafkaVersion()).isEqualTo("unknown");

            assertThat(other.hooks().transform(other.getParent(), name, null, null, kafkas(name)))
                    .as("loaded by a parent of the broker's loader")
                    .isNotNull();
            assertThat(other.transform(org.apache.kafka.common.TopicPartition.class))
                    .as("the broker's own")
                    .isNotNull();
            assertThat(other.hooks().isActive("copied")).isTrue();
            assertThat(offs).isEmpty();
        }
    }

    private static byte[] kafkas(String name) throws IOException {
        try (InputStream file = HooksTest.class.getResourceAsStream("/" + name + ".class")) {
            return file.readAllBytes();
        }
    }

    @Test
    void aJvmThatRefusesIsLeftAlone() {
        Instrumentation refusing = FakeJvm.answering((name, arguments) -> {
            throw new UnsupportedOperationException(name);
        });
        Hooks hooks = new Hooks(log::add);
        hooks.install(refusing, List.of(hook("one")));

        assertThat(log).singleElement().asString().contains("could not be installed");
        assertThat(hooks.isActive("one")).isFalse();
        hooks.registerNode(registry);
        assertThat(TextFormat.of(registry.scrape())).doesNotContain("kafka_exporter_kafka_node");
    }

    @Test
    void whatFailsWithoutAnAgentComesToNothing() {
        jvm.close();
        Hooks.failed(new IllegalStateException(), "one");

        assertThat(jvm.log()).isEmpty();
        assertThat(offs).isEmpty();
    }

    @Test
    void onceTheyAreAskedAboutClassesTheyLoadNoneOfTheirOwn() throws Exception {
        try (RecordingLoader apart = new RecordingLoader()) {
            List<String> loadedWhenAsked = new ArrayList<>();
            Instrumentation asking = FakeJvm.answering((name, arguments) -> {
                if (!name.equals("addTransformer")) {
                    return name.equals("getAllLoadedClasses") ? new Class<?>[0] : (Object) true;
                }
                apart.loaded.clear();
                ask((ClassFileTransformer) arguments[0]);
                loadedWhenAsked.addAll(apart.loaded);
                return null;
            });

            Object installed = apart.loadClass(Installation.class.getName())
                    .getMethod("of", Instrumentation.class, Consumer.class)
                    .invoke(null, asking, (Consumer<String>) log::add);

            assertThat(installed).isEqualTo(2);
            assertThat(log).isEmpty();
            assertThat(loadedWhenAsked).isEmpty();
        }
    }

    /** What an agent does. */
    public static final class Installation {
        private Installation() {}

        /** How many hooks there are then. */
        public static int of(Instrumentation instrumentation, Consumer<String> errorLog) {
            PrometheusRegistry metrics = new PrometheusRegistry();
            Collection<Hook> hooks = new RequestTiming(3, "phasewise-canary", metrics, null).hooks();
            new Hooks(errorLog).install(instrumentation, hooks);
            return hooks.size();
        }
    }

    private static void ask(ClassFileTransformer transformer) {
        try {
            for (String name : List.of("java/util/List", "kafka/network/RequestChannel")) {
                assertThat(transformer.transform(null, name, null, null, new byte[0]))
                        .isNull();
            }
        } catch (IllegalClassFormatException e) {
            throw new AssertionError(e);
        }
    }

    /** Has the classes of the test's class path again, and knows which. */
    private static final class RecordingLoader extends URLClassLoader {
        private final List<String> loaded = new CopyOnWriteArrayList<>();

        RecordingLoader() throws MalformedURLException {
            super(classPath(), ClassLoader.getPlatformClassLoader());
        }

        private static URL[] classPath() throws MalformedURLException {
            List<URL> all = new ArrayList<>();
            String path = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
            for (String entry : path.split(File.pathSeparator)) {
                all.add(Path.of(entry).toUri().toURL());
            }
            return all.toArray(URL[]::new);
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            loaded.add(name);
            return super.findClass(name);
        }
    }

    private Hook hook(String name) {
        return new Hook(
                name,
                name + " is lost",
                () -> offs.add(name),
                new CallSite("kafka.Target", "absent", ".*").begin(HooksTest.class, "called"));
    }
}
