/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.timing;

import static org.assertj.core.api.Assertions.assertThat;

import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.io.File;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.IllegalClassFormatException;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RequestTimingTest {

    private static final String ACTIVE = "kafka_exporter_request_timing_active";

    private final List<String> log = new ArrayList<>();
    private final List<Object> transformers = new ArrayList<>();
    private final PrometheusRegistry registry = new PrometheusRegistry();

    @AfterEach
    void uninstall() {
        RequestHook.uninstall();
    }

    @Test
    void itIsNotActiveBeforeTheBrokersClassesAreThere() {
        RequestTiming.install(jvm(), TimingSettings.defaults(), registry, log::add);

        assertThat(transformers).hasSize(1);
        assertThat(names(registry)).contains(ACTIVE, "kafka_request_phase_seconds");
        assertThat(active(registry)).isZero();
        assertThat(log).isEmpty();
    }

    @Test
    void disabledItTouchesNothing() {
        TimingSettings disabled = new TimingSettings(false, 7, "phasewise-canary");
        RequestTiming.install(jvm(), disabled, registry, log::add);

        assertThat(transformers).isEmpty();
        assertThat(names(registry)).containsExactly(ACTIVE);
        assertThat(active(registry)).isZero();
        assertThat(log).isEmpty();
    }

    @Test
    void anAgentThatIsLoadedTwiceTimesOnce() {
        RequestTiming.install(jvm(), TimingSettings.defaults(), registry, log::add);
        PrometheusRegistry second = new PrometheusRegistry();
        RequestTiming.install(jvm(), TimingSettings.defaults(), second, log::add);

        assertThat(transformers).hasSize(1);
        assertThat(names(second)).containsExactly(ACTIVE);
        assertThat(log).singleElement().asString().contains("loaded twice");
    }

    @Test
    void onceItIsAskedAboutClassesItLoadsNoneOfItsOwn() throws Exception {
        try (RecordingLoader apart = new RecordingLoader()) {
            List<String> loadedWhenAsked = new ArrayList<>();
            Instrumentation asking =
                    instrumentation(
                            (name, arguments) -> {
                                if (!name.equals("addTransformer")) {
                                    return name.equals("getAllLoadedClasses")
                                            ? new Class<?>[0]
                                            : (Object) true;
                                }
                                apart.loaded.clear();
                                ask((ClassFileTransformer) arguments[0]);
                                loadedWhenAsked.addAll(apart.loaded);
                                return null;
                            });
            Class<?> settings = apart.loadClass(TimingSettings.class.getName());
            Class<?> other = apart.loadClass(PrometheusRegistry.class.getName());
            Method install =
                    apart.loadClass(RequestTiming.class.getName())
                            .getDeclaredMethod(
                                    "install",
                                    Instrumentation.class,
                                    settings,
                                    other,
                                    Consumer.class);
            install.setAccessible(true);
            Consumer<String> errorLog = log::add;
            install.invoke(
                    null,
                    asking,
                    settings.getMethod("defaults").invoke(null),
                    other.getDeclaredConstructor().newInstance(),
                    errorLog);

            assertThat(log).isEmpty();
            assertThat(loadedWhenAsked).isEmpty();
        }
    }

    private static void ask(ClassFileTransformer transformer) {
        try {
            for (String name : List.of("java/util/List", "kafka/network/RequestChannel")) {
                assertThat(transformer.transform(null, name, null, null, new byte[0])).isNull();
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
            String path =
                    System.getProperty(
                            "surefire.test.class.path", System.getProperty("java.class.path"));
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

    @Test
    void aJvmThatRefusesIsLeftAlone() {
        Instrumentation refusing =
                instrumentation(
                        (name, arguments) -> {
                            throw new UnsupportedOperationException(name);
                        });
        RequestTiming.install(refusing, TimingSettings.defaults(), registry, log::add);

        assertThat(log).singleElement().asString().contains("could not be installed");
        assertThat(active(registry)).isZero();
    }

    /** One that has loaded nothing yet. */
    private Instrumentation jvm() {
        return instrumentation(
                (name, arguments) -> {
                    switch (name) {
                        case "isRetransformClassesSupported":
                            return true;
                        case "getAllLoadedClasses":
                            return new Class<?>[0];
                        case "addTransformer":
                            transformers.add(name);
                            return null;
                        default:
                            throw new AssertionError(name + " was not to be called");
                    }
                });
    }

    private static Instrumentation instrumentation(BiFunction<String, Object[], Object> answers) {
        return (Instrumentation)
                Proxy.newProxyInstance(
                        Instrumentation.class.getClassLoader(),
                        new Class<?>[] {Instrumentation.class},
                        (proxy, method, arguments) -> answers.apply(method.getName(), arguments));
    }

    private static List<String> names(PrometheusRegistry registry) {
        return registry.scrape().stream().map(metric -> metric.getMetadata().getName()).toList();
    }

    private static double active(PrometheusRegistry registry) {
        for (MetricSnapshot metric : registry.scrape()) {
            if (metric.getMetadata().getName().equals(ACTIVE)) {
                return ((GaugeSnapshot) metric).getDataPoints().get(0).getValue();
            }
        }
        throw new AssertionError("not exported");
    }
}
