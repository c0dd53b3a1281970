/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.net;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** Whether a port is free, or accepts connections, at this moment. */
public final class Ports {

    private static final int CONNECT_MILLIS = 500;

    private Ports() {}

    /**
     * Whether a server could listen on the port now, on loopback and on all interfaces.
     *
     * @param port 1 to 65535
     */
    public static boolean isFree(int port) {
        return canListen(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
                && canListen(new InetSocketAddress(port));
    }

    /**
     * Whether the loopback port accepts connections.
     *
     * @param port 1 to 65535
     */
    public static boolean accepts(int port) {
        return accepts(InetAddress.getLoopbackAddress().getHostAddress(), port);
    }

    /**
     * Whether a port accepts connections.
     *
     * @param address that is no name
     * @param port 1 to 65535
     */
    static boolean accepts(String address, int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(address, port), CONNECT_MILLIS);
            return true;
        } catch (IOException refused) {
            return false;
        }
    }

    private static boolean canListen(InetSocketAddress address) {
        try (ServerSocket socket = new ServerSocket()) {
            // As servers do: lingering connections of an earlier server are no obstacle.
            socket.setReuseAddress(true);
            socket.bind(address);
            return true;
        } catch (IOException taken) {
            return false;
        }
    }
}
