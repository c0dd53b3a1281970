/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.fault;

import io.phasewise.lab.process.Await;
import io.phasewise.lab.process.CommandOutput;
import io.phasewise.lab.process.Programs;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Drops a share of the packets to one port of the loopback, so that TCP sends them again.
 *
 * <p>It uses a rule of nftables, in a table that an {@code nft} process owns. The kernel removes
 * the table when that process ends, and that process ends when its input is closed. So the loss
 * ends with the process that uses this class, even by SIGKILL. It needs root and nft 1.0 or newer;
 * it does not need netem in the kernel.
 */
public final class PacketLoss implements AutoCloseable {
    private static final long BOUND_SECONDS = 10;

    /** A port without a server, to try whether a rule is accepted. */
    private static final int TRIAL_PORT = 1;

    private final Process nft;
    private final PrintWriter commands;

    private PacketLoss(Process nft) {
        this.nft = nft;
        this.commands = new PrintWriter(nft.getOutputStream(), true, StandardCharsets.UTF_8);
    }

    /**
     * Why packets cannot be dropped on this machine, for people; empty when they can.
     *
     * @throws InterruptedException when interrupted; nothing is left running
     */
    public static Optional<String> obstacle() throws InterruptedException {
        try {
            begin(TRIAL_PORT, 0.001).close();
            return Optional.empty();
        } catch (IOException refused) {
            return Optional.of(refused.getMessage());
        }
    }

    /**
     * Drops packets from now on until closed.
     *
     * @param port that they are sent to, on the loopback
     * @param share of them, above 0 and below 1, to the thousandth
     * @throws IOException when the system refuses; the message says what is needed
     * @throws InterruptedException when interrupted; no packet is dropped then
     */
    public static PacketLoss begin(int port, double share) throws IOException, InterruptedException {
        String program = program();
        // In a process of its own, which fails when it is refused: an interactive nft prints the
        // error and goes on.
        run(program, "list", "tables");
        PacketLoss loss = new PacketLoss(new ProcessBuilder(program, "-i")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start());
        try {
            loss.rule(program, port, share);
            return loss;
        } catch (RuntimeException | IOException | InterruptedException refused) {
            loss.close();
            throw refused;
        }
    }

    private void rule(String program, int port, double share) throws IOException, InterruptedException {
        String table = "phasewise_" + ProcessHandle.current().pid() + "_" + nft.pid();
        commands.println("add table inet " + table + " { flags owner; }");
        commands.printf("add chain inet %s in { type filter hook input priority 0; policy accept; }%n", table);
        commands.printf(
                Locale.ROOT,
                "add rule inet %s in iifname lo tcp dport %d numgen random mod 1000 < %d drop%n",
                table,
                port,
                Math.max(1, Math.round(share * 1_000)));
        Await.that("nft loses packets to port " + port, Duration.ofSeconds(BOUND_SECONDS))
                .until(
                        () -> run(program, "list", "table", "inet", table).contains("dport " + port),
                        () -> "the rule is missing");
    }

    private static String program() throws IOException {
        // Users' search paths often lack these directories.
        return Programs.find("nft", System.getenv("PATH") + ":/usr/sbin:/sbin")
                .orElseThrow(() -> new IOException("nft is missing (Debian: nftables)"))
                .toString();
    }

    /** Runs a command to its end and returns its output. */
    private static String run(String... command) throws IOException, InterruptedException {
        CommandOutput said = CommandOutput.of(List.of(command), null, Duration.ofSeconds(BOUND_SECONDS));
        if (said.status() != 0) {
            throw new IOException("nft failed, it needs root: "
                    + said.lines().stream().findFirst().orElse(""));
        }
        return said.text();
    }

    /** Ends the loss. */
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
