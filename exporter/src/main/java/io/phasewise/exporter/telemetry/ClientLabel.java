/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.telemetry;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** A label that series of clients can have. */
public enum ClientLabel {
    CLIENT_ID,
    GROUP,
    SOFTWARE_NAME,
    SOFTWARE_VERSION;

    /** As a label of a metric, and in the configuration. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The one of that name; empty where there is none. */
    public static Optional<ClientLabel> named(String label) {
        return Arrays.stream(values())
                .filter(each -> each.label().equals(label))
                .findFirst();
    }
}
