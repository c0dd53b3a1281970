/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.kafka;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Java properties files: writes them in the order given, for their owner only, as they may hold
 * passwords.
 */
final class PropertiesFile {

    private PropertiesFile() {}

    static void write(Path file, Map<String, String> properties) throws IOException {
        if (!Files.exists(file)) {
            Files.createFile(file);
        }
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        Files.writeString(file, text(properties));
    }

    /** Reads one of ours, from beside this class. */
    static Map<String, String> resource(String name) {
        Properties read = new Properties();
        try (InputStream in = PropertiesFile.class.getResourceAsStream(name)) {
            read.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Map<String, String> all = new TreeMap<>();
        read.stringPropertyNames().forEach(key -> all.put(key, read.getProperty(key)));
        return all;
    }

    static String text(Map<String, String> properties) {
        return properties.entrySet().stream()
                .map(entry -> entry.getKey() + "=" + escaped(entry.getValue()) + "\n")
                .collect(Collectors.joining());
    }

    /**
     * In a value only the backslash and line breaks mean something else than themselves, and a
     * leading space is lost.
     */
    private static String escaped(String value) {
        String escaped = value.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r");
        return escaped.startsWith(" ") ? "\\" + escaped : escaped;
    }
}
