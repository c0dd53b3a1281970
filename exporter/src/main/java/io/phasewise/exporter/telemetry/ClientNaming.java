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

    /** What does not match the pattern has no name of its own. */
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
            return text;
        }
        // Half a character has no encoding: two names would become one.
        boolean between = !Character.isHighSurrogate(text.charAt(LONGEST - 1));
        return text.substring(0, between ? LONGEST : LONGEST - 1);
    }
}
