/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.instrument;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;

/**
 * A JVM under an agent, until it is closed: it has loaded nothing yet, and loads classes as the
 * agent's hooks leave them. One at a time.
 */
public final class FakeJvm extends ClassLoader implements AutoCloseable {

    private final List<String> log = new ArrayList<>();
    private final Hooks hooks = new Hooks(log::add, this);
    private int transformers;

    /** Has these hooks from the start. */
    public FakeJvm(Hook... all) {
        super(FakeJvm.class.getClassLoader());
        assertThat(hooks.claim()).isTrue();
        hooks.install(answering(this::answer), List.of(all));
    }

    /** Lets another agent have hooks. */
    @Override
    public void close() {
        hooks.release();
    }

    /** What the agent's hooks have said of errors. */
    public List<String> log() {
        return log;
    }

    public Hooks hooks() {
        return hooks;
    }

    private Object answer(String method, Object[] arguments) {
        switch (method) {
            case "isRetransformClassesSupported":
                return true;
            case "getAllLoadedClasses":
                return new Class<?>[0];
            case "addTransformer":
                transformers++;
                return null;
            default:
                throw new AssertionError(method + " was not to be called");
        }
    }

    /** How often one was added. */
    int transformers() {
        return transformers;
    }

    /** What becomes of a class; null where it stays as it is. */
    public byte[] transform(String name, byte[] classFile) {
        return hooks.transform(this, name.replace('.', '/'), null, null, classFile);
    }

    /** The same of a class of the tests. */
    public byte[] transform(Class<?> type) {
        return transform(type.getName(), classFile(type));
    }

    /** The same of a class that looks like Kafka's. */
    public byte[] transform(FakeKafka fake) {
        return transform(fake.name(), fake.classFile());
    }

    /** Loads another class of this name than the tests have. */
    public Class<?> load(Class<?> type) {
        return load(type.getName(), classFile(type));
    }

    /** Loads a class that looks like Kafka's. */
    public Class<?> load(FakeKafka fake) {
        return load(fake.name(), fake.classFile());
    }

    private Class<?> load(String name, byte[] classFile) {
        byte[] transformed = transform(name, classFile);
        return define(transformed == null ? classFile : transformed);
    }

    /** Loads a class as it is. */
    public Class<?> define(byte[] classFile) {
        return defineClass(null, classFile, 0, classFile.length);
    }

    private static byte[] classFile(Class<?> type) {
        String file = "/" + type.getName().replace('.', '/') + ".class";
        try (InputStream in = type.getResourceAsStream(file)) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What an agent is given, which answers by the name of the method. */
    static Instrumentation answering(BiFunction<String, Object[], Object> answers) {
        return (Instrumentation) Proxy.newProxyInstance(
                Instrumentation.class.getClassLoader(),
                new Class<?>[] {Instrumentation.class},
                (proxy, method, arguments) -> answers.apply(method.getName(), arguments));
    }
}
