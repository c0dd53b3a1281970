/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.timing;

/**
 * What the advice calls that Kafka's classes call: the one place where state is static, because
 * there is no object to reach it by from there. Public for the same reason. Hands over to {@link
 * RequestTimer} while timing is on, and does nothing otherwise.
 */
public final class RequestHook {

    private static volatile Installation installation;

    private RequestHook() {}

    /**
     * Makes requests arrive at a timer from now on.
     *
     * @return false when there is an installation already: the agent was loaded twice
     */
    static synchronized boolean install(
            RequestTimer timer, ErrorCounts errors, TimingStatus status) {
        if (installation != null) {
            return false;
        }
        installation = new Installation(timer, errors, status);
        return true;
    }

    /** Forgets the installation. */
    static synchronized void uninstall() {
        installation = null;
    }

    /**
     * A request is complete: called as Kafka is about to update its own metrics of it. See {@link
     * RequestTimer#record} for what the parameters mean.
     */
    public static void completed(
            short apiId,
            String apiName,
            boolean follower,
            String clientId,
            long received,
            long dequeued,
            long localComplete,
            long responseComplete,
            long responseDequeued,
            long callback,
            long throttleMillis) {
        long now = System.nanoTime();
        Installation current = installation;
        if (current != null && !current.status.isOff()) {
            current.timer.record(
                    apiId,
                    apiName,
                    follower,
                    clientId,
                    now,
                    received,
                    dequeued,
                    localComplete,
                    responseComplete,
                    responseDequeued,
                    callback,
                    throttleMillis);
        }
    }

    /**
     * A response carries errors.
     *
     * @param api Kafka's name of it
     * @param error a constant of Kafka's enumeration
     * @param count how often
     */
    public static void failedResponse(String api, Enum<?> error, int count) {
        Installation current = installation;
        if (current != null && !current.status.isOff()) {
            current.errors.add(api, error, count);
        }
    }

    /** Something was thrown in the advice or below: timing ends. Never throws. */
    public static void surprised(Throwable surprise) {
        Installation current = installation;
        if (current != null) {
            current.status.giveUp("it failed on a request", surprise);
        }
    }

    private static final class Installation {
        private final RequestTimer timer;
        private final ErrorCounts errors;
        private final TimingStatus status;

        Installation(RequestTimer timer, ErrorCounts errors, TimingStatus status) {
            this.timer = timer;
            this.errors = errors;
            this.status = status;
        }
    }
}
