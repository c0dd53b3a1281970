/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.timing;

/** Where the time of a request goes, in the order in which it does. */
enum RequestPhase {
    REQUEST_QUEUE("request_queue"),
    LOCAL("local"),
    REMOTE("remote"),
    /** Not part of the total: the client is held back after the answer. */
    THROTTLE("throttle"),
    RESPONSE_QUEUE("response_queue"),
    RESPONSE_SEND("response_send"),
    TOTAL("total");

    /** Value of the label {@code phase}. */
    final String label;

    RequestPhase(String label) {
        this.label = label;
    }
}
