/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.kafka;

import io.phasewise.common.file.JarResource;
import io.phasewise.lab.kafka.ClusterPlan.BrokerPlan;
import io.phasewise.lab.security.CertificateAuthority;
import io.phasewise.lab.security.TlsFiles;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.common.Uuid;

/** Writes the files of a planned cluster and formats its storage; starts nothing. */
final class ClusterFiles {

    private final ClusterSettings settings;
    private final ClusterPlan plan;

    ClusterFiles(ClusterSettings settings, ClusterPlan plan) {
        this.settings = settings;
        this.plan = plan;
    }

    /**
     * Writes configuration and certificates, and formats storage that is not formatted yet.
     *
     * @throws IOException when files cannot be written or storage cannot be formatted
     */
    void write() throws IOException {
        if (settings.security() instanceof ListenerSecurity.SaslSsl) {
            writeCertificates();
        }
        for (BrokerPlan node : plan.nodes()) {
            Files.createDirectories(node.configuration().getParent());
            write(node.configuration(), node.serverProperties());
            String logging = settings.version().loggingFile();
            Files.writeString(
                    node.configuration().resolveSibling(logging), JarResource.text(ClusterFiles.class, logging));
        }
        new StorageFormatter(settings.classPath()).format(plan.nodes(), clusterId(), plan.scramCredentials());
    }

    private static void write(Path file, Map<String, String> properties) throws IOException {
        Properties all = new Properties();
        all.putAll(properties);
        // There may be passwords in it.
        TlsFiles.makePrivate(file);
        try (Writer out = Files.newBufferedWriter(file)) {
            all.store(out, null);
        }
    }

    private String clusterId() throws IOException {
        Path file = settings.workDirectory().resolve("cluster.id");
        if (Files.exists(file)) {
            return Files.readString(file).strip();
        }
        String id = Uuid.randomUuid().toString();
        Files.createDirectories(settings.workDirectory());
        Files.writeString(file, id + "\n");
        return id;
    }

    private void writeCertificates() throws IOException {
        Path directory = plan.tlsDirectory();
        Files.createDirectories(directory);
        CertificateAuthority authority = new CertificateAuthority("phasewise-lab", InstantSource.system());
        TlsFiles.writeTrustPem(directory.resolve("ca.pem"), authority.certificate());
        TlsFiles.writeKeyPem(
                directory.resolve("broker.pem"), authority.issueForThisHost(ClusterPlan.BROKER_COMMON_NAME));
    }
}
