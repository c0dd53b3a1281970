/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.fault;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A proxy in front of a server on the loopback that passes on what clients and server send, with a
 * delay and a bandwidth for each direction. {@link LinkDirection} holds the data back.
 *
 * <p>A delay is like that of a long cable: order and throughput stay the same. Delays and pauses
 * can be changed at any time. They hold for all connections, open ones and later ones.
 *
 * <p>It adds some 50 microseconds of its own each way, and uses four threads for a connection. Safe
 * for use by several threads.
 */
public final class FaultyLink implements AutoCloseable {

    private static final int BACKLOG = 50;

    private final String name;
    private final int targetPort;
    private final ServerSocket door;
    private final LinkDirection toServer = new LinkDirection();
    private final LinkDirection toClient = new LinkDirection();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    private FaultyLink(String name, ServerSocket door, int targetPort) {
        this.name = name;
        this.door = door;
        this.targetPort = targetPort;
    }

    /**
     * Listens from now on.
     *
     * @param name for the names of its threads
     * @param port for clients, on the loopback; 0: any free one
     * @param targetPort port of the server, on the loopback
     * @throws UncheckedIOException when the port cannot be bound
     */
    public static FaultyLink open(String name, int port, int targetPort) {
        ServerSocket door;
        try {
            door = new ServerSocket(port, BACKLOG, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot listen on port " + port, e);
        }
        FaultyLink link = new FaultyLink(name, door, targetPort);
        link.thread("accept", link::accept);
        return link;
    }

    /** The port where clients connect. */
    public int port() {
        return door.getLocalPort();
    }

    /** From the client to the server. */
    public LinkDirection toServer() {
        return toServer;
    }

    /** From the server to the client. */
    public LinkDirection toClient() {
        return toClient;
    }

    /** Breaks all connections; clients may connect again. */
    public void sever() {
        open.forEach(FaultyLink::closeQuietly);
    }

    /** Breaks all connections and stops listening. */
    @Override
    public void close() {
        closed = true;
        closeQuietly(door);
        sever();
        toServer.resume();
        toClient.resume();
    }

    private void accept() {
        while (!closed) {
            Socket client;
            try {
                client = door.accept();
            } catch (IOException e) {
                continue; // the client is gone already, or this link is closed
            }
            connect(client);
        }
    }

    private void connect(Socket client) {
        Socket server = new Socket();
        open.add(client);
        open.add(server);
        try {
            server.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), targetPort));
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
            pass(toServer, client.getPort(), client, server);
            pass(toClient, client.getPort(), server, client);
        } catch (IOException e) {
            // The server does not listen: the client's connection ends, as it would without the
            // link.
            end(client);
            end(server);
        }
        if (closed) {
            sever(); // the link was closed while this connection came in
        }
    }

    private void pass(LinkDirection direction, int client, Socket from, Socket to) throws IOException {
        LinkDirection.Line line = direction.line(client, from.getInputStream(), to.getOutputStream());
        thread("read", line::read);
        thread("write", () -> {
            try {
                line.write();
                to.shutdownOutput();
            } catch (IOException e) {
                // One end is gone, so the other one is closed.
                end(from);
                end(to);
            }
            if (from.isOutputShutdown() && to.isOutputShutdown()) {
                end(from);
                end(to);
            }
        });
    }

    private void end(Socket socket) {
        open.remove(socket);
        closeQuietly(socket);
    }

    private static void closeQuietly(AutoCloseable resource) {
        try {
            resource.close();
        } catch (Exception alreadyGone) {
            // Closed is what it was meant to be.
        }
    }

    private void thread(String what, Runnable task) {
        Thread thread = new Thread(task, "link-" + name + "-" + what);
        thread.setDaemon(true);
        thread.start();
    }
}
