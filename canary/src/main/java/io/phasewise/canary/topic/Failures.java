/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.topic;

import java.util.concurrent.ExecutionException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;

/** Says a Kafka failure in one line, without secrets and without a stack trace. */
public final class Failures {
    private Failures() {}

    /**
     * One line for the reader: what kind of failure, and what Kafka says about it.
     *
     * @param failure any failure
     */
    public static String describe(Throwable failure) {
        Throwable root = failure;
        // The TLS and SASL layers say what is wrong in the innermost cause.
        while (root.getCause() != null && root.getCause() != root) {
            root = root.getCause();
        }
        String message = message(failure);
        String innermost = root == failure ? "" : message(root);
        String text = failure.getClass().getSimpleName();
        if (!message.isBlank()) {
            text += ": " + message;
        }
        if (!innermost.isBlank() && !message.contains(innermost)) {
            text += " (" + innermost + ")";
        }
        return text.replaceAll("\\s+", " ");
    }

    /**
     * The message, cut before a stack trace: that of a failed login contains the one of its cause.
     */
    private static String message(Throwable failure) {
        String message = failure.getMessage() == null ? "" : failure.getMessage();
        return message.split("\\R\\s*at ", 2)[0];
    }

    /** The failure itself where it is Kafka's own, otherwise a Kafka failure caused by it. */
    public static KafkaException kafkaException(Throwable cause) {
        return cause instanceof KafkaException k ? k : new KafkaException(cause);
    }

    /**
     * Waits for the result of an admin client's call.
     *
     * @throws KafkaException why it failed
     */
    public static <T> T get(KafkaFuture<T> future) throws InterruptedException {
        try {
            return future.get();
        } catch (ExecutionException e) {
            throw kafkaException(e.getCause());
        }
    }
}
