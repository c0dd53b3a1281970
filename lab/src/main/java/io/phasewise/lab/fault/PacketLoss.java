/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.fault;

import io.phasewise.lab.process.Programs;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Loses a share of the packets to one port of the loopback, so that TCP sends them again; which
 * ports may be treated so is the caller's business.
 *
 * <p>A rule of nftables, in a table that belongs to one {@code nft} process: the kernel drops the
 * table with the process, and the process ends with whoever holds its input. So the loss is over
 * when the process that asked for it ends, even by SIGKILL. Needs root and nft 1.0 or newer, and no
 * netem in the kernel.
 */
public final class PacketLoss implements AutoCloseable {
    private static final long BOUND_SECONDS = 10;

    /** Where nobody listens: to try whether a rule is accepted. */
    private static final int NOBODYS_PORT = 1;

    private final Process nft;
    private final PrintWriter commands;

    private PacketLoss(Process nft) {
        this.nft = nft;
        this.commands = new PrintWriter(nft.getOutputStream(), true, StandardCharsets.UTF_8);
    }

    /**
     * Why no packet can be lost on this machine, for people; empty when one can.
     *
     * @throws InterruptedException when interrupted; nothing is left running
     */
    public static Optional<String> obstacle() throws InterruptedException {
        try {
            begin(NOBODYS_PORT, 0.001).close();
            return Optional.empty();
        } catch (IOException refused) {
            return Optional.of(refused.getMessage());
        }
    }

    /**
     * Loses packets from now on until closed.
     *
     * @param port where they go, on the loopback
     * @param share of them, above 0 and below 1, to the thousandth
     * @throws IOException when the system refuses; the message says what is needed
     * @throws InterruptedException when interrupted; nothing is lost then
     */
    public static PacketLoss begin(int port, double share)
            throws IOException, InterruptedException {
        if (!(share > 0 && share < 1)) {
            throw new IllegalArgumentException("share of packets " + share);
        }
        String program = program();
        // Asked on its own: an interactive nft says what it is refused, and goes on.
        run(program, "list", "tables");
        PacketLoss loss =
                new PacketLoss(
                        new ProcessBuilder(program, "-i")
                                .redirectErrorStream(true)
                                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                                .start());
        boolean begun = false;
        try {
            loss.rule(program, port, share);
            begun = true;
            return loss;
        } finally {
            if (!begun) {
                loss.close();
            }
        }
    }

    private void rule(String program, int port, double share)
            throws IOException, InterruptedException {
        String table = "phasewise_" + ProcessHandle.current().pid() + "_" + nft.pid();
        commands.println("add table inet " + table + " { flags owner; }");
        commands.println(
                "add chain inet "
                        + table
                        + " in { type filter hook input priority 0; policy accept; }");
        commands.printf(
                Locale.ROOT,
                "add rule inet %s in iifname lo tcp dport %d numgen random mod 1000 < %d drop%n",
                table,
                port,
                Math.max(1, Math.round(share * 1_000)));
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(BOUND_SECONDS);
        String last = "";
        while (System.nanoTime() - end < 0) {
            try {
                last = run(program, "list", "table", "inet", table);
                if (last.contains("dport " + port)) {
                    return;
                }
            } catch (IOException notYet) {
                last = notYet.getMessage();
            }
            Thread.sleep(20);
        }
        throw new IOException("nft did not take a rule that loses packets: " + last);
    }

    private static String program() throws IOException {
        // Where users' search paths often do not lead.
        return Programs.find("nft", System.getenv("PATH") + ":/usr/sbin:/sbin")
                .orElseThrow(() -> new IOException("nft is missing (Debian: nftables)"))
                .toString();
    }

    /** What it prints. */
    private static String run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try {
            process.getOutputStream().close();
            // Ends with the process, which has little to say.
            String said =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                            .strip();
            if (!process.waitFor(BOUND_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
                List<String> lines = new ArrayList<>(said.lines().toList());
                throw new IOException(
                        "nft was refused, it needs root: " + (lines.isEmpty() ? "" : lines.get(0)));
            }
            return said;
        } finally {
            process.destroyForcibly();
        }
    }

    /** Loses none from now on. */
    @Override
    public void close() throws InterruptedException {
        commands.close();
        try {
            nft.waitFor(BOUND_SECONDS, TimeUnit.SECONDS);
        } finally {
            nft.destroyForcibly();
        }
    }
}
