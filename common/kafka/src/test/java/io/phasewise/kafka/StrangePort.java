/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.kafka;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A server on a free loopback port that is no Kafka broker, whatever is sent to it. */
public final class StrangePort implements AutoCloseable {
    /** What it does to whoever connects. */
    public enum Kind {
        /** A TLS port's answer to somebody who does not speak TLS. */
        TLS_ALERT {
            @Override
            void answer(Socket socket) throws IOException {
                request(socket);
                send(socket, new byte[] {0x15, 3, 3, 0, 2, 2, 0x28});
            }
        },
        HTTP {
            @Override
            void answer(Socket socket) throws IOException {
                request(socket);
                send(socket, "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n");
            }
        },
        /** Speaks first. */
        SSH {
            @Override
            void answer(Socket socket) throws IOException {
                send(socket, "SSH-2.0-OpenSSH_9.2p1 Debian-2\r\n");
                request(socket);
            }
        },
        /** Announces the longest answer that there can be. */
        LONGEST {
            @Override
            void answer(Socket socket) throws IOException {
                request(socket);
                send(socket, ByteBuffer.allocate(4).putInt(Integer.MAX_VALUE).array());
                request(socket);
            }
        },
        /** Complete answers, of no byte. */
        ZEROS {
            @Override
            void answer(Socket socket) throws IOException {
                request(socket);
                send(socket, new byte[64]);
                request(socket);
            }
        },
        /** A long answer that is one, and then another. */
        FLOOD {
            @Override
            void answer(Socket socket) throws IOException {
                request(socket);
                int mib = 1 << 20;
                for (int size : new int[] {7 * mib, 90 * mib}) {
                    send(socket, ByteBuffer.allocate(4).putInt(size).array());
                    for (int sent = 0; sent < size; sent += mib) {
                        send(socket, new byte[mib]);
                    }
                }
            }
        },
        /** A byte at a time, of an answer that could be one. */
        TRICKLE {
            @Override
            void answer(Socket socket) throws IOException {
                request(socket);
                send(socket, ByteBuffer.allocate(4).putInt(7 << 20).array());
                socket.setSoTimeout(500);
                while (true) {
                    send(socket, new byte[1]);
                    try {
                        request(socket);
                    } catch (SocketTimeoutException e) {
                        // Half a second has passed.
                    }
                }
            }
        },
        SILENCE {
            @Override
            void answer(Socket socket) throws IOException {
                while (request(socket) > 0) {
                    // Reads on, until the other side closes the connection.
                }
            }
        },
        CLOSED {
            @Override
            void answer(Socket socket) {
                // Closed on return.
            }
        };

        abstract void answer(Socket socket) throws IOException;

        static int request(Socket socket) throws IOException {
            return socket.getInputStream().read(new byte[4096]);
        }

        static void send(Socket socket, String text) throws IOException {
            send(socket, text.getBytes(StandardCharsets.ISO_8859_1));
        }

        static void send(Socket socket, byte[] bytes) throws IOException {
            OutputStream out = socket.getOutputStream();
            out.write(bytes);
            out.flush();
        }
    }

    private final ServerSocket server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final AtomicInteger connections = new AtomicInteger();

    /** Opens one on a free port. */
    public StrangePort(Kind kind) throws IOException {
        this(kind, 0);
    }

    /** Opens one on a port. */
    public StrangePort(Kind kind, int port) throws IOException {
        server = new ServerSocket(port, 50, InetAddress.getLoopbackAddress());
        threads.execute(() -> accept(kind));
    }

    private void accept(Kind kind) {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                open.add(socket);
                connections.incrementAndGet();
                threads.execute(() -> serve(kind, socket));
            } catch (IOException | RejectedExecutionException e) {
                // Closed, and the loop ends; or who connected is gone.
            }
        }
    }

    private void serve(Kind kind, Socket socket) {
        try (socket) {
            kind.answer(socket);
        } catch (IOException e) {
            // Whoever connected is gone.
        } finally {
            open.remove(socket);
        }
    }

    public int port() {
        return server.getLocalPort();
    }

    /** Its address, host:port. */
    public String address() {
        return "127.0.0.1:" + port();
    }

    /** How many connections were made to it. */
    public int connections() {
        return connections.get();
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (Socket socket : open) {
            socket.close();
        }
        threads.shutdownNow();
        try {
            // The port is free once nobody accepts on it any more.
            threads.awaitTermination(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
