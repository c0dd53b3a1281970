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
 * TCP ports that are free and stay ours until closed, even while nothing listens on them: a server
 * may be stopped and started again on its port while other test suites pick theirs.
 *
 * <p>A port is held by binding the UDP port of the same number, which every user of this class
 * tries first: no two get the same, and the system lets go of the ports of a process that dies. The
 * ports lie below those that Linux hands out for outgoing connections, so none of them is taken by
 * chance either (but for those that are asked for by number).
 */
public final class PortLease implements AutoCloseable {

    private static final int LOWEST = 20_000;
    private static final int HIGHEST = 32_000;

    private final List<DatagramSocket> holders;

    private PortLease(List<DatagramSocket> holders) {
        this.holders = List.copyOf(holders);
    }

    /**
     * Takes ports.
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
     * Takes these ports and no others.
     *
     * @param ports all different, 1 to 65535
     * @return empty when one of them is taken; then none is held
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
