/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter;

import java.io.IOException;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.ProtectionDomain;
import java.util.HashMap;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.bytebuddy.ByteBuddy;

/**
 * Another agent on a broker, which gives members of a class other names: those who use them find
 * them no longer.
 */
public final class RenamingAgent implements ClassFileTransformer {

    /** By class, which name becomes which; as long as the other, to take its place in the file. */
    private final Map<String, Map<String, String>> renamed = new HashMap<>();

    private RenamingAgent(String arguments) {
        for (String each : arguments.split(",")) {
            String[] parts = each.split(":");
            renamed.computeIfAbsent(parts[0], type -> new HashMap<>()).put(parts[1], parts[2]);
        }
    }

    /** Called by the broker's JVM. */
    public static void premain(String arguments, Instrumentation instrumentation) {
        instrumentation.addTransformer(new RenamingAgent(arguments));
    }

    /**
     * The JVM's option for it; the last letter of a name becomes another.
     *
     * @param directory for its jar
     * @param members as class:member, the class as class files have it
     */
    static String option(Path directory, String... members) throws IOException {
        return Stream.of(members)
                .map(each -> each + each.substring(each.indexOf(':'), each.length() - 1) + "_")
                .collect(Collectors.joining(",", "-javaagent:" + jar(directory) + "=", ""));
    }

    /** Puts it into a jar that {@code -javaagent} takes. */
    private static Path jar(Path directory) throws IOException {
        Path jar = directory.resolve("renaming-agent.jar");
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().putValue("Premain-Class", RenamingAgent.class.getName());
        new ByteBuddy().redefine(RenamingAgent.class).make().toJar(jar.toFile(), manifest);
        return jar;
    }

    @Override
    public byte[] transform(
            ClassLoader loader,
            String className,
            Class<?> classBeingRedefined,
            ProtectionDomain domain,
            byte[] classFile) {
        Map<String, String> names = renamed.get(className);
        if (names == null) {
            return null;
        }
        // Every byte is a character of its own in this encoding.
        String file = new String(classFile, StandardCharsets.ISO_8859_1);
        for (Map.Entry<String, String> each : names.entrySet()) {
            file = file.replace(each.getKey(), each.getValue());
        }
        return file.getBytes(StandardCharsets.ISO_8859_1);
    }
}
