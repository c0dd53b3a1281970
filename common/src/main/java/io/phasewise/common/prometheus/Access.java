/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.prometheus;

import io.phasewise.common.file.UnusableFileException;
import io.phasewise.common.tls.Pem;
import io.phasewise.common.tls.Pkcs12;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;

/** Where the server is and how one gets in. Its text shows no secret. */
public final class Access {

    private static final Duration CONNECT = Duration.ofSeconds(10);
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final URI server;
    private final Map<String, String> headers;
    private final Duration patience;

    /**
     * @param server its address, with the path before {@code /api/v1} where there is one (Mimir:
     *     {@code /prometheus})
     * @param headers sent with each request: authorization, a tenant
     * @param patience how long one answer may take, to its last byte
     */
    public Access(URI server, Map<String, String> headers, Duration patience) {
        this.server = server;
        this.headers = headers;
        this.patience = patience;
    }

    /** Without authorization, over plain HTTP or with Java's own authorities; for 20 s. */
    public static Access open(URI server) {
        return new Access(server, Map.of(), PATIENCE);
    }

    /** The header for a user and a password. */
    public static String basic(String user, String password) {
        return "Basic " + Base64.getEncoder().encodeToString((user + ":" + password).getBytes(StandardCharsets.UTF_8));
    }

    /**
     * A client that trusts and shows what is asked for.
     *
     * @param certificates PEM file of the authorities to trust in place of Java's own
     * @param identity PKCS#12 file with a certificate and key to show
     * @param identityPassword of that file; may be empty
     * @throws UnusableFileException names the option whose file cannot be used
     * @throws GeneralSecurityException when this JVM cannot use what is in the files
     */
    public static HttpClient client(Optional<Path> certificates, Optional<Path> identity, String identityPassword)
            throws UnusableFileException, GeneralSecurityException {
        if (certificates.isEmpty() && identity.isEmpty()) {
            return plain().build();
        }
        KeyManager[] keys = null;
        TrustManager[] authorities = null;
        if (identity.isPresent()) {
            char[] password = identityPassword.toCharArray();
            keys = Pkcs12.keys("--client-certificate", identity.get(), password).getKeyManagers();
        }
        if (certificates.isPresent()) {
            authorities = Pem.authorities("--ca-file", certificates.get()).getTrustManagers();
        }
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys, authorities, null);
        return plain().sslContext(context).build();
    }

    static HttpClient.Builder plain() {
        return HttpClient.newBuilder()
                // With HTTP/2, Java's client would wait until its time is over where a server
                // refuses it because it has no certificate: in TLS 1.3 the refusal comes after the
                // handshake, and gets lost before the request.
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(CONNECT)
                .followRedirects(HttpClient.Redirect.NEVER);
    }

    /**
     * Whether the server is on this host, where to compress an answer costs more than to send it.
     */
    boolean near() {
        return Set.of("localhost", "127.0.0.1", "[::1]").contains(server.getHost());
    }

    /** How long one answer may take, to its last byte. */
    Duration patience() {
        return patience;
    }

    /** Whether it is reached over TLS. */
    public boolean encrypted() {
        return "https".equalsIgnoreCase(server.getScheme());
    }

    /**
     * A request with the headers.
     *
     * @param path of the API, below {@code /api/v1/}
     */
    HttpRequest.Builder request(String path) {
        URI uri = URI.create(server.toString().replaceAll("/+$", "") + "/api/v1/" + path);
        HttpRequest.Builder request = HttpRequest.newBuilder(uri);
        headers.forEach(request::header);
        return request;
    }

    @Override
    public String toString() {
        return server.toString();
    }
}
