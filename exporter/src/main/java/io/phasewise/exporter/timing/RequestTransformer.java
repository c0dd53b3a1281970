/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.timing;

import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.ClassFileTransformer;
import java.nio.charset.StandardCharsets;
import java.security.ProtectionDomain;
import java.util.Properties;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.dynamic.ClassFileLocator;
import net.bytebuddy.dynamic.TypeResolutionStrategy;
import net.bytebuddy.dynamic.scaffold.MethodGraph;
import net.bytebuddy.dynamic.scaffold.TypeValidation;
import net.bytebuddy.implementation.Implementation;
import net.bytebuddy.implementation.bytecode.member.MethodInvocation;
import net.bytebuddy.pool.TypePool;

/**
 * Copies the advice into Kafka's classes as the JVM loads or retransforms them. Any surprise leaves
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
            throws ReflectiveOperationException, UnknownShapeException {
        if (contains(classFile, HOOK.replace('.', '/'))) {
            // Another agent saved the class with the advice in it and now puts it back.
            return null;
        }
        // The advice calls the hook by name, from the loader of Kafka's classes.
        if (Class.forName(HOOK, false, loader) != RequestHook.class) {
            throw new UnknownShapeException("it has another copy of this agent on its class path");
        }
        ClassFileLocator kafka =
                new ClassFileLocator.Compound(
                        ClassFileLocator.Simple.of(shape.type(), classFile),
                        ClassFileLocator.ForClassLoader.of(loader));
        TypePool pool = TypePool.Default.of(kafka);
        TypeDescription type = pool.describe(shape.type()).resolve();
        shape.check(type, pool);

        // Described from its class file, not loaded: loading it would load classes of Kafka.
        ClassFileLocator own =
                ClassFileLocator.ForClassLoader.of(RequestHook.class.getClassLoader());
        TypeDescription advice =
                TypePool.Default.of(new ClassFileLocator.Compound(own, kafka))
                        .describe(shape.advice().getName())
                        .resolve();
        return new ByteBuddy()
                .with(TypeValidation.DISABLED)
                .with(MethodGraph.Compiler.ForDeclaredMethods.INSTANCE)
                .with(Implementation.Context.Disabled.Factory.INSTANCE)
                .decorate(type, kafka)
                .visit(
                        Advice.to(advice, own)
                                .withExceptionHandler(
                                        new Advice.ExceptionHandler.Simple(
                                                MethodInvocation.invoke(surprised())))
                                .on(shape.method()))
                .make(TypeResolutionStrategy.Disabled.INSTANCE, pool)
                .getBytes();
    }

    private static MethodDescription.InDefinedShape surprised() throws NoSuchMethodException {
        return new MethodDescription.ForLoadedMethod(
                RequestHook.class.getMethod("surprised", Throwable.class));
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
