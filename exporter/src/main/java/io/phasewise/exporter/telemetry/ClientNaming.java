/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.telemetry;

import io.prometheus.metrics.model.snapshots.Labels;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Gives a client the labels that its series have. */
final class ClientNaming {

    /** Stands for all that have no series of their own. */
    static final String OTHER = "other";

    /** Kafka lets an id be 32,767 bytes long; no legend shows more than this. */
    private static final int LONGEST = 120;

    /** Unicode's picture of the control character 0; those of the others follow. */
    private static final int CONTROL_PICTURES = 0x2400;

    private static final int REPLACEMENT_CHARACTER = 0xFFFD;
    private static final int LINE_SEPARATOR = 0x2028;
    private static final int PARAGRAPH_SEPARATOR = 0x2029;

    private final ClientSettings settings;
    private final Labels other;

    ClientNaming(ClientSettings settings) {
        this.settings = settings;
        this.other = labels(label -> OTHER);
    }

    /** Labels of a client; empty where it has no such thing. */
    Labels of(Push.Sender sender, String group) {
        return labels(label -> value(label, sender, group));
    }

    /** Labels of the clients that have no series of their own. */
    Labels other() {
        return other;
    }

    private Labels labels(Function<ClientLabel, String> value) {
        Labels.Builder all = Labels.builder();
        settings.labels.forEach(label -> all.label(label.label(), value.apply(label)));
        return all.build();
    }

    private String value(ClientLabel label, Push.Sender sender, String group) {
        switch (label) {
            case CLIENT_ID:
                return pick(settings.clientId, sender.clientId);
            case GROUP:
                return group.isEmpty() ? "" : pick(settings.group, group);
            case SOFTWARE_NAME:
                return shorten(sender.softwareName);
            default:
                return shorten(sender.softwareVersion);
        }
    }

    /** An id that does not match the pattern has no name of its own. */
    private static String pick(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(shorten(text));
        if (!matcher.matches()) {
            return OTHER;
        }
        String picked = matcher.groupCount() == 0 ? matcher.group() : matcher.group(1);
        return picked == null ? "" : picked;
    }

    private static String shorten(String text) {
        if (text.length() <= LONGEST) {
            return visible(text);
        }
        // Half of a surrogate pair has no encoding: two names would become one.
        boolean between = !Character.isHighSurrogate(text.charAt(LONGEST - 1));
        return visible(text.substring(0, between ? LONGEST : LONGEST - 1));
    }

    /**
     * Control characters as their pictures: a reader of the page may take a carriage return, or
     * another one that ends a line, for the end of the series.
     */
    private static String visible(String text) {
        if (text.chars().noneMatch(ClientNaming::isControl)) {
            return text;
        }
        StringBuilder all = new StringBuilder(text.length());
        text.chars()
                .map(each -> !isControl(each) ? each : each < ' ' ? CONTROL_PICTURES + each : REPLACEMENT_CHARACTER)
                .forEach(each -> all.append((char) each));
        return all.toString();
    }

    private static boolean isControl(int each) {
        return Character.isISOControl(each) || each == LINE_SEPARATOR || each == PARAGRAPH_SEPARATOR;
    }
}
