/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.phasewise.lab.process.Programs;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Two hosts: one JVM on each, one of which says how long the other takes to answer. */
class HostNetworkIT {
    private static final int PORT = 7000;
    private static final int ASKED = 100;
    private static final Duration UP = Duration.ofHours(1_000);

    /** Seconds that the shortest round trip takes on a busy machine beside the delay. */
    private static final double SLACK = 1e-3;

    /** Answers each byte with itself. */
    static final class Echo {
        private Echo() {}

        public static void main(String[] arguments) throws IOException {
            try (ServerSocket door = new ServerSocket(PORT, 1, InetAddress.getByName(arguments[0]))) {
                System.out.println("listens");
                while (true) {
                    try (Socket socket = door.accept()) {
                        socket.setTcpNoDelay(true);
                        socket.getInputStream().transferTo(socket.getOutputStream());
                    }
                }
            }
        }
    }

    /** Says the shortest round trip to an address and what its monotonic clock shows, nanoseconds. */
    static final class Asker {
        private Asker() {}

        public static void main(String[] arguments) throws IOException {
            try (Socket socket = new Socket()) {
                socket.connect(new InetSocketAddress(arguments[0], PORT));
                socket.setTcpNoDelay(true);
                long[] nanos = new long[ASKED];
                for (int i = 0; i < ASKED; i++) {
                    long begun = System.nanoTime();
                    socket.getOutputStream().write(i);
                    socket.getInputStream().read();
                    nanos[i] = System.nanoTime() - begun;
                }
                Arrays.sort(nanos);
                System.out.println(nanos[0] + " " + System.nanoTime());
            }
        }
    }

    @Test
    void packetsTakeAsLongAsToldAndEachHostHasItsOwnClock() throws Exception {
        Optional<String> obstacle = HostNetwork.obstacle();
        assumeTrue(obstacle.isEmpty(), () -> "no hosts on this machine: " + obstacle.orElseThrow());
        try (HostNetwork network = HostNetwork.of(2)) {
            Host first = network.host(1);
            Host second = network.host(2).withClocks(UP, Map.of());
            Process echo = start(first, Echo.class, first.address());
            try (BufferedReader in = echo.inputReader()) {
                assertThat(in.readLine()).isEqualTo("listens");
                long[] near = ask(second, first.address());
                network.delay(1, 2, Duration.ofMillis(20));
                long[] far = ask(second, first.address());

                assertThat(near[0] / 1e9).as("round trip without a delay").isBetween(0.0, SLACK);
                assertThat((far[0] - near[0]) / 1e9)
                        .as(
                                "seconds by which the round trip is longer, as packets were held %f s",
                                network.heldSeconds(1, 2))
                        .isCloseTo(0.04, within(SLACK));
                assertThat(network.heldSeconds(1, 2))
                        .as("mean, a busy machine's too")
                        .isGreaterThanOrEqualTo(0.02);
                assertThat(far[1] - System.nanoTime())
                        .as("nanoseconds that its monotonic clock is ahead")
                        .isBetween(UP.minusMinutes(1).toNanos(), UP.toNanos());
            } finally {
                echo.destroyForcibly();
            }
        }
    }

    private static long[] ask(Host host, String address) throws IOException, InterruptedException {
        Process asker = start(host, Asker.class, address);
        try (BufferedReader in = asker.inputReader()) {
            String said = in.readLine();
            assertThat(asker.waitFor()).as(said).isZero();
            return Arrays.stream(said.split(" ")).mapToLong(Long::parseLong).toArray();
        } finally {
            asker.destroyForcibly();
        }
    }

    private static Process start(Host host, Class<?> program, String address) throws IOException {
        List<String> command = List.of(
                Programs.java(), "-Xmx16m", "-cp", System.getProperty("java.class.path"), program.getName(), address);
        return new ProcessBuilder(host.command(command))
                .redirectErrorStream(true)
                .start();
    }
}
