/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.cluster;

import io.phasewise.canary.config.CredentialFiles;
import io.phasewise.canary.config.KafkaConfig;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;

/**
 * Notices that files with certificates or passwords of a cluster have changed, and whether the
 * cluster accepts what is in them now; making clients anew is left to the caller. Used by one
 * thread.
 *
 * <p>Clients read such files once, when they are made. Where one has changed, a new admin client
 * tries what is in it; only when the cluster accepts that are the others to be replaced, so that a
 * faulty file harms nothing that works.
 */
final class CredentialWatch {
    private final KafkaConfig kafka;
    private final String id;
    private final CredentialFiles files;
    private Map<Path, String> inUse = Map.of();

    /**
     * What has become of the files.
     *
     * @param changed those that differ from what the clients read, for the reader; empty when none
     *     does
     * @param refusal why the cluster does not accept what is in them; null when it does
     */
    record Change(String changed, KafkaException refusal) {
        static final Change NONE = new Change("", null);
    }

    /**
     * @param kafka how to reach the cluster
     * @param id part of the client id of the one that tries
     */
    CredentialWatch(KafkaConfig kafka, String id) {
        this.kafka = kafka;
        this.id = id;
        this.files = CredentialFiles.of(kafka);
    }

    /** Clients are being made of what is in the files now. */
    void taken() {
        inUse = files.fingerprint();
    }

    /** Looks, and tries what has changed. */
    Change look() throws InterruptedException {
        if (files.isEmpty()) {
            return Change.NONE;
        }
        String changed =
                CredentialFiles.changed(inUse, files.fingerprint()).stream()
                        .map(Path::toString)
                        .collect(Collectors.joining(", "));
        if (changed.isEmpty()) {
            return Change.NONE;
        }
        try (Admin trial = Admin.create(kafka.adminProperties(id))) {
            trial.describeCluster().nodes().get();
            return new Change(changed, null);
        } catch (ExecutionException | KafkaException e) {
            Throwable why = e instanceof ExecutionException ? e.getCause() : e;
            return new Change(
                    changed, why instanceof KafkaException k ? k : new KafkaException(why));
        }
    }
}
