/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.cluster;

import io.phasewise.canary.config.CredentialFiles;
import io.phasewise.canary.config.KafkaConfig;
import io.phasewise.canary.metrics.ClusterMetrics;
import io.phasewise.canary.status.Problem;
import io.phasewise.canary.status.ProblemBoard;
import io.phasewise.canary.topic.Failures;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;

/**
 * Notices that files with certificates or passwords of a cluster have changed, and says so where
 * the cluster does not accept what is in them now; making clients anew is left to the caller. Used
 * by one thread.
 *
 * <p>Clients read such files once, when they are made. Where one has changed, a new admin client
 * tries what is in it; only when the cluster accepts that are the others to be replaced, so that a
 * faulty file harms nothing that works.
 */
final class CredentialWatch implements AdminLink.Credentials {
    private final KafkaConfig kafka;
    private final String id;
    private final String prefix;
    private final String cluster;
    private final ClusterMetrics metrics;
    private final ProblemBoard board;
    private final CredentialFiles files;
    private Map<Path, String> inUse = Map.of();

    /**
     * @param kafka how to reach the cluster
     * @param id part of the client id of the one that tries
     * @param prefix of the cluster's keys below the profile's, with the dot; empty for its own
     * @param cluster what the reader knows it as
     * @param metrics counts refusals
     * @param board takes the problem
     */
    CredentialWatch(
            KafkaConfig kafka,
            String id,
            String prefix,
            String cluster,
            ClusterMetrics metrics,
            ProblemBoard board) {
        this.kafka = kafka;
        this.id = id;
        this.prefix = prefix;
        this.cluster = cluster;
        this.metrics = metrics;
        this.board = board;
        this.files = CredentialFiles.of(kafka);
    }

    @Override
    public Map<Path, String> read() {
        return files.fingerprint();
    }

    @Override
    public void taken(Map<Path, String> contents) {
        inUse = contents;
    }

    @Override
    public String accepted() throws InterruptedException {
        if (files.isEmpty()) {
            return "";
        }
        String changed =
                CredentialFiles.changed(inUse, files.fingerprint()).stream()
                        .map(Path::toString)
                        .collect(Collectors.joining(", "));
        if (!changed.isEmpty()) {
            try (Admin trial = Admin.create(kafka.adminProperties(id))) {
                trial.describeCluster().nodes().get();
            } catch (ExecutionException | KafkaException e) {
                refused(changed, e instanceof ExecutionException ? e.getCause() : e);
                return "";
            }
        }
        board.post(prefix + "credentials", List.of());
        return changed;
    }

    @Override
    public void refused(String changed, Throwable cause) {
        KafkaException why = cause instanceof KafkaException k ? k : new KafkaException(cause);
        metrics.error("admin", why);
        board.post(
                prefix + "credentials",
                List.of(
                        new Problem(
                                prefix + "client",
                                changed
                                        + " changed, and the "
                                        + cluster
                                        + " does not accept what is in there now; the clients go on"
                                        + " with what they read before: "
                                        + Failures.describe(why))));
    }
}
