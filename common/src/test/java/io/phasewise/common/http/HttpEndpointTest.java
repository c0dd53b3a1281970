/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.phasewise.common.auth.BasicAuth;
import io.phasewise.common.tls.SelfSigned;
import io.phasewise.common.tls.ServerTls;
import io.phasewise.common.tls.TlsSource;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HttpEndpointTest {

    private static final int MOST_BYTES = 8;
    private static final String PAGE = "a page\n";

    @TempDir
    Path directory;

    private final List<Exception> faults = new CopyOnWriteArrayList<>();
    private HttpEndpoint endpoint;

    @AfterEach
    void stop() {
        if (endpoint != null) {
            endpoint.close();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "GET,     /,          200, a page",
        "GET,     /metrics,   200, metrics",
        "GET,     /metrics/,  404, not found",
        "GET,     /metricsx,  404, not found",
        "GET,     /-/healthy, 200, healthy",
        "POST,    /,          200, took 2",
        "POST,    /metrics,   405, 'allowed: GET, HEAD'",
        "POST,    /nowhere,   405, 'allowed: GET, HEAD'",
        "DELETE,  /,          405, 'allowed: GET, HEAD, POST'",
        "OPTIONS, /metrics,   405, 'allowed: GET, HEAD'",
        "GET,     /broken,    500, failed; the log says why"
    })
    void answersExactPathsAndWhatIsAllowed(String method, String path, int status, String text) throws Exception {
        serve(whole());

        BodyPublisher body = method.equals("POST") ? BodyPublishers.ofString("hi") : BodyPublishers.noBody();
        HttpResponse<String> answer = send(request("http", path).method(method, body));

        assertThat(answer.statusCode()).isEqualTo(status);
        assertThat(answer.body()).isEqualTo(text + "\n");
        if (status == 405) {
            assertThat("allowed: " + answer.headers().firstValue("Allow").orElse(""))
                    .isEqualTo(text);
        }
    }

    @Test
    void anAnswerIsNotKeptNorRunNorTakenForSomethingElse() throws Exception {
        serve(whole());

        assertThat(get("/metrics").headers().map())
                .containsEntry("cache-control", List.of("no-store"))
                .containsEntry("content-security-policy", List.of("default-src 'none'"))
                .containsEntry("content-type", List.of("text/plain; charset=utf-8"))
                .containsEntry("referrer-policy", List.of("no-referrer"))
                .containsEntry("x-content-type-options", List.of("nosniff"));
        assertThat(get("/").headers().firstValue("Content-Security-Policy")).hasValue("default-src 'self'");
    }

    @Test
    void toHeadThereIsNoBody() throws Exception {
        serve(whole());

        HttpResponse<String> head = send(request("http", "/metrics").method("HEAD", BodyPublishers.noBody()));

        assertThat(head.statusCode()).isEqualTo(200);
        assertThat(head.body()).isEmpty();
        assertThat(head.headers().firstValue("Content-Type")).isPresent();
    }

    @Test
    void aLargeAnswerIsCompressedForWhoTakesItSo() throws Exception {
        serve(whole());
        HttpResponse<byte[]> compressed = plain().send(
                        request("http", "/large")
                                .header("Accept-Encoding", "gzip")
                                .build(),
                        BodyHandlers.ofByteArray());

        assertThat(compressed.headers().firstValue("Content-Encoding")).hasValue("gzip");
        assertThat(new GZIPInputStream(new ByteArrayInputStream(compressed.body())).readAllBytes())
                .asString(StandardCharsets.UTF_8)
                .isEqualTo(PAGE);
        assertThat(get("/large").body()).isEqualTo(PAGE);
        assertThat(get("/large").headers().firstValue("Content-Encoding")).isEmpty();
    }

    @Test
    void aBodyIsTakenUpToTheLimit() throws Exception {
        serve(whole());

        assertThat(post("/", "x".repeat(MOST_BYTES)).body()).isEqualTo("took 8\n");
        assertThat(post("/", "x".repeat(MOST_BYTES + 1)).statusCode()).isEqualTo(413);
        assertThat(post("/", "x".repeat(1 << 16)).statusCode()).isEqualTo(413);
    }

    private static Answer echo(Request asked) {
        String header = asked.header("X-Test").orElseThrow();
        String names = asked.parameters("name[]").toString();
        return Answer.text(200, String.join(" ", asked.path(), asked.query(), names, header));
    }

    @Test
    void aHandlerSeesPathQueryAndHeaders() throws Exception {
        serve(HttpEndpoint.named("test").otherwise(HttpEndpointTest::echo));

        String path = "/a%20b?name%5B%5D=c%26&other=1&name%5B%5D=d";
        assertThat(send(request("http", path).header("X-Test", "it")).body())
                .isEqualTo("/a b name[]=c&&other=1&name[]=d [c&, d] it");
    }

    @Test
    void whatAHandlerThrowsIsReportedAndNotShown() throws Exception {
        serve(whole());

        assertThat(get("/broken").body()).doesNotContain("inside");
        assertThat(faults).singleElement().asString().contains("inside");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/metrics", "/nowhere"})
    void allThatIsNotOpenAsksForUserAndPassword(String path) throws Exception {
        BasicAuth auth = BasicAuth.withPassword("me", "right");
        serve(whole().basicAuth(Optional.of(() -> auth)));

        assertThat(authorized(path, "").statusCode()).isEqualTo(401);
        assertThat(authorized(path, "").headers().firstValue("WWW-Authenticate"))
                .hasValue("Basic realm=\"test\", charset=\"UTF-8\"");
        assertThat(authorized(path, basic("me:wrong")).statusCode()).isEqualTo(401);
        assertThat(authorized(path, basic("other:right")).statusCode()).isEqualTo(401);
        assertThat(authorized(path, "Bearer right").statusCode()).isEqualTo(401);
        assertThat(authorized(path, basic("me")).statusCode()).isEqualTo(400);
        assertThat(authorized(path, "Basic ~").statusCode()).isEqualTo(400);
        assertThat(authorized(path, basic("me:right")).statusCode()).isEqualTo(path.equals("/nowhere") ? 404 : 200);
        assertThat(authorized("/-/healthy", "").statusCode()).isEqualTo(200);
    }

    @Test
    void onlyClientsWithACertificateOfTheAuthorityAreServed() throws Exception {
        SelfSigned server = SelfSigned.of("server");
        SelfSigned client = SelfSigned.of("client");
        Path pem = directory.resolve("server.pem");
        Path authority = directory.resolve("ca.pem");
        server.writePem(pem);
        client.writeCertificate(authority);
        ServerTls tls = TlsSource.pem(pem, pem)
                .withClientAuthority(Optional.of(authority))
                .read();
        serve(whole().tls(Optional.of(() -> tls)));
        HttpRequest request = request("https", "/metrics").build();
        assertThat(client(server, client).send(request, BodyHandlers.ofString()).statusCode())
                .isEqualTo(200);
        for (SelfSigned stranger : new SelfSigned[] {null, SelfSigned.of("stranger")}) {
            HttpClient shut = client(server, stranger);
            assertThatIOException()
                    .isThrownBy(() -> shut.send(request, BodyHandlers.ofString()))
                    .isNotInstanceOf(HttpTimeoutException.class);
        }
    }

    @Test
    void aTakenPortIsNamed() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String address = "127.0.0.1:" + taken.getLocalPort();
            InetSocketAddress same = new InetSocketAddress("127.0.0.1", taken.getLocalPort());
            assertThatIOException()
                    .isThrownBy(() -> whole().bind(same))
                    .withMessageStartingWith("cannot listen on " + address + " (");
        }
    }

    @Test
    void aHostThatIsNoneIsNamed() {
        assertThatIOException()
                .isThrownBy(() -> whole().bind(InetSocketAddress.createUnresolved("nowhere", 9470)))
                .withMessage("cannot listen on nowhere:9470 (no such host)");
    }

    private HttpEndpoint.Builder whole() {
        return HttpEndpoint.named("test")
                .limits(new HttpLimits(2, Duration.ofSeconds(30), Duration.ofSeconds(30), MOST_BYTES))
                .faults(faults::add)
                .open("/-/healthy", asked -> Answer.text(200, "healthy\n"))
                .get("/metrics", asked -> Answer.text(200, "metrics\n"))
                .get("/", asked -> Answer.text(200, PAGE).with("Content-Security-Policy", "default-src 'self'"))
                .post("/", asked -> Answer.text(200, "took " + asked.body().length + "\n"))
                .get("/large", asked -> {
                    Content body = new Content(16);
                    body.write(PAGE.getBytes(StandardCharsets.UTF_8));
                    return Answer.large(200, "text/plain", body);
                })
                .get("/broken", asked -> {
                    throw new IllegalStateException("inside");
                });
    }

    private void serve(HttpEndpoint.Builder builder) throws IOException {
        endpoint = builder.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        endpoint.start();
    }

    private HttpRequest.Builder request(String scheme, String path) {
        URI uri = URI.create(scheme + "://127.0.0.1:" + endpoint.port() + path);
        return HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(30));
    }

    private static HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return plain().send(request.build(), BodyHandlers.ofString());
    }

    private HttpResponse<String> get(String path) throws Exception {
        return send(request("http", path));
    }

    private HttpResponse<String> post(String path, String body) throws Exception {
        return send(request("http", path).POST(BodyPublishers.ofString(body)));
    }

    private HttpResponse<String> authorized(String path, String authorization) throws Exception {
        HttpRequest.Builder request = request("http", path);
        return send(authorization.isEmpty() ? request : request.header("Authorization", authorization));
    }

    private static HttpClient plain() {
        return HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    }

    private static HttpClient client(SelfSigned trusted, SelfSigned own) throws Exception {
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .sslContext(trusted.client(own))
                .build();
    }

    private static String basic(String credentials) {
        return "Basic " + Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8));
    }
}
