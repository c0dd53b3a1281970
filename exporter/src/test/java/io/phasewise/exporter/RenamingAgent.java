/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.ProtectionDomain;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/**
 * Another agent on a broker, which gives a private field of Kafka's request class another name: to
 * the broker it is the same class, to the exporter one of a shape that it does not know.
 */
public final class RenamingAgent implements ClassFileTransformer {

    private static final String FIELD = "bodyAndSize";

    /** As long as the other, so that it can take its place in the class file. */
    private static final String RENAMED = "bodyAndsize";

    private RenamingAgent() {}

    /** Called by the broker's JVM. */
    public static void premain(String arguments, Instrumentation instrumentation) {
        instrumentation.addTransformer(new RenamingAgent());
    }

    /** Puts it into a jar that {@code -javaagent} takes. */
    static Path jar(Path directory) throws IOException {
        Path jar = directory.resolve("renaming-agent.jar");
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().putValue("Premain-Class", RenamingAgent.class.getName());
        String entry = RenamingAgent.class.getName().replace('.', '/') + ".class";
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream out = new JarOutputStream(file, manifest);
                InputStream own = RenamingAgent.class.getResourceAsStream("/" + entry)) {
            out.putNextEntry(new JarEntry(entry));
            own.transferTo(out);
        }
        return jar;
    }

    @Override
    public byte[] transform(
            ClassLoader loader,
            String className,
            Class<?> classBeingRedefined,
            ProtectionDomain domain,
            byte[] classFile) {
        if (!"org/apache/kafka/network/Request".equals(className)) {
            return null;
        }
        // Every byte is a character of its own in this encoding.
        return new String(classFile, StandardCharsets.ISO_8859_1)
                .replace(FIELD, RENAMED)
                .getBytes(StandardCharsets.ISO_8859_1);
    }
}
