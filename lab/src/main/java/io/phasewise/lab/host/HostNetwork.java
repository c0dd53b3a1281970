/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.host;

import io.phasewise.common.file.JarResource;
import io.phasewise.lab.process.CommandOutput;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Hosts in network namespaces of their own, between which every packet takes as long as it is told.
 * It needs root, and the programs ip, nsenter, unshare and ethtool; it does not need netem in the
 * kernel.
 *
 * <p>From this process's namespace a host is reached without delay. A namespace is held by a process
 * that ends when its input is closed. So nothing is left when this process ends, even by SIGKILL.
 */
public final class HostNetwork implements AutoCloseable {
    private static final Duration BOUND = Duration.ofSeconds(30);
    private static final String HOLD = "echo held; exec cat";

    private final int network;
    private final List<Process> holders = new ArrayList<>();
    private Relay relay;

    private HostNetwork(int network) {
        this.network = network;
    }

    /**
     * Why there can be no hosts on this machine, for people; empty when there can.
     *
     * @throws InterruptedException when interrupted; nothing is left
     */
    public static Optional<String> obstacle() throws InterruptedException {
        try {
            of(2).close();
            return Optional.empty();
        } catch (IOException refused) {
            return Optional.of(refused.getMessage());
        }
    }

    /**
     * Makes hosts, without a delay between them.
     *
     * @param count 1 to 60
     * @throws IOException when the system refuses; the message has its words
     * @throws InterruptedException when interrupted; nothing is left
     */
    public static HostNetwork of(int count) throws IOException, InterruptedException {
        // Another process may have hosts, too.
        HostNetwork made = new HostNetwork(1 + (int) (ProcessHandle.current().pid() % 250));
        try {
            for (int number = 1; number <= count; number++) {
                made.add(number, count);
            }
            made.relay = Relay.start(made.ends(count, 1), made.ends(count, 2));
            return made;
        } catch (RuntimeException | IOException | InterruptedException refused) {
            made.close();
            throw refused;
        }
    }

    private void add(int number, int count) throws IOException, InterruptedException {
        Process holder = new ProcessBuilder("unshare", "--net", "--", "sh", "-c", HOLD)
                .redirectErrorStream(true)
                .start();
        holders.add(holder);
        String said = holder.inputReader().readLine();
        if (!"held".equals(said)) {
            throw new IOException("no network namespace: " + said);
        }
        List<String> command = List.of(
                "bash",
                "-euc",
                JarResource.text(HostNetwork.class, "host.sh"),
                "host.sh",
                Long.toString(holder.pid()),
                Integer.toString(network),
                Integer.toString(number),
                Integer.toString(count));
        CommandOutput wired = CommandOutput.of(command, null, BOUND);
        if (wired.status() != 0) {
            throw new IOException("host " + number + " cannot be wired: " + wired.text());
        }
    }

    private List<InetSocketAddress> ends(int count, int end) {
        List<InetSocketAddress> ends = new ArrayList<>();
        for (int number = 1; number <= count; number++) {
            ends.add(new InetSocketAddress("172.31.%d.%d".formatted(network, 4 * number + end), 4789));
        }
        return ends;
    }

    /**
     * One of the hosts.
     *
     * @param number from 1
     */
    public Host host(int number) {
        String namespace = "--net=/proc/" + holders.get(number - 1).pid() + "/ns/net";
        return new Host("10.77.%d.%d".formatted(network, number), List.of("nsenter", namespace, "--"));
    }

    /**
     * Has packets take that long from now on, both ways.
     *
     * @param oneWay to the microsecond
     */
    public void delay(int host, int other, Duration oneWay) {
        relay.wire(host, other).delay(oneWay);
        relay.wire(other, host).delay(oneWay);
    }

    /**
     * For how long packets were held back on the mean since the delay was set, both ways; seconds.
     * NaN where there were none.
     */
    public double heldSeconds(int host, int other) {
        return (relay.wire(host, other).heldSeconds() + relay.wire(other, host).heldSeconds()) / 2;
    }

    /** Removes the hosts. Processes that still run there lose their network. */
    @Override
    public void close() throws InterruptedException {
        if (relay != null) {
            relay.close();
        }
        for (int number = 1; number <= holders.size(); number++) {
            Process holder = holders.get(number - 1);
            try {
                CommandOutput.of(List.of("ip", "link", "delete", "pw" + network + "-" + number), null, BOUND);
                holder.outputWriter().close();
                holder.waitFor(BOUND.toSeconds(), TimeUnit.SECONDS);
            } catch (IOException notLeft) {
                throw new UncheckedIOException(notLeft);
            } finally {
                holder.destroyForcibly();
            }
        }
    }
}
