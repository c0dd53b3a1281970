/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.kafka;

import io.phasewise.lab.kafka.ClusterPlan.BrokerPlan;
import io.phasewise.lab.security.CertificateAuthority;
import io.phasewise.lab.security.TlsFiles;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.InstantSource;
import org.apache.kafka.common.Uuid;

/** Puts a planned cluster's files in place and formats its storage; starts nothing. */
final class ClusterFiles {

    private final ClusterSettings settings;
    private final ClusterPlan plan;

    ClusterFiles(ClusterSettings settings, ClusterPlan plan) {
        this.settings = settings;
        this.plan = plan;
    }

    /**
     * Writes configuration and certificates and formats the storage that is not yet.
     *
     * @throws IOException when files cannot be written or storage cannot be formatted
     */
    void write() throws IOException {
        if (settings.security() instanceof ListenerSecurity.SaslSsl) {
            writeCertificates();
        }
        for (BrokerPlan node : plan.nodes()) {
            Files.createDirectories(node.configuration().getParent());
            PropertiesFile.write(node.configuration(), node.serverProperties());
            try (InputStream logging =
                    ClusterFiles.class.getResourceAsStream(settings.version().loggingFile())) {
                Files.copy(
                        logging, node.loggingConfiguration(), StandardCopyOption.REPLACE_EXISTING);
            }
        }
        new StorageFormatter(settings.classPath())
                .format(plan.nodes(), clusterId(), plan.scramCredentials());
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
        CertificateAuthority authority =
                new CertificateAuthority("phasewise-lab", InstantSource.system());
        TlsFiles.writeTrustPem(directory.resolve("ca.pem"), authority.certificate());
        TlsFiles.writeKeyPem(
                directory.resolve("broker.pem"),
                authority.issueForThisHost(ClusterPlan.BROKER_COMMON_NAME));
    }
}
