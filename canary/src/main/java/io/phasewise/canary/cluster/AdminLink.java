/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.cluster;

import io.phasewise.canary.config.CredentialFiles;
import io.phasewise.canary.supervise.Problem;
import io.phasewise.canary.topic.Failures;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.kafka.common.KafkaException;

/**
 * Holds the admin client of a cluster and replaces it when the files with certificates or passwords
 * change; what it is used for is left to the caller. Used by one thread.
 *
 * <p>Clients read such files once, when they are made. Where one has changed, a new client tries
 * what is in it; only when the cluster accepts that does it take the place of the old one.
 * Otherwise the old one goes on, and the next call tries again: a faulty file harms nothing that
 * works.
 *
 * @param <C> the client and what belongs to it
 */
final class AdminLink<C extends AdminLink.Client> {
    /** An admin client and what belongs to it. */
    interface Client {
        /**
         * Asks the cluster something.
         *
         * @throws KafkaException when it does not accept the client
         */
        void check() throws InterruptedException;

        /** It is the one in use from now on; its predecessor is closed. */
        void use();

        /** Closes it. */
        void close();
    }

    private final ClusterLink.Name name;
    private final CredentialFiles files;
    private final Supplier<C> factory;
    private final Reports reports;
    private Map<Path, String> inUse = Map.of();
    private C client;

    /**
     * @param name what the cluster is called
     * @param files that its clients are made of
     * @param factory makes a client; throws KafkaException when it cannot
     * @param reports takes refusals
     */
    AdminLink(ClusterLink.Name name, CredentialFiles files, Supplier<C> factory, Reports reports) {
        this.name = name;
        this.files = files;
        this.factory = factory;
        this.reports = reports;
    }

    /**
     * Makes the first client, or a new one where the cluster accepts changed credentials.
     *
     * @return the changed files, for the reader, where a client was replaced, so that others made
     *     of them have to be; empty where none was
     * @throws KafkaException when there is no client and none can be made
     */
    String refresh() throws InterruptedException {
        Map<Path, String> contents = files.fingerprint(); // before a client reads them
        if (client == null) {
            client = factory.get();
            client.use();
            inUse = contents;
            return "";
        }
        String changed = CredentialFiles.changed(inUse, contents).stream()
                .map(Path::toString)
                .collect(Collectors.joining(", "));
        try {
            if (!changed.isEmpty()) {
                C fresh = accepted();
                client.close();
                client = fresh;
                client.use();
                inUse = contents;
            }
            reports.post(name.prefix() + "credentials", List.of());
            return changed;
        } catch (KafkaException e) {
            reports.error("admin", e);
            reports.post(name.prefix() + "credentials", List.of(refused(changed, e)));
            return "";
        }
    }

    private C accepted() throws InterruptedException {
        C fresh = factory.get();
        boolean isAccepted = false;
        try {
            fresh.check();
            isAccepted = true;
            return fresh;
        } finally {
            if (!isAccepted) {
                fresh.close();
            }
        }
    }

    private Problem refused(String changed, KafkaException why) {
        return Problem.of(
                name.prefix() + "client",
                "%s changed, but the %s refuses the new content; the clients keep using the old one: %s",
                changed,
                name.kind(),
                Failures.describe(why));
    }

    /** What is in the files with credentials now, as hashes. */
    Map<Path, String> credentials() {
        return files.fingerprint();
    }

    /** The one in use; null before the first {@link #refresh} and after {@link #close}. */
    C get() {
        return client;
    }

    /** Closes the client, if there is one; the next {@link #refresh} makes another. */
    void close() {
        if (client != null) {
            client.close();
            client = null;
        }
    }
}
