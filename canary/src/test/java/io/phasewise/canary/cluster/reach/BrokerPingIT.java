/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.cluster.reach;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.common.Node;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Why a broker cannot be reached, told by real sockets that stand for it. */
class BrokerPingIT {
    private static final Duration PERIOD = Duration.ofMillis(250);
    private static final Duration BOUND = Duration.ofSeconds(30);

    private final AtomicReference<String> reason = new AtomicReference<>("");

    @Test
    void aHostThatDnsDoesNotKnow() {
        expect(Map.of(), new Node(7, "kafka-7.invalid", 9092), "unknown host");
    }

    @Test
    void aPortOnWhichNobodyListens() throws Exception {
        int port;
        try (ServerSocket free = listening()) {
            port = free.getLocalPort();
        }
        expect(Map.of(), new Node(7, "127.0.0.1", port), "the connection is refused or closed");
    }

    @Test
    void aSocketThatListensAndNeverAnswers() throws Exception {
        try (ServerSocket silent = listening()) {
            expect(Map.of(), at(silent), "no answer");
        }
    }

    @Test
    void aPortThatDoesNotSpeakTls() throws Exception {
        try (ServerSocket plain = listening()) {
            Thread server = new Thread(() -> answerEachWith(plain, "HTTP/1.1 400 Bad Request\r\n\r\n"));
            server.start();
            expect(Map.of("security.protocol", "SSL"), at(plain), "the TLS handshake fails");
            plain.close();
            server.join();
        }
    }

    private void expect(Map<String, Object> properties, Node broker, String why) {
        Map<String, Object> all = new java.util.HashMap<>(properties);
        all.put("bootstrap.servers", "127.0.0.1:1");
        BrokerPing.Listener listener = new BrokerPing.Listener() {
            @Override
            public void roundTrip(int id, long now, long nanos) {
                reason.set("it answered");
            }

            @Override
            public void failed(Node node, long now, String told) {
                reason.set(node.id() + ": " + told);
            }
        };
        try (BrokerPing ping = BrokerPing.open(all, "ping-it", PERIOD, 1_000, listener, System::nanoTime)) {
            Awaitility.await(why).pollInSameThread().atMost(BOUND).untilAsserted(() -> {
                ping.turn(List.of(broker), PERIOD);
                assertThat(reason.get()).startsWith("7: " + why);
            });
        }
    }

    private static ServerSocket listening() throws Exception {
        return new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    }

    private static Node at(ServerSocket server) {
        return new Node(7, "127.0.0.1", server.getLocalPort());
    }

    private static void answerEachWith(ServerSocket server, String answer) {
        while (!server.isClosed()) {
            try (Socket client = server.accept()) {
                client.getOutputStream().write(answer.getBytes(java.nio.charset.StandardCharsets.US_ASCII));
                client.getInputStream().read();
            } catch (java.io.IOException e) {
                // The client has gone, or the test is over.
            }
        }
    }
}
