/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix;

/** Which scene a row is put to; most share one. In the order in which they are started. */
public enum SceneKind {
    /** Nothing special. */
    PLAIN,
    /** Its brokers ask who may do what. */
    SECURED,
    /** One broker's clock can be set. */
    FALSE_CLOCK;

    /** The one that has what a row needs of it. */
    public static SceneKind of(Row.Needs needs) {
        return switch (needs) {
            case NOTHING, ALERTS, PACKET_LOSS, SLOW_DISK -> PLAIN;
            case ACLS -> SECURED;
            case CLOCK -> FALSE_CLOCK;
        };
    }

    /** For people and programs: a directory, a key. */
    public String label() {
        return switch (this) {
            case PLAIN -> "plain";
            case SECURED -> "secured";
            case FALSE_CLOCK -> "clock";
        };
    }
}
