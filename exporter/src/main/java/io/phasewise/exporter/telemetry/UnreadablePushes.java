/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.telemetry;

import io.phasewise.exporter.instrument.CallSite;
import io.phasewise.exporter.instrument.Hook;
import org.apache.kafka.common.errors.InvalidRequestException;

/**
 * Learns of pushes that a broker cannot read: they fail in a network thread, before there is a
 * request, and no metric of Kafka's says so. Public and static because Kafka's class calls it, and
 * only when it closes a connection because of an error: requests that can be read cost nothing.
 */
public final class UnreadablePushes {

    /** How Kafka begins its message, the same from 3.7 to 4.4. */
    private static final String UNREADABLE_PUSH = "Error getting request for apiKey: PUSH_TELEMETRY,";

    private UnreadablePushes() {}

    /**
     * The hook.
     *
     * @param type Kafka's class of its network threads
     */
    static Hook hook(String type) {
        String text = "Ljava/lang/String;";
        String reason = "Ljava/lang/Throwable;";
        return new Hook(
                "push_errors",
                "pushes that the broker cannot read are not counted, everything else goes on",
                () -> {},
                new CallSite(type, "processChannelException", "\\(" + text + text + reason + "\\)V")
                        .begin(UnreadablePushes.class, "closing")
                        .passingArgument(2, reason));
    }

    /**
     * A broker is about to close a connection. Without a lock, and nothing is made.
     *
     * @param reason what went wrong with it
     */
    public static void closing(Throwable reason) {
        PushQueue queue = ClientPushes.queue();
        if (queue != null && reason instanceof InvalidRequestException) {
            String message = reason.getMessage();
            if (message != null && message.startsWith(UNREADABLE_PUSH)) {
                queue.unreadable();
            }
        }
    }
}
