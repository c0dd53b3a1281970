/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.phasewise.common.client.BoundedClient.Limits;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Servers that stop in the middle of an answer, or send far too much of it. */
@Timeout(60)
class BoundedClientTest {

    private static final Duration BOUND = Duration.ofSeconds(20);
    private static final Limits SHORT = Limits.of(Duration.ofMillis(500), 1_000);
    private static final Limits LONG = Limits.of(Duration.ofSeconds(40), 1_000);
    private static final String HEADERS = "HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n";

    private static final Pattern OTHER_WAYS =
            Pattern.compile("BodyHandlers\\.of|BodySubscribers\\.of|URLConnection|\\.openStream\\(\\)");

    private final CountDownLatch over = new CountDownLatch(1);
    private final BoundedClient client = new BoundedClient(
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build());
    private StubServer server;

    @AfterEach
    void close() throws IOException {
        over.countDown();
        if (server != null) {
            server.close();
        }
    }

    /** Where a server stops. */
    enum Stop {
        BEFORE_THE_HEADERS(""),
        WITHIN_THE_HEADERS("HTTP/1.1 200 OK\r\nContent-"),
        AFTER_THE_HEADERS(HEADERS),
        WITHIN_THE_BODY(HEADERS + "half");

        final String sent;

        Stop(String sent) {
            this.sent = sent;
        }
    }

    @ParameterizedTest
    @EnumSource
    void theTimeLimitHoldsToTheLastByte(Stop stop) throws Exception {
        stops(stop);

        assertThatThrownBy(() -> client.send(server.request(), SHORT)).isInstanceOf(HttpTimeoutException.class);

        await("the connection is closed").atMost(BOUND).until(() -> server.closed() == 1);
    }

    @ParameterizedTest
    @EnumSource
    void soItDoesForAnAnswerThatIsReadAsItArrives(Stop stop) throws Exception {
        stops(stop);

        assertThatThrownBy(() -> {
                    try (StreamedAnswer answer = client.stream(server.request(), SHORT)) {
                        answer.body().readAllBytes();
                    }
                })
                .isInstanceOf(HttpTimeoutException.class);

        await("the connection is closed").atMost(BOUND).until(() -> server.closed() == 1);
    }

    @ParameterizedTest
    @EnumSource
    void silenceEndsAnAnswerThatIsReadAsItArrivesLongBeforeItsTimeIsOver(Stop stop) throws Exception {
        stops(stop);

        assertThatThrownBy(() -> {
                    try (StreamedAnswer answer =
                            client.stream(server.request(), LONG.silence(Duration.ofMillis(300)))) {
                        answer.body().readAllBytes();
                    }
                })
                .isInstanceOf(HttpTimeoutException.class);

        await("the connection is closed").atMost(BOUND).until(() -> server.closed() == 1);
    }

    @Test
    void anAnswerThatTricklesIsNotSilent() throws Exception {
        server = new StubServer(out -> {
            out.write(StubServer.ascii("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 30\r\n\r\n"));
            for (int i = 0; i < 30; i++) {
                out.write('x');
                out.flush();
                over.await(50, java.util.concurrent.TimeUnit.MILLISECONDS);
            }
        });

        try (StreamedAnswer answer = client.stream(server.request(), LONG.silence(Duration.ofSeconds(1)))) {
            assertThat(answer.header("content-length")).hasValue("30");
            assertThat(answer.body().readAllBytes()).hasSize(30);
        }
    }

    @Test
    void bytesThatTrickleDoNotPutTheEndOff() throws Exception {
        server = new StubServer(out -> {
            out.write(StubServer.ascii(HEADERS));
            while (true) {
                out.write('x');
                out.flush();
                over.await(20, java.util.concurrent.TimeUnit.MILLISECONDS);
            }
        });

        assertThatThrownBy(() -> client.send(server.request(), SHORT)).isInstanceOf(HttpTimeoutException.class);
    }

    @Test
    void anAnswerThatIsTooLargeIsBrokenOff() throws Exception {
        endless();

        assertThatThrownBy(() -> client.send(server.request(), LONG))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("larger than the 1000 bytes");
        assertThatThrownBy(() -> {
                    try (StreamedAnswer answer = client.stream(server.request(), LONG)) {
                        answer.body().readAllBytes();
                    }
                })
                .hasMessageContaining("larger than the 1000 bytes");
        await("the connections are closed").atMost(BOUND).until(() -> server.closed() == 2);
    }

    @Test
    void whatBeginsOtherwiseIsBrokenOff() throws Exception {
        endless();
        Limits limits = Limits.of(Duration.ofSeconds(40), 1L << 40).beginning(StubServer.ascii("marks"));

        assertThatThrownBy(() -> client.send(server.request(), limits))
                .hasMessageContaining("not of the expected kind");
        await("the connection is closed").atMost(BOUND).until(() -> server.closed() == 1);
    }

    @Test
    void theSizeLimitHoldsForWhatIsDecompressed() throws Exception {
        ByteArrayOutputStream small = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(small)) {
            gzip.write(new byte[100_000]);
        }
        assertThat(small.size()).isLessThan(1_000);
        server = new StubServer(out -> {
            out.write(StubServer.ascii(
                    "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: " + small.size() + "\r\n\r\n"));
            small.writeTo(out);
        });

        assertThatThrownBy(() -> {
                    try (StreamedAnswer answer = client.stream(server.request(), LONG)) {
                        answer.body().readAllBytes();
                    }
                })
                .hasMessageContaining("larger than the 1000 bytes");
    }

    @Test
    void whatIsWithinTheLimitsArrivesWhole() throws Exception {
        server = new StubServer(out -> out.write(
                StubServer.ascii("HTTP/1.1 201 Created\r\nConnection: close\r\nContent-Length: 5\r\n\r\nmarks")));
        Limits limits = LONG.beginning(StubServer.ascii("marks"));

        assertThat(client.send(server.request(), limits).body())
                .asString(StandardCharsets.US_ASCII)
                .isEqualTo("marks");
        try (StreamedAnswer answer = client.stream(server.request(), LONG)) {
            assertThat(answer.status()).isEqualTo(201);
            assertThat(answer.body().readAllBytes())
                    .asString(StandardCharsets.US_ASCII)
                    .isEqualTo("marks");
        }
    }

    @Test
    void whoeverCancelsClosesTheConnection() throws Exception {
        stops(Stop.WITHIN_THE_BODY);
        CompletableFuture<?> answer = client.sendAsync(server.request(), LONG);
        await("it is asked").atMost(BOUND).until(() -> server.connections() == 1);

        answer.cancel(true);

        await("the connection is closed").atMost(BOUND).until(() -> server.closed() == 1);
    }

    @Test
    void aServerThatIsNotThereIsSaidAsIs() throws Exception {
        server = new StubServer(out -> {});
        server.close();

        assertThatThrownBy(() -> client.send(server.request(), LONG)).isInstanceOf(java.net.ConnectException.class);
    }

    /** Of every module: another way to ask would be one without limits. */
    @Test
    void noMainClassAsksInAnotherWay() throws IOException {
        Path root = Path.of("").toAbsolutePath().getParent();
        List<String> others = new ArrayList<>();
        int read = 0;
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : files.filter(BoundedClientTest::isMainClass).collect(Collectors.toList())) {
                read++;
                String text = Files.readString(file);
                if (OTHER_WAYS.matcher(text).find() && !file.toString().contains("/common/client/")) {
                    others.add(root.relativize(file).toString());
                }
            }
        }

        assertThat(read).as("classes of all modules").isGreaterThan(300);
        assertThat(others).isEmpty();
    }

    private static boolean isMainClass(Path file) {
        String name = file.toString();
        return name.endsWith(".java") && name.contains("/src/main/");
    }

    private void stops(Stop stop) throws IOException {
        server = new StubServer(out -> {
            out.write(StubServer.ascii(stop.sent));
            out.flush();
            over.await();
        });
    }

    private void endless() throws IOException {
        server = new StubServer(out -> {
            out.write(StubServer.ascii("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n"));
            byte[] much = new byte[1 << 13];
            while (over.getCount() > 0) {
                out.write(much);
            }
        });
    }
}
