/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.receiver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.phasewise.common.auth.BasicAuth;
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
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the receiver takes, keeps and shows; the rules of its endpoint are tested in common. */
class ReceiverServerTest {

    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
    private static final String HEALTHY = "/-/healthy";

    private final HttpClient client = HttpClient.newHttpClient();
    private final List<Notification> told = new CopyOnWriteArrayList<>();

    @TempDir
    private Path directory;

    @AutoClose
    private ReceiverServer server = start(ReceiverServer.Access.OPEN, Optional.empty());

    ReceiverServerTest() throws IOException {}

    private ReceiverServer start(ReceiverServer.Access access, Optional<Path> runbooks) throws IOException {
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        return new ReceiverServer(any, access, runbooks, () -> NOW, told::add);
    }

    private void restart(ReceiverServer.Access access, Optional<Path> runbooks) throws IOException {
        server.close();
        server = start(access, runbooks);
    }

    @Test
    void keepsAndTellsWhatAlertmanagerSends() throws Exception {
        assertThat(post(webhook("CanaryDown", "firing")).statusCode()).isEqualTo(200);

        assertThat(told).hasSize(1);
        Notification notification = told.get(0);
        assertThat(notification.receivedAt()).isEqualTo(NOW.toString());
        assertThat(notification.alerts().get(0).label("alertname")).isEqualTo("CanaryDown");
        assertThat(notification.alerts().get(0).summary()).isEqualTo("nobody measures");
        assertThat(new NotificationJson().read(get("/notifications").body().getBytes()))
                .containsExactly(notification);
    }

    @Test
    void listsTheNewestFirstAndOnlyWhatIsNewerWhenAsked() throws Exception {
        post(webhook("First", "firing"));
        post(webhook("Second", "firing"));

        assertThat(ids("/notifications")).containsExactly(2L, 1L);
        assertThat(ids("/notifications?after=1")).containsExactly(2L);
        assertThat(ids("/notifications?after=2")).isEmpty();
    }

    @Test
    void keepsTheLastOnesOnly() throws Exception {
        for (int i = 0; i <= ReceiverServer.CAPACITY; i++) {
            post(webhook("Again", "firing"));
        }

        assertThat(ids("/notifications")).hasSize(ReceiverServer.CAPACITY).doesNotContain(1L);
    }

    @Test
    void thePageIsTextWhateverComesFromOutside() throws Exception {
        assertThat(get("/").body()).isEqualTo("No notification so far.\n");

        post(webhook("<script>alert(1)</script>", "firing"));
        post(webhook("Second", "resolved"));
        HttpResponse<String> page = get("/");

        assertThat(page.headers().firstValue("Content-Type")).hasValue("text/plain; charset=utf-8");
        assertThat(page.headers().firstValue("X-Content-Type-Options")).hasValue("nosniff");
        assertThat(page.body())
                .startsWith("03:04:05  RESOLVED  Second  ")
                .contains("03:04:05  FIRING    <script>alert(1)</script>  severity=page");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    {                                                     | end-of-input
                    ''                                                    | No content
                    []                                                    | Cannot deserialize
                    null                                                  | alerts
                    {"status":"firing"}                                   | alerts
                    {"status":"firing","alerts":[]}                       | alerts
                    {"status":"on","alerts":[{"status":"firing"}]}        | must be firing or resolved
                    {"status":"firing","alerts":[{"status":"on"}]}        | must be firing or resolved
                    {"alerts":[{"status":"firing"}]}                      | must be firing or resolved
                    {"status":"firing","alerts":[1]}                      | "alerts"]
                    {"status":"firing","alerts":[{"status":"firing","labels":{"a":[]}}]} | "labels"]
                    {"status":"firing","alerts":[{"status":"firing"}]} x  | 'x'
                    """)
    void refusesWhatIsNoNotificationAndSaysWhy(String body, String reason) throws Exception {
        HttpResponse<String> response = post(body);

        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(response.body()).contains(reason);
        assertThat(told).isEmpty();
    }

    @Test
    void refusesABodyThatIsTooLarge() throws Exception {
        assertThat(post(" ".repeat(ReceiverServer.MAX_BODY + 1)).statusCode()).isEqualTo(413);
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /-/healthy, 200",
        "GET, /other, 404",
        "GET, /notifications?after=x, 400",
        "GET, /runbooks/CanaryDown.md, 404",
        "DELETE, /, 405",
    })
    void answersOtherPathsMethodsAndQueries(String method, String path, int status) throws Exception {
        HttpResponse<String> answer = send(to(path).method(method, BodyPublishers.noBody()));

        assertThat(answer.statusCode()).isEqualTo(status);
        assertThat(answer.headers().firstValue("Allow").orElse("")).isEqualTo(status == 405 ? "GET, HEAD, POST" : "");
    }

    @Test
    void showsTheRunbooksOfADirectoryAndNothingElseOfIt() throws Exception {
        Path runbooks = Files.createDirectory(directory.resolve("runbooks"));
        Files.writeString(runbooks.resolve("CanaryDown.md"), "# CanaryDown\n");
        Files.writeString(directory.resolve("secret.md"), "hush\n");
        restart(ReceiverServer.Access.OPEN, Optional.of(runbooks));

        HttpResponse<String> page = get("/runbooks/CanaryDown.md");
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.body()).isEqualTo("# CanaryDown\n");
        assertThat(page.headers().firstValue("Content-Type")).hasValue("text/plain; charset=utf-8");
        for (String other : List.of("", "Absent.md", "%2e%2e%2fsecret.md", "../runbooks/../secret.md")) {
            assertThat(get("/runbooks/" + other).statusCode()).as(other).isEqualTo(404);
        }
        assertThat(send(to("/runbooks/CanaryDown.md").POST(BodyPublishers.noBody()))
                        .statusCode())
                .isEqualTo(405);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/notifications", "/runbooks/A.md"})
    void showsNothingWithoutThePasswordButThatItLives(String path) throws Exception {
        Files.writeString(directory.resolve("A.md"), "# A\n");
        BasicAuth notifier = BasicAuth.withPassword("notifier", "hush");
        restart(new ReceiverServer.Access(Optional.empty(), Optional.of(() -> notifier)), Optional.of(directory));

        assertThat(get(path).statusCode()).isEqualTo(401);
        assertThat(withPassword(path, "wrong")).isEqualTo(401);
        assertThat(withPassword(path, "hush")).isEqualTo(200);
        assertThat(get(HEALTHY).statusCode()).isEqualTo(200);
    }

    private int withPassword(String path, String password) throws Exception {
        byte[] login = ("notifier:" + password).getBytes(StandardCharsets.UTF_8);
        String header = "Basic " + Base64.getEncoder().encodeToString(login);
        return send(to(path).header("Authorization", header)).statusCode();
    }

    @Test
    void withACertificateItDoesNotSpeakInTheClear() throws Exception {
        Path pem = directory.resolve("server.pem");
        CertificateAuthority authority = new CertificateAuthority("test", InstantSource.system());
        TlsFiles.writeKeyPem(pem, authority.issueForThisHost("receiver"));
        ServerTls tls = TlsSource.pem(pem, pem).read();
        assertThat(get(HEALTHY).statusCode()).isEqualTo(200);

        restart(new ReceiverServer.Access(Optional.of(() -> tls), Optional.empty()), Optional.empty());

        assertThatThrownBy(() -> get(HEALTHY)).isInstanceOf(IOException.class);
    }

    private List<Long> ids(String path) throws Exception {
        return new NotificationJson()
                .read(get(path).body().getBytes()).stream()
                        .map(Notification::id)
                        .toList();
    }

    private HttpResponse<String> get(String path) throws Exception {
        return send(to(path));
    }

    private HttpResponse<String> post(String body) throws Exception {
        return send(to("/").POST(BodyPublishers.ofString(body)));
    }

    private HttpRequest.Builder to(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path));
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return client.send(request.build(), BodyHandlers.ofString());
    }

    private static String webhook(String alert, String status) {
        return """
        {"version":"4","groupKey":"{}","status":"%2$s","receiver":"local","groupLabels":{},
         "alerts":[{"status":"%2$s","labels":{"alertname":"%1$s","severity":"page","cluster":"local"},
           "annotations":{"summary":"nobody measures"},"startsAt":"2026-01-02T03:04:00Z",
           "endsAt":"0001-01-01T00:00:00Z","generatorURL":"javascript:alert(1)","fingerprint":"1"}]}
        """.formatted(alert, status);
    }
}
