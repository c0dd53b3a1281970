/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.phasewise.common.tls.SelfSigned;
import io.phasewise.common.tls.ServerTls;
import io.phasewise.common.tls.TlsSource;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.StreamHandler;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Clients that are slow on purpose, on raw sockets, and what others see of the endpoint then. */
@Execution(ExecutionMode.CONCURRENT)
class SlowClientsTest {

    /** Its log, which a test watches. */
    private static final String PROCESS = "process";

    private static final Duration BOUND = Duration.ofSeconds(20);
    private static final Duration SHORT = Duration.ofMillis(300);

    /** A handshake on a busy machine must fit. */
    private static final Duration SHORT_OVER_TLS = Duration.ofSeconds(4);

    private static final Duration LONG = Duration.ofMinutes(5);

    /** More than the buffers of both ends of a connection hold. */
    private static final byte[] LARGE = new byte[32 << 20];

    private static final String ASKS_FOR_LARGE = "GET /large HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final int THREADS = 2;

    @TempDir
    Path directory;

    private static final SelfSigned CERTIFICATE = SelfSigned.of("endpoint");
    private final CountDownLatch computed = new CountDownLatch(1);
    private final List<Exception> faults = new CopyOnWriteArrayList<>();
    private final List<Socket> sockets = new ArrayList<>();
    private Supplier<ServerTls> tls;
    private HttpEndpoint endpoint;
    private boolean encrypted;

    /** How clients are slow. */
    enum Slowness {
        SENDS_NOTHING(false, ""),
        SENDS_HALF_A_REQUEST(false, "GET /metrics HTTP/1.1\r\nHost: a"),
        SENDS_HALF_A_BODY(false, "POST /body HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nhalf"),
        SENDS_NO_BODY_TO_WHAT_TAKES_NONE(false, "GET /metrics HTTP/1.1\r\nHost: a\r\nContent-Length: 99999\r\n\r\n"),
        READS_NOTHING(false, ASKS_FOR_LARGE),
        /** A record of a handshake, of 512 bytes, of which one comes. */
        SENDS_HALF_A_HANDSHAKE(true, "\u0016\u0003\u0001\u0002\u0000\u0001"),
        SENDS_HALF_A_REQUEST_OVER_TLS(true, "GET /metrics HTTP/1.1\r\nHost: a"),
        READS_NOTHING_OVER_TLS(true, ASKS_FOR_LARGE);

        final boolean encrypted;
        final String sent;

        Slowness(boolean encrypted, String sent) {
            this.encrypted = encrypted;
            this.sent = sent;
        }
    }

    @BeforeEach
    void writeCertificate() throws Exception {
        Path pem = directory.resolve("server.pem");
        CERTIFICATE.writePem(pem);
        ServerTls read = TlsSource.pem(pem, pem).read();
        tls = () -> read;
    }

    @AfterEach
    void stop() throws IOException {
        computed.countDown();
        for (Socket socket : sockets) {
            socket.close();
        }
        if (endpoint != null) {
            endpoint.close();
        }
    }

    /** Nobody else asks, so only the time counts. */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "SENDS_NOTHING")
    @ResourceLock(value = PROCESS, mode = ResourceAccessMode.READ)
    void losesItsThreadWhenItsTimeIsOver(Slowness slowness) throws Exception {
        if (slowness.encrypted) {
            loadTls();
        }
        Duration time = slowness.encrypted ? SHORT_OVER_TLS : SHORT;
        serve(slowness.encrypted, time, time);

        Socket slow = slow(slowness);

        await("the thread is free").atMost(BOUND).until(() -> threadsInUse() == 0);
        assertThat(received(slow)).isLessThan(LARGE.length);
    }

    @Test
    @ResourceLock(value = PROCESS, mode = ResourceAccessMode.READ)
    void headersThatTrickleDoNotPutTheEndOff() throws Exception {
        serve(false, SHORT, SHORT);
        Socket slow = connect(false);
        slow.getOutputStream().write(ascii("GET /metrics HTTP/1.1\r\nHost: "));

        await("the connection is closed")
                .atMost(BOUND)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> {
                    try {
                        slow.getOutputStream().write('a');
                        return false;
                    } catch (IOException closed) {
                        return true;
                    }
                });
    }

    /** Far more of them than threads, and their own time lasts for minutes. */
    @ParameterizedTest
    @EnumSource
    @ResourceLock(value = PROCESS, mode = ResourceAccessMode.READ)
    void manyDoNotKeepOthersOut(Slowness slowness) throws Exception {
        serve(slowness.encrypted, LONG, LONG);
        for (int i = 0; i < 12 * THREADS; i++) {
            slow(slowness);
        }

        assertThat(get("/metrics")).isEqualTo(200);
    }

    /** The flood comes from 127.0.0.1 without end, the scrapes from 127.0.0.2. */
    @Test
    @ResourceLock(PROCESS)
    void aFloodFromOneAddressLeavesAThreadForTheOthers() throws Exception {
        serve(false, LONG, LONG);
        assertThat(firstLine("127.0.0.2", "/metrics")).isEqualTo("HTTP/1.1 200 OK");
        slow(Slowness.READS_NOTHING);
        await("it has a thread").atMost(BOUND).until(() -> threadsInUse() == 1);

        // Well below the half second after which the slow one would lose its thread.
        assertThat(firstLine("127.0.0.1", "/metrics")).isEqualTo("HTTP/1.1 503 Service Unavailable");
        for (int i = 0; i < 200; i++) {
            slow(Slowness.READS_NOTHING);
            if (i % 20 == 0) {
                assertThat(firstLine("127.0.0.2", "/metrics")).isEqualTo("HTTP/1.1 200 OK");
            }
        }
    }

    /** More than wait at most. */
    @Test
    @ResourceLock(PROCESS)
    void whoFindsTheQueueFullIsToldSoButForOneWhoAsksFromAnotherAddress() throws Exception {
        serve(false, LONG, LONG);
        List<Socket> asking = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            asking.add(connect(false));
            asking.get(i).getOutputStream().write(ascii("GET /computed HTTP/1.1\r\nHost: a\r\n\r\n"));
        }
        await("all threads compute").atMost(BOUND).until(() -> threadsInUse() == THREADS);
        for (int i = 0; i < 100; i++) {
            asking.add(connect(false));
            asking.get(asking.size() - 1).getOutputStream().write(ascii("GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n"));
        }
        await("some are refused").atMost(BOUND).until(() -> asking.stream().anyMatch(SlowClientsTest::hasAnAnswer));
        for (String path : List.of("/metrics", "/-/healthy")) {
            assertThat(firstLine("127.0.0.2", path)).as("of another address").isEqualTo("HTTP/1.1 200 OK");
            assertThat(firstLine("127.0.0.1", path)).isEqualTo("HTTP/1.1 503 Service Unavailable");
        }
        computed.countDown();

        List<String> answers = new ArrayList<>();
        for (Socket each : asking) {
            answers.add(firstLine(each));
        }
        assertThat(answers).contains("HTTP/1.1 503 Service Unavailable", "HTTP/1.1 200 OK");
    }

    /** Each of them could hold the one thread that refuses for a second. */
    @Test
    @ResourceLock(PROCESS)
    void halfRequestsInTheFullQueueDoNotKeepAnotherAddressWaiting() throws Exception {
        serve(false, LONG, LONG);
        for (int i = 0; i < THREADS; i++) {
            connect(false).getOutputStream().write(ascii("GET /computed HTTP/1.1\r\nHost: a\r\n\r\n"));
        }
        await("all threads compute").atMost(BOUND).until(() -> threadsInUse() == THREADS);
        int waiting = 64;
        for (int i = 0; i < waiting + 1.5 * BOUND.toSeconds(); i++) {
            slow(Slowness.SENDS_HALF_A_REQUEST);
        }

        assertThat(firstLine("127.0.0.2", "/metrics")).isEqualTo("HTTP/1.1 200 OK");
    }

    private static boolean hasAnAnswer(Socket socket) {
        try {
            return socket.getInputStream().available() > 0;
        } catch (IOException closed) {
            return true;
        }
    }

    private String firstLine(String from, String path) throws Exception {
        Socket socket = new Socket();
        sockets.add(socket);
        socket.setSoTimeout((int) BOUND.toMillis());
        socket.bind(new InetSocketAddress(from, 0));
        socket.connect(new InetSocketAddress("127.0.0.1", endpoint.port()));
        socket.getOutputStream().write(ascii("GET " + path + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"));
        return firstLine(socket);
    }

    private static String firstLine(Socket socket) throws IOException {
        StringBuilder line = new StringBuilder();
        try {
            int read = socket.getInputStream().read();
            while (read >= 0 && read != '\r') {
                line.append((char) read);
                read = socket.getInputStream().read();
            }
        } catch (java.net.SocketException closed) {
            // As good as the end.
        }
        return line.toString();
    }

    @Test
    @ResourceLock(value = PROCESS, mode = ResourceAccessMode.READ)
    void isServedWhileThreadsAreFree() throws Exception {
        serve(false, LONG, LONG);
        Socket slow = slow(Slowness.SENDS_HALF_A_REQUEST);

        // Longer than under pressure.
        long end = System.nanoTime() + Duration.ofMillis(1200).toNanos();
        while (System.nanoTime() < end) {
            assertThat(get("/metrics")).isEqualTo(200);
        }
        slow.getOutputStream().write(ascii("\r\nConnection: close\r\n\r\n"));

        assertThat(new String(slow.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
                .startsWith("HTTP/1.1 200 OK");
    }

    @Test
    @ResourceLock(value = PROCESS, mode = ResourceAccessMode.READ)
    void whatComputesAnAnswerIsNeverInterrupted() throws Exception {
        serve(false, SHORT, LONG);
        FutureTask<Integer> computing = new FutureTask<>(() -> get("/computed"));
        new Thread(computing).start();
        await("it computes").atMost(BOUND).until(() -> threadsInUse() == 1);

        for (int i = 0; i < 6 * THREADS; i++) {
            Socket slow = slow(Slowness.SENDS_HALF_A_REQUEST);
            assertThat(received(slow)).as("one after the other loses its time").isZero();
        }
        computed.countDown();

        assertThat(computing.get(BOUND.toSeconds(), TimeUnit.SECONDS)).isEqualTo(200);
        assertThat(faults).isEmpty();
    }

    /** Whoever reaches the port can do that as often as he likes. */
    @Test
    @ResourceLock(PROCESS)
    void anAnswerThatIsBrokenOffIsNoFaultAndPrintsNothing() throws Exception {
        List<String> printed = new CopyOnWriteArrayList<>();
        Handler handler = new StreamHandler() {
            @Override
            public void publish(LogRecord record) {
                printed.add(record.getLoggerName() + ": " + record.getMessage());
            }
        };
        Logger root = Logger.getLogger("");
        root.addHandler(handler);
        try {
            serve(false, LONG, LONG);
            Socket broken = slow(Slowness.READS_NOTHING);
            assertThat(broken.getInputStream().read()).isEqualTo('H');
            broken.setSoLinger(true, 0);
            broken.close();

            await("the endpoint has noticed").atMost(BOUND).until(() -> threadsInUse() == 0);
            assertThat(get("/metrics")).isEqualTo(200);
        } finally {
            root.removeHandler(handler);
        }
        assertThat(printed).isEmpty();
        assertThat(faults).isEmpty();
    }

    @Test
    @ResourceLock(value = PROCESS, mode = ResourceAccessMode.READ)
    void otherServersOfTheProcessHaveNoLimits() throws Exception {
        serve(false, SHORT, SHORT);
        InetAddress loopback = InetAddress.getLoopbackAddress();
        HttpServer other = HttpServer.create(new InetSocketAddress(loopback, 0), 0);
        other.createContext("/", exchange -> exchange.sendResponseHeaders(204, -1));
        other.start();
        try (Socket half = new Socket(loopback, other.getAddress().getPort())) {
            half.setSoTimeout((int) BOUND.toMillis());
            half.getOutputStream().write(ascii("GET / HTTP/1.1\r\nHost: a\r\n"));
            Socket slow = slow(Slowness.SENDS_HALF_A_REQUEST);
            assertThat(received(slow)).as("our limit is over").isZero();
            half.getOutputStream().write(ascii("Connection: close\r\n\r\n"));

            assertThat(new String(half.getInputStream().readNBytes(12), StandardCharsets.US_ASCII))
                    .isEqualTo("HTTP/1.1 204");
        } finally {
            other.stop(0);
        }
    }

    private void serve(boolean tlsToo, Duration request, Duration response) throws IOException {
        encrypted = tlsToo;
        endpoint = HttpEndpoint.named("slow-clients")
                .limits(new HttpLimits(THREADS, request, response, 100))
                .tls(encrypted ? Optional.of(tls) : Optional.empty())
                .faults(faults::add)
                .get("/metrics", asked -> Answer.text(200, "metrics\n"))
                .get("/large", asked -> Answer.of(200, "text/plain", LARGE))
                .open("/-/healthy", asked -> Answer.text(200, "healthy\n"))
                .post("/body", asked -> Answer.text(200, "taken\n"))
                .get("/computed", asked -> {
                    computed.await();
                    return Answer.text(200, "computed\n");
                })
                .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        endpoint.start();
    }

    /** The first handshake of a JVM takes seconds. */
    private void loadTls() throws Exception {
        serve(true, LONG, LONG);
        assertThat(get("/metrics")).isEqualTo(200);
        endpoint.close();
    }

    private Socket slow(Slowness slowness) throws Exception {
        // Half a handshake is one without TLS.
        Socket socket = connect(slowness.encrypted && slowness.sent.startsWith("GET"));
        socket.getOutputStream().write(ascii(slowness.sent));
        return socket;
    }

    private Socket connect(boolean overTls) throws Exception {
        Socket socket = overTls ? CERTIFICATE.client(null).getSocketFactory().createSocket() : new Socket();
        sockets.add(socket);
        socket.setReceiveBufferSize(8192);
        socket.setSoTimeout((int) BOUND.toMillis());
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), endpoint.port()));
        return socket;
    }

    /** How much comes before the connection is closed. */
    private static long received(Socket socket) {
        long received = 0;
        byte[] buffer = new byte[1 << 16];
        try {
            InputStream in = socket.getInputStream();
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                received += read;
            }
        } catch (java.net.SocketTimeoutException e) {
            throw new AssertionError("still open after " + BOUND, e);
        } catch (IOException reset) {
            // As good as closed.
        }
        return received;
    }

    private static long threadsInUse() {
        String runs = ExchangeThreads.class.getName() + ".run(";
        return Thread.getAllStackTraces().values().stream()
                .filter(stack -> Arrays.toString(stack).contains(runs))
                .count();
    }

    private int get(String path) throws Exception {
        HttpClient.Builder client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1);
        if (encrypted) {
            client.sslContext(CERTIFICATE.client(null));
        }
        String scheme = encrypted ? "https" : "http";
        URI uri = URI.create(scheme + "://127.0.0.1:" + endpoint.port() + path);
        return client.build()
                .send(HttpRequest.newBuilder(uri).timeout(BOUND).build(), HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
