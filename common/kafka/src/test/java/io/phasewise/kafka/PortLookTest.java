/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.kafka.PortLook.Cause;
import io.phasewise.kafka.PortLook.Mismatch;
import io.phasewise.kafka.StrangePort.Kind;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is said of ports that speak something else than they should. */
class PortLookTest {
    private static final Duration PATIENCE = Duration.ofMillis(400);
    private final PortLook look = new PortLook(PATIENCE, System::nanoTime);

    private Optional<Mismatch> look(String servers, String protocol) {
        return look.look(Map.of("bootstrap.servers", servers, "security.protocol", protocol), "client.");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            PLAINTEXT      | TLS_ALERT | SECURITY_PROTOCOL | speaks TLS: set client.security.protocol to SSL or SASL_SSL
            SASL_PLAINTEXT | TLS_ALERT | SECURITY_PROTOCOL | speaks TLS: set client.security.protocol to SSL or SASL_SSL
            PLAINTEXT      | HTTP      | ADDRESS | is no Kafka broker: it answers HTTP ("HTTP/1.1 400 Bad Request")
            SASL_SSL       | HTTP      | ADDRESS | is no Kafka broker: it answers HTTP ("HTTP/1.1 400 Bad Request")
            PLAINTEXT      | SSH       | ADDRESS | is no Kafka broker: it answers SSH ("SSH-2.0-OpenSSH_9.2p1 Debian-2")
            PLAINTEXT      | LONGEST   | ADDRESS | is no Kafka broker: it answers the bytes 7f ff ff ff
            PLAINTEXT      | ZEROS     | ADDRESS | is no Kafka broker: it answers the bytes 00 00 00 00 00 00 00 00
            """)
    void whatItSpeaksIsSaidWithItsAddressAndTheKey(String protocol, Kind kind, Cause cause, String text)
            throws IOException {
        try (StrangePort port = new StrangePort(kind)) {
            assertThat(look(port.address(), protocol))
                    .contains(new Mismatch(port.address(), cause, port.address() + " " + text));
        }
    }

    @Test
    void aBrokerWithoutTlsIsNamedToWhoeverWantsTls() throws IOException {
        try (ServerSocket server = kafka()) {
            String address = "127.0.0.1:" + server.getLocalPort();
            assertThat(look(address, "SASL_SSL").orElseThrow().text())
                    .isEqualTo(address
                            + " speaks Kafka without TLS: set client.security.protocol to PLAINTEXT or"
                            + " SASL_PLAINTEXT");
            assertThat(look(address, "plaintext")).isEmpty();
        }
    }

    /** It closes connections that do not speak Kafka, as a broker does. */
    private static ServerSocket kafka() throws IOException {
        ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread thread = new Thread(() -> {
            while (!server.isClosed()) {
                try (Socket socket = server.accept()) {
                    byte[] request = new byte[4096];
                    int length = socket.getInputStream().read(request);
                    if (length >= 12 && request[0] == 0) {
                        socket.getOutputStream().write(new byte[] {0, 0, 0, 10});
                        socket.getOutputStream().write(Arrays.copyOfRange(request, 8, 12));
                        socket.getOutputStream().write(new byte[6]);
                    }
                } catch (IOException e) {
                    // The next connection.
                }
            }
        });
        thread.setDaemon(true);
        thread.start();
        return server;
    }

    @ParameterizedTest
    @EnumSource(names = {"SILENCE", "CLOSED"})
    void ofAPortThatSaysNothingNothingIsSaid(Kind kind) throws IOException {
        try (StrangePort port = new StrangePort(kind)) {
            assertThat(look(port.address(), "PLAINTEXT")).isEmpty();
            assertThat(look(port.address(), "SSL")).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1:1", "127.0.0.1:99999", "nonsense", "no-such-host.invalid:9092"})
    void anAddressThatCannotBeUsedIsLeftToKafka(String server) {
        assertThat(look(server, "PLAINTEXT")).isEmpty();
    }

    @Test
    void oneServerThatIsAsItShouldBeIsEnough() throws IOException {
        try (StrangePort http = new StrangePort(Kind.HTTP);
                StrangePort tls = new StrangePort(Kind.TLS_ALERT)) {
            assertThat(look(http.address() + ", " + tls.address(), "SSL")).isEmpty();
            assertThat(look("127.0.0.1:1," + http.address(), "SSL")
                            .orElseThrow()
                            .server())
                    .isEqualTo(http.address());
        }
    }

    @Test
    void thePatienceHoldsForAPortThatSendsAByteAtATime() throws IOException {
        try (StrangePort port = new StrangePort(Kind.TRICKLE)) {
            long begin = System.nanoTime();
            assertThat(look(port.address(), "PLAINTEXT").orElseThrow().cause()).isEqualTo(Cause.ADDRESS);
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(PATIENCE.multipliedBy(4));
        }
    }

    @ParameterizedTest
    @CsvSource({"LISTENER://kafka-1:9092", "[::1]:9092", "kafka_1.example.com:9092"})
    void serversAreReadAsKafkaReadsThem(String server) {
        assertThat(PortLook.parts(server)).isPresent();
    }
}
