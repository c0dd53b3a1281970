/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.net;

import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Free TCP ports that stay reserved until this is closed, even while nothing listens on them. So a
 * server can be stopped and started again on its port while other test suites take ports.
 *
 * <p>A port is reserved by binding the UDP port of the same number. Every user of this class does
 * that first, so no two get the same port, and the system frees the ports of a process that dies.
 * The ports lie below those that Linux uses for outgoing connections, so none is taken by chance,
 * except ports that are asked for by number.
 */
public final class PortLease implements AutoCloseable {

    private static final int LOWEST = 20_000;
    private static final int HIGHEST = 32_000;

    private final List<DatagramSocket> holders;

    private PortLease(List<DatagramSocket> holders) {
        this.holders = List.copyOf(holders);
    }

    /**
     * Reserves free ports.
     *
     * @param count how many, at least 0
     * @throws IllegalStateException when there are not that many free ones
     */
    public static PortLease take(int count) {
        List<DatagramSocket> holders = new ArrayList<>();
        int range = HIGHEST - LOWEST;
        int start = ThreadLocalRandom.current().nextInt(range);
        for (int i = 0; holders.size() < count && i < range; i++) {
            hold(LOWEST + (start + i) % range).ifPresent(holders::add);
        }
        PortLease lease = new PortLease(holders);
        if (holders.size() < count) {
            lease.close();
            throw new IllegalStateException("no " + count + " free ports from " + LOWEST + " to " + (HIGHEST - 1));
        }
        return lease;
    }

    /**
     * Reserves exactly these ports.
     *
     * @param ports all different, 1 to 65535
     * @return empty when one of them is taken; then none is reserved
     */
    public static Optional<PortLease> of(List<Integer> ports) {
        List<DatagramSocket> holders = new ArrayList<>();
        ports.forEach(port -> hold(port).ifPresent(holders::add));
        PortLease lease = new PortLease(holders);
        if (holders.size() == ports.size()) {
            return Optional.of(lease);
        }
        lease.close();
        return Optional.empty();
    }

    /** The ports, all different. */
    public List<Integer> ports() {
        return holders.stream().map(DatagramSocket::getLocalPort).toList();
    }

    /**
     * One of the ports.
     *
     * @param index from 0
     */
    public int port(int index) {
        return holders.get(index).getLocalPort();
    }

    /** Gives the ports back. */
    @Override
    public void close() {
        holders.forEach(DatagramSocket::close);
    }

    private static Optional<DatagramSocket> hold(int port) {
        DatagramSocket holder;
        try {
            holder = new DatagramSocket(port, InetAddress.getLoopbackAddress());
        } catch (SocketException taken) {
            return Optional.empty();
        }
        if (Ports.isFree(port)) {
            return Optional.of(holder);
        }
        holder.close();
        return Optional.empty();
    }
}
