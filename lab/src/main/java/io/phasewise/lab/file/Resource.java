/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.file;

import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/** Files that lie beside classes in a jar. */
public final class Resource {

    private Resource() {}

    /**
     * The text of one, in UTF-8.
     *
     * @param of a class of the same jar
     * @param name as {@link Class#getResourceAsStream} takes it
     * @throws IllegalStateException when there is none
     */
    public static String text(Class<?> of, String name) {
        try (InputStream in = of.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("there is no " + name);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(name, e);
        }
    }

    /** The properties in one, by their names; otherwise as {@link #text}. */
    public static Map<String, String> properties(Class<?> of, String name) {
        Properties read = new Properties();
        try {
            read.load(new StringReader(text(of, name)));
        } catch (IOException e) {
            throw new UncheckedIOException(name, e);
        }
        Map<String, String> all = new TreeMap<>();
        read.forEach((key, value) -> all.put(key.toString(), value.toString()));
        return all;
    }
}
