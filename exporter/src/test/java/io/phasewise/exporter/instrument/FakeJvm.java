/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.instrument;

import java.lang.instrument.Instrumentation;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;

/** A JVM that has loaded nothing yet, as an agent sees it, and counts the transformers added. */
public final class FakeJvm {

    private final List<Object> transformers = new ArrayList<>();

    /** As the JVM hands it to an agent. */
    public Instrumentation instrumentation() {
        return answering(
                (name, arguments) -> {
                    switch (name) {
                        case "isRetransformClassesSupported":
                            return true;
                        case "getAllLoadedClasses":
                            return new Class<?>[0];
                        case "addTransformer":
                            transformers.add(arguments[0]);
                            return null;
                        default:
                            throw new AssertionError(name + " was not to be called");
                    }
                });
    }

    /** Those that were added. */
    List<Object> transformers() {
        return transformers;
    }

    /** One that answers by the name of the method. */
    static Instrumentation answering(BiFunction<String, Object[], Object> answers) {
        return (Instrumentation)
                Proxy.newProxyInstance(
                        Instrumentation.class.getClassLoader(),
                        new Class<?>[] {Instrumentation.class},
                        (proxy, method, arguments) -> answers.apply(method.getName(), arguments));
    }
}
