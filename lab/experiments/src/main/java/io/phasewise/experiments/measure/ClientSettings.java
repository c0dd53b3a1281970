/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.measure;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The effective settings of a process's Kafka clients, defaults included, as each client logs them
 * when it is made; Kafka writes [hidden] for what is secret.
 */
final class ClientSettings {
    private static final Pattern HEAD =
            Pattern.compile("\\b(Producer|Consumer|AdminClient)Config values: *$");
    private static final Pattern SETTING = Pattern.compile("^\t(\\S+) = (.*)$");

    private ClientSettings() {}

    /**
     * Reads a log: for each kind of client the first that was made.
     *
     * @return by kind: producer, consumer, adminclient
     */
    static Map<String, Map<String, String>> read(Iterable<String> log) {
        Map<String, Map<String, String>> all = new TreeMap<>();
        // Settings of a client that is not the first of its kind are left alone.
        Map<String, String> open = null;
        for (String line : log) {
            Matcher head = HEAD.matcher(line);
            Matcher setting = SETTING.matcher(line);
            if (head.find()) {
                String kind = head.group(1).toLowerCase(Locale.ROOT);
                open = all.containsKey(kind) ? null : new TreeMap<>();
                if (open != null) {
                    all.put(kind, open);
                }
            } else if (!setting.matches()) {
                open = null;
            } else if (open != null) {
                open.put(setting.group(1), setting.group(2));
            }
        }
        return all;
    }
}
