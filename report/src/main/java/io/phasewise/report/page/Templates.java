/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.page;

import io.pebbletemplates.pebble.PebbleEngine;
import io.pebbletemplates.pebble.extension.AbstractExtension;
import io.pebbletemplates.pebble.loader.ClasspathLoader;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/** The templates of this package: Markdown for the words of a report, HTML for its page. */
final class Templates {

    /** What CommonMark would take for the begin of an entity. */
    private static final Pattern ENTITY = Pattern.compile("&(?=#?\\w+;)");

    private static final Pattern MARKS = Pattern.compile("[\\\\`*_|]|](?=[(\\[:])");

    private final PebbleEngine engine;

    private Templates(String escaping, AbstractExtension words) {
        ClasspathLoader loader = new ClasspathLoader(Templates.class.getClassLoader());
        loader.setPrefix(Templates.class.getPackageName().replace('.', '/'));
        this.engine = new PebbleEngine.Builder()
                .loader(loader)
                .extension(words)
                .strictVariables(true)
                .defaultLocale(Locale.ROOT)
                .addEscapingStrategy("markdown", Templates::escaped)
                .defaultEscapingStrategy(escaping)
                .build();
    }

    static Templates markdown(TextFormat words) {
        return new Templates("markdown", words);
    }

    static Templates html() {
        return new Templates("html", new AbstractExtension() {});
    }

    String filled(String name, Map<String, Object> values) {
        StringWriter text = new StringWriter();
        try {
            engine.getTemplate(name).evaluate(text, values);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    /** What comes from a server is text, whatever Markdown would make of it. */
    static String escaped(String text) {
        String marked = MARKS.matcher(text.replace('\n', ' ')).replaceAll("\\\\$0");
        return ENTITY.matcher(marked).replaceAll("&amp;").replace("<", "&lt;");
    }
}
