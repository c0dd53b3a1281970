/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.cluster;

import io.phasewise.canary.config.CredentialFiles;
import io.phasewise.canary.config.KafkaConfig;
import io.phasewise.canary.supervise.Problem;
import io.phasewise.canary.topic.Failures;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;

/**
 * Notices that files with certificates or passwords of a cluster have changed, and says so where
 * the cluster does not accept what is in them now; making clients again is left to the caller. Used
 * by one thread.
 *
 * <p>Clients read such files once, when they are made. Where one has changed, a new admin client
 * tries what is in it; only when the cluster accepts that are the others to be replaced, so that a
 * faulty file harms nothing that works.
 */
final class CredentialWatch implements AdminLink.Credentials {
    private final KafkaConfig kafka;
    private final List<CredentialFiles> files;
    private final String id;
    private final String prefix;
    private final String cluster;
    private final Reports reports;
    private Map<Path, String> inUse = Map.of();

    /**
     * @param clients how its clients reach the cluster; the first for the one that tries
     * @param id part of the client id of that one
     * @param prefix of the cluster's keys below the profile's, with the dot; empty for its own
     * @param cluster what the reader knows it as
     * @param reports takes refusals
     */
    CredentialWatch(
            List<KafkaConfig> clients, String id, String prefix, String cluster, Reports reports) {
        this.kafka = clients.get(0);
        this.files = clients.stream().map(CredentialFiles::of).toList();
        this.id = id;
        this.prefix = prefix;
        this.cluster = cluster;
        this.reports = reports;
    }

    @Override
    public Map<Path, String> read() {
        Map<Path, String> contents = new TreeMap<>();
        files.forEach(each -> contents.putAll(each.fingerprint()));
        return contents;
    }

    @Override
    public void markInUse(Map<Path, String> contents) {
        inUse = contents;
    }

    @Override
    public String changedAndValid() throws InterruptedException {
        if (files.stream().allMatch(CredentialFiles::isEmpty)) {
            return "";
        }
        String changed =
                CredentialFiles.changed(inUse, read()).stream()
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
        reports.post(prefix + "credentials", List.of());
        return changed;
    }

    @Override
    public void refused(String changed, Throwable cause) {
        KafkaException why = cause instanceof KafkaException k ? k : new KafkaException(cause);
        reports.error("admin", why);
        reports.post(
                prefix + "credentials",
                List.of(
                        new Problem(
                                prefix + "client",
                                ("%s changed, and the %s does not accept what is in there now; the"
                                                + " clients go on with what they read before: %s")
                                        .formatted(changed, cluster, Failures.describe(why)))));
    }
}
