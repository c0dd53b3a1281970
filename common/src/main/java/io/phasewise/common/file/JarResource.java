/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.file;

import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Reads a text, properties, or a table with cells between semicolons, from beside a class in the
 * jar.
 */
public final class JarResource {

    private JarResource() {}

    /**
     * The whole text.
     *
     * @param beside class in the same package, or any class where the name begins with a slash
     * @throws UncheckedIOException when it is not there: the jar is damaged
     */
    public static String text(Class<?> beside, String name) {
        try (InputStream in = beside.getResourceAsStream(name)) {
            if (in == null) {
                throw new IOException("not found");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("the jar is damaged: " + name, e);
        }
    }

    /**
     * Properties, by their names.
     *
     * @return a new map
     * @throws UncheckedIOException when they are not there: the jar is damaged
     */
    public static Map<String, String> properties(Class<?> beside, String name) {
        Properties read = new Properties();
        try {
            read.load(new StringReader(text(beside, name)));
        } catch (IOException e) {
            throw new UncheckedIOException(name, e);
        }
        Map<String, String> all = new TreeMap<>();
        read.forEach((key, value) -> all.put(key.toString(), value.toString()));
        return all;
    }

    /**
     * The cells of each row, trimmed; what begins with # is a comment.
     *
     * @param columns of the table; the last may hold semicolons
     * @throws UncheckedIOException when it is not there: the jar is damaged
     */
    public static List<String[]> rows(Class<?> beside, String name, int columns) {
        return text(beside, name)
                .lines()
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.split(" *; *", columns))
                .collect(Collectors.toList());
    }
}
