/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.download;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.phasewise.common.file.Sha256;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Transfers that break off, stall, lie or never end. */
@Timeout(60)
class DownloaderTest {

    private static final byte[] FILE = content(300_000);
    private static final String SUM = HexFormat.of().formatHex(Sha256.of(FILE));
    private static final Duration LONG = Duration.ofSeconds(50);
    private static final Downloader.Bounds BOUNDS =
            new Downloader.Bounds(LONG, LONG, Duration.ofMillis(1), FILE.length);

    @TempDir
    Path directory;

    private FileServer server;
    private Path into;

    @BeforeEach
    void start() throws IOException {
        server = new FileServer().with("/file", FILE);
        into = directory.resolve("file.part");
    }

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void whatArrivesIsSaidAndWhole() throws Exception {
        List<String> said = Collections.synchronizedList(new ArrayList<>());

        downloader(BOUNDS).fetch(at("/file"), SUM, into, (have, of) -> said.add(have + " of " + of));

        assertThat(into).hasBinaryContent(FILE);
        assertThat(said).last().isEqualTo("300000 of 300000");
        assertThat(server.requests()).containsExactly("/file");
    }

    @Test
    void aRedirectIsFollowed() throws Exception {
        fetch(at("/moved/file"), BOUNDS);

        assertThat(server.requests()).containsExactly("/moved/file", "/file");
    }

    @Test
    void aTransferThatBreaksOffGoesOnWhereItStopped() throws Exception {
        server.failing(request -> request < 3 ? 100_000 : null);

        fetch(at("/file"), BOUNDS);

        assertThat(server.requests()).hasSize(3);
        assertThat(server.requests().subList(1, 3)).allMatch(each -> each.matches("/file bytes=\\d+-"));
    }

    @Test
    void aTransferThatStallsGoesOnWhereItStopped() throws Exception {
        server.failing(request -> request == 1 ? -100_000 : null);

        fetch(at("/file"), new Downloader.Bounds(LONG, Duration.ofSeconds(2), Duration.ofMillis(1), FILE.length));

        assertThat(server.requests()).startsWith("/file", "/file bytes=100000-");
    }

    @Test
    void aServerWithoutRangesIsAskedForTheWholeAgain() throws Exception {
        server.withoutRanges().failing(request -> request == 1 ? 100_000 : null);

        fetch(at("/file"), BOUNDS);
    }

    @Test
    void anEarlierRunsBeginningIsKept() throws Exception {
        Files.write(into, content(200_000));

        fetch(at("/file"), BOUNDS);

        assertThat(server.requests()).containsExactly("/file bytes=200000-");
    }

    @Test
    void aWholeFileOfAnEarlierRunIsKept() throws Exception {
        Files.write(into, FILE);

        fetch(at("/file"), BOUNDS);

        assertThat(server.requests()).containsExactly("/file bytes=300000-");
    }

    @Test
    void aBeginningOfAnotherFileIsFetchedAgain() throws Exception {
        Files.write(into, new byte[200_000]);

        fetch(at("/file"), BOUNDS);

        assertThat(server.requests()).containsExactly("/file bytes=200000-", "/file");
    }

    @Test
    void aWrongFileIsRefusedAndNotKept() {
        String other = SUM.replace(SUM.charAt(0), SUM.charAt(0) == '0' ? '1' : '0');

        assertThatThrownBy(() -> downloader(BOUNDS).fetch(at("/file"), other, into, (have, of) -> {}))
                .hasMessage("the SHA-256 of %s is %s, and should be %s", at("/file"), SUM, other);

        assertThat(into).doesNotExist();
        assertThat(server.requests()).hasSize(1);
    }

    @Test
    void aFileThatIsTooLargeIsRefusedBeforeItIsRead() {
        Downloader.Bounds small = new Downloader.Bounds(LONG, LONG, Duration.ofMillis(1), 299_999);

        assertThatThrownBy(() -> fetch(at("/file"), small))
                .hasMessageEndingWith("has 300000 bytes; allowed are 299999");

        assertThat(into).doesNotExist();
    }

    @Test
    void whatIsNotThereIsAskedForOnceAndAServerInTroubleThrice() {
        assertThatThrownBy(() -> fetch(at("/other"), BOUNDS)).hasMessage(at("/other") + " answered 404");
        assertThat(server.requests()).hasSize(1);

        server.answering(503);
        assertThatThrownBy(() -> fetch(at("/file"), BOUNDS)).hasMessage(at("/file") + " answered 503");
        assertThat(server.requests()).hasSize(4);
    }

    @Test
    void whereThereIsNoWayNothingIsTriedAgain() {
        server.close();
        assertThatThrownBy(() -> fetch(at("/file"), BOUNDS)).isInstanceOf(ConnectException.class);
    }

    @Test
    void aServerThatSaysNothingAtAllIsGivenUpAtOnce() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            URI from = URI.create("http://127.0.0.1:" + silent.getLocalPort() + "/file");
            Downloader.Bounds impatient = new Downloader.Bounds(LONG, Duration.ofMillis(200), LONG, FILE.length);

            assertThatThrownBy(() -> fetch(from, impatient)).isInstanceOf(HttpTimeoutException.class);
        }
    }

    @Test
    void theTimeLimitHoldsForAllAttemptsTogether() throws Exception {
        Files.write(into, content(100_000));
        server.failing(request -> 10);
        Downloader.Bounds brief =
                new Downloader.Bounds(Duration.ofMillis(600), LONG, Duration.ofMillis(50), FILE.length);

        assertThatThrownBy(() -> fetch(at("/file"), brief)).isInstanceOf(IOException.class);

        assertThat(into).as("kept for the next run").isNotEmptyFile();
    }

    @Test
    void anInterruptEndsIt() throws Exception {
        server.failing(request -> -100_000);
        CountDownLatch began = new CountDownLatch(1);
        FutureTask<Throwable> task = new FutureTask<>(() -> {
            try {
                downloader(BOUNDS).fetch(at("/file"), SUM, into, (have, of) -> {
                    if (have == 100_000) {
                        began.countDown();
                    }
                });
                return null;
            } catch (InterruptedException | IOException e) {
                return e;
            }
        });
        Thread thread = new Thread(task);
        thread.start();
        assertThat(began.await(30, TimeUnit.SECONDS)).isTrue();

        thread.interrupt();

        assertThat(task.get(30, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
        assertThat(into).hasSize(100_000);
    }

    @Test
    void aProxyOfTheEnvironmentIsAskedWithItsPassword() throws Exception {
        server.answering(407);
        URI origin = URI.create("http://releases.invalid/file");
        String proxy = server.uri().toString().replace("http://", "http://me:secret@");

        new Downloader(EnvironmentProxies.client(Map.of("http_proxy", proxy)), BOUNDS)
                .fetch(origin, SUM, into, (have, of) -> {});

        assertThat(into).hasBinaryContent(FILE);
        assertThat(server.requests())
                .containsExactly("http://releases.invalid/file", "http://releases.invalid/file Basic bWU6c2VjcmV0");
    }

    private void fetch(URI from, Downloader.Bounds bounds) throws Exception {
        downloader(bounds).fetch(from, SUM, into, (have, of) -> {});
        assertThat(into).hasBinaryContent(FILE);
    }

    private static Downloader downloader(Downloader.Bounds bounds) throws IOException {
        return new Downloader(EnvironmentProxies.client(Map.of()), bounds);
    }

    private URI at(String path) {
        return URI.create(server.uri() + path);
    }

    /** Any number of them begins as the others do. */
    private static byte[] content(int length) {
        byte[] content = new byte[300_000];
        new Random(1).nextBytes(content);
        return Arrays.copyOf(content, length);
    }
}
