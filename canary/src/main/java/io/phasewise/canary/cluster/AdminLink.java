/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.cluster;

import java.nio.file.Path;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.kafka.common.KafkaException;

/**
 * Holds the admin client of a cluster and replaces it when the files with its credentials change;
 * what it is used for is left to the caller. Used by one thread.
 *
 * <p>The old one is closed only once the new one is there. Where no new one can be made, as of
 * files half replaced, the old one goes on and the next call tries again.
 *
 * @param <C> the client and what belongs to it
 */
final class AdminLink<C extends AdminLink.Client> {
    /** The files with credentials that the clients are made of. */
    interface Credentials {
        /** What is in them now. */
        Map<Path, String> read();

        /**
         * Clients are in use that were made of what the files held.
         *
         * @param contents what {@link #read} said before the first of them was made
         */
        void markInUse(Map<Path, String> contents);

        /**
         * Looks, and tries what has changed.
         *
         * @return the changed files, for the reader; empty when none or not accepted
         */
        String changedAndValid() throws InterruptedException;

        /**
         * Says that no clients can be made of what has changed.
         *
         * @param changed the files
         * @param cause why not
         */
        void refused(String changed, Throwable cause);
    }

    /** An admin client and what belongs to it. */
    interface Client {
        /** It is the one in use from now on; its predecessor is closed. */
        void use();

        /** Closes it. */
        void close();
    }

    private final Credentials credentials;
    private final Supplier<C> factory;
    private C client;

    /**
     * @param credentials knows when a new one is needed
     * @param factory makes one; throws KafkaException when it cannot
     */
    AdminLink(Credentials credentials, Supplier<C> factory) {
        this.credentials = credentials;
        this.factory = factory;
    }

    /**
     * Makes the first client, or a new one where the cluster accepts changed credentials.
     *
     * @return the changed files, for the reader, where a client was replaced, so that others made
     *     of them have to be; empty where none was
     * @throws KafkaException when there is no client and none can be made
     */
    String refresh() throws InterruptedException {
        if (client == null) {
            Map<Path, String> contents = credentials.read();
            client = factory.get();
            client.use();
            credentials.markInUse(contents);
            return "";
        }
        Map<Path, String> contents = credentials.read();
        String changed = credentials.changedAndValid();
        if (changed.isEmpty()) {
            return "";
        }
        C fresh;
        try {
            fresh = factory.get();
        } catch (KafkaException e) {
            credentials.refused(changed, e);
            return "";
        }
        C old = client;
        client = fresh;
        credentials.markInUse(contents);
        old.close();
        fresh.use();
        return changed;
    }

    /** The one in use; null before the first {@link #refresh}. */
    C get() {
        return client;
    }

    /** Closes the client, if there is one. */
    void close() {
        if (client != null) {
            client.close();
            client = null;
        }
    }
}
