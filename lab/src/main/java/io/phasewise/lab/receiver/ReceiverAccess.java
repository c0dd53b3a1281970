/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.receiver;

import com.sun.net.httpserver.Authenticator;
import com.sun.net.httpserver.BasicAuthenticator;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.SslConfigs;
import org.apache.kafka.common.security.ssl.DefaultSslEngineFactory;

/**
 * Who may notify the receiver and read what it keeps: read from files, once.
 *
 * @param context with the receiver's certificate
 * @param login lets through one user
 */
public record ReceiverAccess(SSLContext context, Authenticator login) {

    /**
     * Reads the files.
     *
     * @param tls PEM with certificates and key, as Kafka's clients take it
     * @param user may have no colon
     * @param passwordFile the password and nothing else; white space around it does not count
     * @throws IOException when a file cannot be used; the message says which, and nothing of it
     */
    public static ReceiverAccess of(Path tls, String user, Path passwordFile) throws IOException {
        if (user.isEmpty() || user.contains(":")) {
            throw new IOException("--user: a name without a colon is allowed");
        }
        String password = password(passwordFile);
        return new ReceiverAccess(
                context(tls),
                new BasicAuthenticator("phasewise-receiver", StandardCharsets.UTF_8) {
                    @Override
                    public boolean checkCredentials(String name, String given) {
                        return isEqual(name, user) & isEqual(given, password);
                    }
                });
    }

    private static String password(Path file) throws IOException {
        String password;
        try {
            password = Files.readString(file).strip();
        } catch (IOException e) {
            throw new IOException("--password-file: " + file + " cannot be read", e);
        }
        if (password.isEmpty()) {
            throw new IOException("--password-file: " + file + " is empty");
        }
        return password;
    }

    private static SSLContext context(Path tls) throws IOException {
        try (DefaultSslEngineFactory factory = new DefaultSslEngineFactory()) {
            factory.configure(
                    Map.of(
                            SslConfigs.SSL_PROTOCOL_CONFIG,
                            "TLS",
                            SslConfigs.SSL_CIPHER_SUITES_CONFIG,
                            List.of(),
                            SslConfigs.SSL_ENABLED_PROTOCOLS_CONFIG,
                            List.of(),
                            SslConfigs.SSL_KEYSTORE_TYPE_CONFIG,
                            "PEM",
                            SslConfigs.SSL_KEYSTORE_LOCATION_CONFIG,
                            tls.toString()));
            return factory.sslContext();
        } catch (KafkaException e) {
            throw new IOException(
                    "--tls: "
                            + tls
                            + " cannot be used; allowed: PEM with BEGIN PRIVATE KEY (PKCS 8, no"
                            + " password) and BEGIN CERTIFICATE",
                    e);
        }
    }

    private static boolean isEqual(String one, String other) {
        return MessageDigest.isEqual(
                one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
    }
}
