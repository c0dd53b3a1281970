/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.kafka;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Writes a Java properties file in the order given. It may hold passwords: only its owner can read
 * it.
 */
final class PropertiesFile {

    private PropertiesFile() {}

    static void write(Path file, Map<String, String> properties) throws IOException {
        if (!Files.exists(file)) {
            Files.createFile(file);
        }
        PosixFileAttributeView view =
                Files.getFileAttributeView(file, PosixFileAttributeView.class);
        if (view != null) {
            view.setPermissions(PosixFilePermissions.fromString("rw-------"));
        }
        Files.writeString(file, text(properties));
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
