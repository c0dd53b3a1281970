/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.receiver;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.common.auth.BasicAuth;
import io.phasewise.common.auth.PasswordFile;
import io.phasewise.common.tls.ServerTls;
import io.phasewise.common.tls.TlsSource;
import io.phasewise.lab.security.CertificateAuthority;
import io.phasewise.lab.security.TlsFiles;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The receiver with TLS and a password. */
class GuardedReceiverTest {

    @TempDir Path directory;

    private final CertificateAuthority authority =
            new CertificateAuthority("test", InstantSource.system());

    @BeforeEach
    void write() throws IOException {
        TlsFiles.writeKeyPem(
                directory.resolve("server.pem"), authority.issueForThisHost("receiver"));
        Files.writeString(directory.resolve("password"), "hush\n");
    }

    @Test
    void takesAndShowsNothingWithoutThePassword() throws Exception {
        Path pem = directory.resolve("server.pem");
        ServerTls tls = TlsSource.pem(pem, pem).read();
        BasicAuth notifier = new PasswordFile("notifier", directory.resolve("password")).read();
        Files.writeString(directory.resolve("A.md"), "# A\n");
        try (ReceiverServer server =
                new ReceiverServer(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        new ReceiverServer.Access(
                                Optional.of(() -> tls), Optional.of(() -> notifier)),
                        Optional.of(directory),
                        InstantSource.system(),
                        notification -> {})) {
            HttpClient client = HttpClient.newBuilder().sslContext(trusting()).build();

            for (String path : new String[] {"/", "/notifications", "/runbooks/A.md"}) {
                assertThat(status(client, server, path, "")).isEqualTo(401);
                assertThat(status(client, server, path, "notifier:wrong")).isEqualTo(401);
                assertThat(status(client, server, path, "other:hush")).isEqualTo(401);
                assertThat(status(client, server, path, "notifier:hush")).isEqualTo(200);
            }
            assertThat(status(client, server, "/-/healthy", "")).isEqualTo(200);
        }
    }

    private static int status(
            HttpClient client, ReceiverServer server, String path, String credentials)
            throws Exception {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + server.port() + path));
        if (!credentials.isEmpty()) {
            request.header(
                    "Authorization",
                    "Basic "
                            + Base64.getEncoder()
                                    .encodeToString(credentials.getBytes(StandardCharsets.UTF_8)));
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.discarding()).statusCode();
    }

    private SSLContext trusting() throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setCertificateEntry("ca", authority.certificate());
        TrustManagerFactory trust =
                TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }
}
