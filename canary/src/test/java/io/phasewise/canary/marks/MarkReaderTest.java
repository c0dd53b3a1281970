/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.marks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.phasewise.canary.account.OwnClients;
import io.phasewise.canary.config.ExportersConfig;
import io.phasewise.canary.supervise.Supervisor;
import io.phasewise.canary.topic.TopicState.Broker;
import io.phasewise.common.http.Answer;
import io.phasewise.common.http.HttpEndpoint;
import io.phasewise.common.marks.MarkPage;
import io.phasewise.common.marks.RequestMark;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Broker 1 has a healthy exporter; what stands at the address of broker 2 is ill. */
@Timeout(60)
class MarkReaderTest {
    private static final Duration BOUND = Duration.ofSeconds(30);
    private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

    private final MarkStore marks = new MarkStore(new OwnClients(Set.of(), Set.of("")), System::nanoTime);
    private final AtomicInteger asked = new AtomicInteger();
    private final Map<Integer, Long> missed = new ConcurrentHashMap<>();
    private final List<String> heard = new CopyOnWriteArrayList<>();
    private final List<Throwable> faults = new CopyOnWriteArrayList<>();
    private final List<Socket> connections = new CopyOnWriteArrayList<>();
    private HttpEndpoint healthy;
    private ServerSocket ill;
    private MarkReader reader;

    /** Marks that the healthy exporter has. */
    private final AtomicLong newest = new AtomicLong();

    /** Of them, the first that it still has. */
    private long oldest = 1;

    /** What an exporter, or whatever else is there, does to a request. */
    enum Illness {
        SAYS_NOTHING(""),
        STOPS_IN_THE_BODY("HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\nphasewise-marks 1\npa"),
        SENDS_OTHER_METRICS_WITHOUT_END("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n# HELP jvm_"),
        SENDS_MARKS_WITHOUT_END("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nphasewise-marks 1\n"),
        SENDS_AN_EMPTY_LINE("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 1\r\n\r\n\n");

        final String sent;

        Illness(String sent) {
            this.sent = sent;
        }
    }

    @BeforeEach
    void serve() throws IOException {
        healthy = HttpEndpoint.named("healthy")
                .get("/marks", request -> {
                    asked.incrementAndGet();
                    return Answer.text(
                            200, page(Long.parseLong(request.parameters("after").get(0))));
                })
                .bind(new InetSocketAddress(LOOPBACK, 0));
        healthy.start();
        ill = new ServerSocket(0, 50, LOOPBACK);
    }

    @AfterEach
    void stop() throws IOException {
        if (reader != null) {
            reader.stop();
        }
        healthy.close();
        ill.close();
        for (Socket each : connections) {
            each.close();
        }
        assertThat(faults).isEmpty();
    }

    private synchronized String page(long after) {
        long first = Math.max(after + 1, oldest);
        long last = Math.min(newest.get(), first + MarkPage.MOST_MARKS - 1);
        MarkPage page = new MarkPage("boot", true, last, first - 1 - after);
        for (long i = first; i <= last; i++) {
            page.requests.add(new RequestMark(i, i, i, i, i, i));
        }
        return page.toString();
    }

    @ParameterizedTest
    @EnumSource
    void oneThatIsIllDelaysNoOtherAndIsNotWaitedFor(Illness illness) {
        Thread server = new Thread(() -> answerIll(illness));
        server.setDaemon(true);
        server.start();
        marks.add(2, new MarkPage("earlier", true, 7, 0));
        assertThat(marks.reportsMarks(2)).as("until now").isTrue();

        read(Map.of("1", address(healthy.port()), "2", address(ill.getLocalPort())));

        await("its probes are estimated at once").atMost(BOUND).until(() -> !marks.reportsMarks(2));
        await().atMost(BOUND).until(() -> marks.reached().equals(Map.of(1, true, 2, false)));
        int before = asked.get();
        long began = System.nanoTime();
        await("once a second").atMost(BOUND).until(() -> asked.get() >= before + 3);
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(8));
        assertThat(marks.reportsMarks(1)).isTrue();
        assertThat(connections.size()).as("one request under way").isLessThan(20);
    }

    @Test
    void aHostWithAnUnderscoreIsAsked() {
        read(Map.of("1", "kafka_1:" + healthy.port()));

        await().atMost(BOUND).until(() -> marks.reportsMarks(1));
    }

    @ParameterizedTest
    @EnumSource(BadAddress.class)
    void anAddressThatCannotBeUsedEndsNothingForTheOthers(BadAddress bad) {
        read(Map.of("1", address(healthy.port()), "2", bad.address));

        await().atMost(BOUND).until(() -> asked.get() >= 2 && marks.reportsMarks(1));
        assertThat(marks.reportsMarks(2)).isFalse();
    }

    /** Addresses of brokers come from Kafka, which allows what Java's URIs do not. */
    enum BadAddress {
        UNKNOWN("no_such_host:7071"),
        NO_PORT("kafka-2:99999"),
        NO_HOST(":7071"),
        BLANK("a host:7071");

        final String address;

        BadAddress(String address) {
            this.address = address;
        }
    }

    @Test
    void anAddressInTheFormOfIpv6IsAsked() {
        // An IPv4 address in IPv6's form: it answers also where the JVM is kept to IPv4.
        read(Map.of("1", "[::ffff:127.0.0.1]:" + healthy.port()));

        await().atMost(BOUND).until(() -> marks.reportsMarks(1));
    }

    /** 5,000 marks are left in one second by a canary that sends 2,500 probes to one leader. */
    @Test
    void fullPagesAreReadOnWithoutAPause() {
        read(Map.of("1", address(healthy.port())));
        await().atMost(BOUND).until(() -> marks.reportsMarks(1));
        int before = asked.get();

        newest.set(5_000);

        await().atMost(BOUND).until(() -> marks.of(1).sequence() == 5_000);
        assertThat(asked.get() - before).as("pages").isBetween(5, 8);
        assertThat(missed).containsEntry(1, 0L);
    }

    @Test
    void marksThatWereDroppedBeforeTheyWereReadAreCounted() {
        newest.set(100);
        oldest = 51;
        read(Map.of("1", address(healthy.port())));
        await().atMost(BOUND).until(() -> marks.of(1).sequence() == 100);
        assertThat(missed).as("before it was asked at all").containsEntry(1, 0L);

        synchronized (this) {
            newest.set(400);
            oldest = 301;
        }

        await().atMost(BOUND).until(() -> marks.of(1).sequence() == 400);
        assertThat(missed).containsEntry(1, 200L);
    }

    @Test
    void whatBrokersAnswerIsHeardBeforeItIsUsed() {
        newest.set(7);
        read(Map.of("1", address(healthy.port()), "2", "no-such-host:1"));

        await().atMost(BOUND).until(() -> heard.contains("2 was silent"));
        await().atMost(BOUND).until(() -> heard.contains("1 answered after 0 with 7"));
    }

    private void read(Map<String, String> addresses) {
        MarkReader.Listener listener = new MarkReader.Listener() {
            @Override
            public void missed(int broker, long count) {
                missed.merge(broker, count, Long::sum);
            }

            @Override
            public void page(int broker, MarkPage page) {
                heard.add(broker + " answered after " + marks.of(broker).sequence() + " with " + page.sequence);
            }

            @Override
            public void silent(int broker) {
                heard.add(broker + " was silent");
            }
        };
        ExportersConfig config = new ExportersConfig(
                Optional.empty(), addresses, false, Optional.empty(), Optional.empty(), Optional.empty());
        reader = new MarkReader(
                new Supervisor(System::nanoTime),
                "test",
                config,
                marks,
                listener,
                faults::add,
                System::nanoTime,
                host -> {
                    if (host.equals("kafka_1")) {
                        return LOOPBACK;
                    }
                    throw new IOException("unknown");
                });
        reader.setBrokers(List.of(new Broker(1, "a", 9092, null, true), new Broker(2, "b", 9092, null, true)));
        reader.start();
    }

    private static String address(int port) {
        return "127.0.0.1:" + port;
    }

    private void answerIll(Illness illness) {
        try {
            while (true) {
                Socket socket = ill.accept();
                connections.add(socket);
                Thread one = new Thread(() -> answerIll(illness, socket));
                one.setDaemon(true);
                one.start();
            }
        } catch (IOException closed) {
            // The test is over.
        }
    }

    private static void answerIll(Illness illness, Socket socket) {
        try {
            socket.getOutputStream().write(illness.sent.getBytes(StandardCharsets.US_ASCII));
            byte[] more = "x 1\n".repeat(1 << 11).getBytes(StandardCharsets.US_ASCII);
            while (illness.name().endsWith("WITHOUT_END")) {
                socket.getOutputStream().write(more);
            }
        } catch (IOException broken) {
            // As it should be.
        }
    }
}
