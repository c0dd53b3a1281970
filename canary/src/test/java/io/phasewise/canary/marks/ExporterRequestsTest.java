/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.marks;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.canary.config.ExportersConfig;
import io.phasewise.common.client.BoundedClient;
import io.phasewise.lab.security.CertificateAuthority;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One exporter's certificate is refused, and the others are asked by the same client. */
@Timeout(60)
class ExporterRequestsTest {
    @TempDir
    private Path directory;

    private final AtomicInteger connections = new AtomicInteger();
    private long now;
    private Path ca;
    private ServerSocket healthy;
    private ExporterRequests requests;

    @BeforeEach
    void serve() throws Exception {
        ca = directory.resolve("ca.pem");
        Files.writeString(ca, authority());
        healthy = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread server = new Thread(this::accept);
        server.setDaemon(true);
        server.start();
        ExportersConfig config = new ExportersConfig(
                Optional.empty(), Map.of(), false, Optional.of(ca), Optional.empty(), Optional.empty());
        requests = new ExporterRequests(
                config,
                "access",
                BoundedClient.Limits.of(Duration.ofSeconds(20), 1 << 10),
                InetAddress::getByName,
                () -> now);
    }

    @AfterEach
    void stop() throws IOException {
        healthy.close();
    }

    @Test
    void theOthersKeepTheirConnections() throws Exception {
        for (int i = 0; i < 200; i++) {
            assertThat(status()).isEqualTo(200);
            requests.renew();
            later(Duration.ofSeconds(1));
        }
        assertThat(connections.get()).isEqualTo(1);
    }

    /** A file is half written for a moment whenever it is replaced. */
    @Test
    void authoritiesThatCannotBeReadTakeNothingFromTheOthers() throws Exception {
        assertThat(status()).isEqualTo(200);
        Files.writeString(ca, "half");
        requests.renew();
        assertThat(status()).isEqualTo(200);
        assertThat(connections.get()).isEqualTo(1);
    }

    @Test
    void newAuthoritiesAreTakenWithinAMinute() throws Exception {
        assertThat(status()).isEqualTo(200);
        requests.renew();
        assertThat(status()).isEqualTo(200);
        Files.writeString(ca, authority());
        later(Duration.ofMinutes(1));
        requests.renew();
        assertThat(status()).isEqualTo(200);
        assertThat(connections.get()).as("a client that trusts them").isEqualTo(2);
    }

    private void later(Duration by) {
        now += by.toNanos();
    }

    private int status() throws Exception {
        return requests.get("127.0.0.1:" + healthy.getLocalPort(), "/marks")
                .get(30, TimeUnit.SECONDS)
                .statusCode();
    }

    private static String authority() throws Exception {
        byte[] certificate = new CertificateAuthority("test", Clock.systemUTC())
                .certificate()
                .getEncoded();
        return "-----BEGIN CERTIFICATE-----\n"
                + Base64.getMimeEncoder().encodeToString(certificate)
                + "\n-----END CERTIFICATE-----\n";
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = healthy.accept();
                connections.incrementAndGet();
                Thread one = new Thread(() -> answer(socket));
                one.setDaemon(true);
                one.start();
            }
        } catch (IOException closed) {
            // The test is over.
        }
    }

    private static void answer(Socket socket) {
        try (socket) {
            InputStream in = socket.getInputStream();
            ByteArrayOutputStream head = new ByteArrayOutputStream();
            for (int each = in.read(); each >= 0; each = in.read()) {
                head.write(each);
                if (head.toString(StandardCharsets.US_ASCII).endsWith("\r\n\r\n")) {
                    head.reset();
                    socket.getOutputStream()
                            .write("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx".getBytes(StandardCharsets.US_ASCII));
                }
            }
        } catch (IOException gone) {
            // So is the client.
        }
    }
}
