/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.cluster.access;

import io.phasewise.canary.config.CredentialFiles;
import io.phasewise.canary.supervise.Problem;
import io.phasewise.canary.topic.Failures;
import io.phasewise.common.file.ImpatientRead;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.kafka.common.KafkaException;

/**
 * Holds the admin client of a cluster and replaces it when the files with certificates or passwords
 * change; what it is used for is left to the caller. Used by one thread.
 *
 * <p>Clients read such files once, when they are made. When a file has changed, a new client is
 * made and tried; it replaces the old one only when the cluster accepts it. Otherwise the old one
 * stays in use, and the next call tries again: a faulty file harms nothing that works. Nor does a
 * disk that hangs: another thread reads the files, and while the disk does not answer the client
 * stays as it is.
 *
 * @param <C> the client and what belongs to it
 */
public final class ReplaceableAdmin<C extends ReplaceableAdmin.Client> {
    /** An admin client and what belongs to it. */
    public interface Client {
        /**
         * Asks the cluster something.
         *
         * @throws KafkaException when it does not accept the client
         */
        void check() throws InterruptedException;

        /**
         * Called when this client is the one in use from now on; its predecessor is closed already.
         */
        void use();

        /** Closes it. */
        void close();
    }

    /** How long to wait for the files, whose disk may hang. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private static final String HANGING = "the files with certificates or passwords cannot be read: their disk"
            + " does not answer; the clients keep using what was read before";

    /** Null where there are none: a thread for nothing at each look is dear with many clusters. */
    private final Callable<Map<Path, String>> files;

    private final ImpatientRead<Map<Path, String>> reads;
    private final Supplier<C> factory;
    private final Reports reports;
    private Map<Path, String> inUse = Map.of();
    private Map<Path, String> lastRead = Map.of();
    private C client;

    /**
     * @param cluster its name
     * @param files that its clients are made of
     * @param factory makes a client; throws KafkaException when it cannot
     * @param reports takes refusals
     */
    public ReplaceableAdmin(String cluster, CredentialFiles files, Supplier<C> factory, Reports reports) {
        this(cluster, files.files().isEmpty() ? null : files::fingerprint, factory, reports);
    }

    /** As the other one, with another way to read the files. */
    public ReplaceableAdmin(String cluster, Callable<Map<Path, String>> files, Supplier<C> factory, Reports reports) {
        this.files = files;
        this.reads = new ImpatientRead<>("credentials-" + cluster, PATIENCE);
        this.factory = factory;
        this.reports = reports;
    }

    /**
     * Makes the first client, or a new one where the cluster accepts changed credentials.
     *
     * @return the changed files, as a text for the reader, when the client was replaced: other
     *     clients that are made of these files must be replaced, too. Empty when it was not
     * @throws KafkaException when there is no client and none can be made, for example while the
     *     files hang
     */
    public String refresh() throws InterruptedException {
        Optional<Map<Path, String>> read = read(); // before a client reads them
        if (read.isEmpty()) {
            reports.post("credentials", List.of(new Problem("client", HANGING)));
            if (client == null) {
                throw new KafkaException("the files with certificates or passwords cannot be read");
            }
            return "";
        }
        Map<Path, String> contents = read.get();
        if (client == null) {
            client = factory.get();
            client.use();
            inUse = contents;
            reports.post("credentials", List.of());
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
            reports.post("credentials", List.of());
            return changed;
        } catch (KafkaException e) {
            reports.error("admin", e);
            reports.post("credentials", List.of(refused(changed, e)));
            return "";
        }
    }

    /** Empty while the files hang. */
    private Optional<Map<Path, String>> read() throws InterruptedException {
        if (files == null) {
            return Optional.of(Map.of());
        }
        try {
            Optional<Map<Path, String>> read = reads.read(files);
            read.ifPresent(contents -> lastRead = contents);
            return read;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
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
                "client",
                "%s changed, but the cluster refuses the new content; the clients keep using the old one: %s",
                changed,
                Failures.describe(why));
    }

    /** What is in the files with credentials, as hashes; while they hang, what was read last. */
    public Map<Path, String> credentials() {
        try {
            return read().orElse(lastRead);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return lastRead;
        }
    }

    /** The one in use; null before the first {@link #refresh} and after {@link #close}. */
    public C get() {
        return client;
    }

    /** Closes the client, if there is one; the next {@link #refresh} makes another. */
    public void close() {
        if (client != null) {
            client.close();
            client = null;
        }
    }
}
