/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.timing;

import io.phasewise.exporter.agent.Instrumenting;
import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.ClassFileTransformer;
import java.nio.charset.StandardCharsets;
import java.security.ProtectionDomain;
import java.util.Properties;

/**
 * Has Kafka's classes call the advice, as the JVM loads or retransforms them. Any surprise leaves
 * the class as it is and gives up timing.
 */
final class RequestTransformer implements ClassFileTransformer {

    private static final String HOOK = RequestHook.class.getName();

    private final TimingStatus status;

    RequestTransformer(TimingStatus status) {
        this.status = status;
    }

    @Override
    public byte[] transform(
            ClassLoader loader,
            String className,
            Class<?> classBeingRedefined,
            ProtectionDomain domain,
            byte[] classFile) {
        RequestShape shape = RequestShape.of(className);
        if (shape == null || status.isOff()) {
            return null;
        }
        try {
            if (shape.isRequest()) {
                status.kafkaVersion(kafkaVersion(loader));
            }
            byte[] transformed = instrument(loader, shape, classFile);
            if (shape.isRequest()) {
                status.activate();
            }
            return transformed;
        } catch (UnknownShapeException e) {
            status.giveUp("this Kafka is not known: " + e.getMessage(), null);
        } catch (Throwable e) {
            status.giveUp("cannot instrument " + shape.type(), e);
        }
        return null;
    }

    private static byte[] instrument(ClassLoader loader, RequestShape shape, byte[] classFile)
            throws ReflectiveOperationException, IOException, UnknownShapeException {
        if (contains(classFile, HOOK.replace('.', '/'))) {
            // Another agent saved the class with the call in it and now puts it back.
            return null;
        }
        if (!Instrumenting.isSeenBy(loader, RequestHook.class)) {
            throw new UnknownShapeException("it has another copy of this agent on its class path");
        }
        shape.check(ClassShape.of(classFile), loader);
        return new AdviceCall(shape).insertInto(classFile);
    }

    /** A class file holds the names of the classes that it uses as they are. */
    private static boolean contains(byte[] classFile, String ascii) {
        return new String(classFile, StandardCharsets.ISO_8859_1).contains(ascii);
    }

    /** Kafka's version from the file that kafka-clients carries it in. */
    private static String kafkaVersion(ClassLoader loader) throws IOException {
        try (InputStream file = loader.getResourceAsStream("kafka/kafka-version.properties")) {
            Properties properties = new Properties();
            if (file != null) {
                properties.load(file);
            }
            return properties.getProperty("version", "unknown").trim();
        }
    }
}
