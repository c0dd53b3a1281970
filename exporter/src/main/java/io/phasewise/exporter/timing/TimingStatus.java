/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.timing;

import java.util.function.Consumer;

/**
 * Whether requests are being timed. Once off it stays off: the broker goes on as if there were no
 * agent, and the reason is logged once.
 */
final class TimingStatus {

    private final Consumer<String> errorLog;
    private volatile boolean active;
    private volatile boolean off;
    private volatile String kafkaVersion = "unknown";

    /**
     * @param errorLog takes one line
     */
    TimingStatus(Consumer<String> errorLog) {
        this.errorLog = errorLog;
    }

    /** Requests are timed from now on, unless that was given up already. */
    void activate() {
        active = true;
    }

    /**
     * Gives up timing; only the first reason is logged. Never throws.
     *
     * @param what could not be done
     * @param cause what went wrong
     */
    void giveUp(String what, Throwable cause) {
        synchronized (this) {
            if (off) {
                return;
            }
            off = true;
        }
        try {
            StackTraceElement[] trace =
                    cause == null ? new StackTraceElement[0] : cause.getStackTrace();
            errorLog.accept(
                    "request timing is off, everything else goes on: "
                            + what
                            + (cause == null ? "" : ": " + cause)
                            + (trace.length == 0 ? "" : " at " + trace[0]));
        } catch (Throwable loggingFailed) {
            // There is nobody left to tell.
        }
    }

    boolean isOff() {
        return off;
    }

    boolean isActive() {
        return active && !off;
    }

    /** Kafka's version, {@code unknown} until its classes are seen. */
    String kafkaVersion() {
        return kafkaVersion;
    }

    void kafkaVersion(String version) {
        kafkaVersion = version;
    }
}
