/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.agent;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Has a transformer see some classes of Kafka, which the broker's main may have been fast enough to
 * load before. A transformer that is asked about retransformed classes as well makes the JVM hand
 * over every class that is loaded a second time, which is a good part of what an agent costs a
 * broker's start; so there is one only where such a class was there already.
 */
public final class Instrumenting {

    private Instrumenting() {}

    /**
     * Adds the transformer.
     *
     * @param instrumentation of this JVM
     * @param transformer which may be asked twice about one class
     * @param wanted whether it has something to do with a class of that name
     * @throws UnmodifiableClassException when a class that is there cannot be changed any more
     */
    public static void add(
            Instrumentation instrumentation,
            ClassFileTransformer transformer,
            Predicate<String> wanted)
            throws UnmodifiableClassException {
        instrumentation.addTransformer(transformer, false);
        if (!instrumentation.isRetransformClassesSupported()) {
            return;
        }
        List<Class<?>> loaded = new ArrayList<>();
        for (Class<?> each : instrumentation.getAllLoadedClasses()) {
            if (wanted.test(each.getName())) {
                loaded.add(each);
            }
        }
        if (!loaded.isEmpty()) {
            instrumentation.addTransformer(transformer, true);
            instrumentation.retransformClasses(loaded.toArray(new Class<?>[0]));
        }
    }

    /**
     * Whether Kafka's classes, which call a class of this agent by name, find this very one.
     *
     * @param kafka loader of Kafka's classes
     * @param ours what they are to call
     * @throws ClassNotFoundException when they find none
     */
    public static boolean isSeenBy(ClassLoader kafka, Class<?> ours) throws ClassNotFoundException {
        return Class.forName(ours.getName(), false, kafka) == ours;
    }
}
