/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.tools.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Two of three addresses in {@code --bootstrap-server} swallow packets: the client of a command gets
 * to the third one within seconds.
 */
class SwallowedPacketsIT {
    /** Enough that some begin with one that swallows, whatever the order is drawn by. */
    private static final int CLIENTS = 12;

    /** Both connections given up, 2 s and 2 s, with Kafka's jitter of a fifth; and a busy machine. */
    private static final Duration BOUND = Duration.ofSeconds(8);

    private final List<AutoCloseable> open = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
    }

    private ServerSocket listening(int backlog) throws IOException {
        ServerSocket server = new ServerSocket(0, backlog, InetAddress.getLoopbackAddress());
        open.add(server);
        return server;
    }

    /** A port whose queue of connections is full: Linux answers no further one. */
    private ServerSocket swallowing() throws IOException {
        ServerSocket full = listening(1);
        for (int i = 0; i < 20; i++) {
            Socket socket = new Socket();
            open.add(socket);
            try {
                socket.connect(new InetSocketAddress(full.getInetAddress(), full.getLocalPort()), 500);
            } catch (SocketTimeoutException e) {
                return full;
            }
        }
        throw new IOException("the queue does not become full");
    }

    private static String address(ServerSocket server) {
        return "127.0.0.1:" + server.getLocalPort();
    }

    @Test
    void aClientGetsToTheServerThatAnswersWithinABound() throws Exception {
        ServerSocket answers = listening(CLIENTS);
        ClusterOption option = new ClusterOption();
        new CommandLine(CommandSpec.forAnnotatedObject(option))
                .parseArgs(
                        "--bootstrap-server",
                        String.join(",", address(swallowing()), address(swallowing()), address(answers)));
        Context context = new Context(
                Path.of(""),
                Path.of(""),
                Map.of(),
                "phasewise",
                null,
                InstantSource.system(),
                System::nanoTime,
                time -> {});
        Map<String, Object> properties = option.clientProperties(context, "phasewise-test");
        long from = System.nanoTime();
        for (int i = 0; i < CLIENTS; i++) {
            Admin admin = Admin.create(properties);
            open.add(() -> admin.close(Duration.ZERO));
            admin.describeCluster();
        }

        List<Duration> took = new ArrayList<>();
        answers.setSoTimeout((int) Duration.ofSeconds(60).toMillis());
        for (int i = 0; i < CLIENTS; i++) {
            open.add(answers.accept());
            took.add(Duration.ofNanos(System.nanoTime() - from));
        }
        assertThat(took).allMatch(each -> each.compareTo(BOUND) < 0);
        assertThat(took)
                .as("some began with one that swallows")
                .anyMatch(each -> each.compareTo(Duration.ofSeconds(1)) > 0);
    }
}
