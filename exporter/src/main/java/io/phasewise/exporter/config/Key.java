/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.config;

import io.phasewise.common.file.JarResource;
import io.phasewise.common.time.Durations;
import io.phasewise.exporter.telemetry.ClientLabel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A key of the configuration file: a row of the table keys.csv, and how a text becomes a value. */
final class Key {

    /** The table, in its order. */
    static final List<Key> ALL =
            JarResource.rows(Key.class, "keys.csv", 6).stream().map(Key::new).collect(Collectors.toUnmodifiableList());

    /** With dots. */
    final String name;

    /** As it would be in the file; empty for none. */
    final String byDefault;

    final String help;
    private final String type;
    private final int least;
    private final int most;

    private Key(String[] row) {
        this.name = row[0];
        this.type = row[1];
        this.byDefault = row[2];
        this.least = row[3].isEmpty() ? 0 : Integer.parseInt(row[3]);
        this.most = row[4].isEmpty() ? 0 : Integer.parseInt(row[4]);
        this.help = row[5];
    }

    /**
     * The key of that name.
     *
     * @throws IllegalArgumentException when there is none
     */
    static Key named(String name) {
        return ALL.stream()
                .filter(key -> key.name.equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no key " + name));
    }

    /** The value where the file has none; null where there is no default. */
    Object valueByDefault() {
        return byDefault.isEmpty() ? null : read(byDefault, least);
    }

    /**
     * The value that a text in the file stands for.
     *
     * @param raised the least number that is allowed, where it is more than the table's
     * @throws IllegalArgumentException when it is not allowed; the message says what is
     */
    Object read(String text, int raised) {
        int from = Math.max(least, raised);
        String problem = "";
        try {
            Object value = value(text, from);
            if (value != null) {
                return value;
            }
        } catch (PatternSyntaxException e) {
            problem = ": " + e.getDescription();
        }
        throw new IllegalArgumentException("'" + text + "': allowed is " + allowed(from) + problem);
    }

    /** Null when it is not allowed. */
    private Object value(String text, int from) {
        switch (type) {
            case "number":
                int number = text.matches("\\d{1,9}") ? Integer.parseInt(text) : -1;
                return number >= from && number <= most ? number : null;
            case "duration":
                Duration duration = Durations.isDuration(text) ? Durations.parse(text) : null;
                return duration != null && isWithin(duration, from) ? duration : null;
            case "flag":
                return text.equals("true") || text.equals("false") ? Boolean.valueOf(text) : null;
            case "pattern":
                return Pattern.compile(text, Pattern.DOTALL);
            case "labels":
                return labels(text);
            case "text":
                return text.isEmpty() ? null : text;
            default:
                return text;
        }
    }

    private boolean isWithin(Duration duration, int from) {
        return duration.compareTo(Duration.ofSeconds(from)) >= 0 && duration.compareTo(Duration.ofSeconds(most)) <= 0;
    }

    private static List<ClientLabel> labels(String text) {
        List<ClientLabel> labels = new ArrayList<>();
        for (String name : text.split(",", -1)) {
            Optional<ClientLabel> label = ClientLabel.named(name.strip());
            if (label.isEmpty() || labels.contains(label.get())) {
                return null;
            }
            labels.add(label.get());
        }
        return labels;
    }

    /** What a value may be, in words. */
    String allowed() {
        return type.equals("any") ? "any text" : allowed(least);
    }

    private String allowed(int from) {
        switch (type) {
            case "number":
                return "a number from " + from + " to " + most;
            case "duration":
                return Durations.show(Duration.ofSeconds(from)) + " to " + Durations.show(Duration.ofSeconds(most))
                        + ", in " + Durations.UNITS;
            case "flag":
                return "true or false";
            case "pattern":
                return "a regular expression";
            case "labels":
                return Stream.of(ClientLabel.values())
                        .map(ClientLabel::label)
                        .collect(Collectors.joining(", ", "some of ", ", each once, with a comma between"));
            default:
                return "a text that is not empty";
        }
    }
}
