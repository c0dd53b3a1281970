/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.host;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.DatagramChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.TimeUnit;

/**
 * Passes packets between hosts on, each held back as long as its wire says. They come and go in
 * VXLAN (RFC 7348): eight bytes, then the Ethernet frame. Frames to nobody that is known are
 * dropped.
 */
final class Relay implements AutoCloseable {
    private static final int VXLAN_BYTES = 8;
    private static final int MAC_BYTES = 6;
    private static final int MOST_BYTES = 1 << 16;

    private final List<DatagramChannel> channels = new ArrayList<>();
    private final List<InetSocketAddress> hosts;
    private final List<List<Wire>> wires = new ArrayList<>();
    private final DelayQueue<Held> held = new DelayQueue<>();
    private Thread sender;

    /** A packet that came at one instant and is to go at another. */
    private record Held(byte[] packet, Wire wire, int to, long cameNanos, long dueNanos) implements Delayed {
        @Override
        public long getDelay(TimeUnit unit) {
            return unit.convert(dueNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
        }

        @Override
        public int compareTo(Delayed other) {
            return Long.signum(dueNanos - ((Held) other).dueNanos);
        }
    }

    private Relay(List<InetSocketAddress> hosts) {
        this.hosts = hosts;
        for (int from = 0; from < hosts.size(); from++) {
            wires.add(new ArrayList<>());
            hosts.forEach(to -> wires.get(wires.size() - 1).add(new Wire()));
        }
    }

    /**
     * Passes packets on until it is closed.
     *
     * @param own the address that each host sends to
     * @param hosts the address of each host
     * @throws IOException when an address cannot be bound
     */
    static Relay start(List<InetSocketAddress> own, List<InetSocketAddress> hosts) throws IOException {
        Relay relay = new Relay(hosts);
        try {
            for (InetSocketAddress address : own) {
                relay.channels.add(DatagramChannel.open().bind(address));
            }
        } catch (IOException taken) {
            relay.close();
            throw new IOException("the relay cannot be bound: " + taken.getMessage(), taken);
        }
        for (int from = 0; from < own.size(); from++) {
            int host = from;
            relay.thread("from-" + (host + 1), () -> relay.receive(host));
        }
        relay.sender = relay.thread("send", relay::send);
        return relay;
    }

    /** The way from one host to another, both from 1. */
    Wire wire(int from, int to) {
        return wires.get(from - 1).get(to - 1);
    }

    private Thread thread(String what, Runnable task) {
        Thread thread = new Thread(task, "relay-" + what);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private void receive(int from) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(MOST_BYTES);
        try {
            while (true) {
                buffer.clear();
                channels.get(from).receive(buffer);
                long now = System.nanoTime();
                buffer.flip();
                int to = destination(buffer);
                if (to >= 0) {
                    byte[] packet = new byte[buffer.remaining()];
                    buffer.get(packet);
                    Wire wire = wires.get(from).get(to);
                    held.add(new Held(packet, wire, to, now, now + wire.delayNanos()));
                }
            }
        } catch (ClosedChannelException closed) {
            return;
        } catch (IOException e) {
            throw new IllegalStateException("a packet of host " + (from + 1) + " cannot be read", e);
        }
    }

    /** The index of the host that a frame is for; negative for any other address. */
    private int destination(ByteBuffer packet) {
        if (packet.remaining() < VXLAN_BYTES + 2 * MAC_BYTES || packet.get(VXLAN_BYTES) != 2) {
            return -1;
        }
        int number = packet.get(VXLAN_BYTES + MAC_BYTES - 1);
        return number <= hosts.size() ? number - 1 : -1;
    }

    private void send() {
        try {
            while (true) {
                Held next = held.take();
                next.wire().passed(System.nanoTime() - next.cameNanos(), next.dueNanos() - next.cameNanos());
                channels.get(next.to()).send(ByteBuffer.wrap(next.packet()), hosts.get(next.to()));
            }
        } catch (InterruptedException | ClosedChannelException closed) {
            return;
        } catch (IOException e) {
            throw new IllegalStateException("a packet cannot be passed on", e);
        }
    }

    @Override
    public void close() {
        if (sender != null) {
            sender.interrupt();
        }
        for (DatagramChannel channel : channels) {
            try {
                channel.close();
            } catch (IOException alreadyGone) {
                // Closed is what it was meant to be.
            }
        }
    }
}
