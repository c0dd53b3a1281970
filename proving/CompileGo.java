/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */

import io.phasewise.common.cli.MissingException;
import io.phasewise.lab.process.CommandOutput;
import io.phasewise.lab.server.ServerKind;
import io.phasewise.lab.server.ServerProvider;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Builds the servers that tests start, and compiles the Go modules that are tested, before any test runs: a compiler that
 * keeps every processor busy for minutes beside brokers and canaries makes their latencies long and tests of time red.
 * What is built already costs a moment.
 *
 * <p>Argument: the checkout's root. It never fails: what cannot be built is left to the tests that need it, which say why.
 */
public final class CompileGo {
    private static final Duration BETWEEN_LINES = Duration.ofSeconds(30);
    private static final Duration MODULE_BOUND = Duration.ofMinutes(30);

    private CompileGo() {}

    public static void main(String[] arguments) throws InterruptedException {
        Path root = Path.of(arguments[0]);
        ServerProvider servers = ServerProvider.forUser(root, System.getenv());
        for (ServerKind kind : List.of(ServerKind.PROMETHEUS, ServerKind.ALERTMANAGER, ServerKind.NODE_EXPORTER)) {
            try {
                servers.findOrBuild(kind, sayingNowAndThen(kind.program()));
            } catch (MissingException e) {
                System.out.println(kind.program() + ": " + e.getMessage());
            }
        }
        for (String module : List.of(
                "prometheus/generate",
                "dashboards",
                "alerting",
                "deploy",
                "deploy/docker",
                "deploy/release",
                "exporter/src/test/go/franz")) {
            compile(root.resolve(module));
        }
    }

    private static Consumer<String> sayingNowAndThen(String program) {
        AtomicLong next = new AtomicLong(System.nanoTime());
        return what -> {
            long now = System.nanoTime();
            long due = next.get();
            if (now - due >= 0 && next.compareAndSet(due, now + BETWEEN_LINES.toNanos())) {
                System.out.println(program + ": " + what);
            }
        };
    }

    private static void compile(Path module) throws InterruptedException {
        List<String> command = List.of("go", "list", "-export", "-deps", "-test", "./...");
        try {
            CommandOutput.of(command, module, MODULE_BOUND);
        } catch (IOException e) {
            // No Go; proving/needs has said so.
        }
    }
}
