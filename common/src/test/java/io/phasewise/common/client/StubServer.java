/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.client;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A server that says what a test wants and then stops in the middle, or goes on without end. */
final class StubServer implements AutoCloseable {

    private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final List<Socket> connections = new CopyOnWriteArrayList<>();

    /** What is done with a connection whose request has been read. */
    interface Script {
        void answer(OutputStream out) throws Exception;
    }

    StubServer(Script script) throws IOException {
        Thread acceptor = new Thread(
                () -> {
                    try {
                        while (true) {
                            Socket socket = server.accept();
                            connections.add(socket);
                            Thread one = new Thread(() -> serve(socket, script), "stub");
                            one.setDaemon(true);
                            one.start();
                        }
                    } catch (IOException closed) {
                        // The test is over.
                    }
                },
                "stub-server");
        acceptor.setDaemon(true);
        acceptor.start();
    }

    private static void serve(Socket socket, Script script) {
        try {
            StringBuilder request = new StringBuilder();
            while (!request.toString().endsWith("\r\n\r\n")) {
                request.append((char) socket.getInputStream().read());
            }
            script.answer(socket.getOutputStream());
        } catch (Exception broken) {
            // The client has gone, as it should.
        }
    }

    HttpRequest.Builder request() {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.getLocalPort() + "/"));
    }

    static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    int connections() {
        return connections.size();
    }

    /** How many of the connections the client has closed. */
    long closed() {
        return connections.stream()
                .filter(socket -> {
                    try {
                        socket.setSoTimeout(1);
                        return socket.getInputStream().read() < 0;
                    } catch (java.net.SocketTimeoutException open) {
                        return false;
                    } catch (IOException reset) {
                        return true;
                    }
                })
                .count();
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (Socket socket : connections) {
            socket.close();
        }
    }
}
