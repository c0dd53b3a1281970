/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */

import io.phasewise.common.cli.MissingException;
import io.phasewise.lab.process.CommandOutput;
import io.phasewise.lab.server.ServerKind;
import io.phasewise.lab.server.ServerProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Builds the servers that tests start, and compiles the Go modules that have tests, before any test
 * runs. A compiler that keeps every processor busy for minutes would slow brokers and canaries, and
 * tests that measure time would be red. What is built already takes a moment.
 *
 * <p>Argument: the root of the checkout. It never fails: the tests that need what cannot be built
 * say why.
 */
public final class CompileGo {
    private static final Duration BETWEEN_LINES = Duration.ofSeconds(30);
    private static final Duration MODULE_BOUND = Duration.ofMinutes(30);
    private static final int MODULE_DEPTH = 6;

    private CompileGo() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        Path root = Path.of(arguments[0]);
        ServerProvider servers = ServerProvider.forUser(root, System.getenv());
        for (ServerKind kind : List.of(ServerKind.PROMETHEUS, ServerKind.ALERTMANAGER, ServerKind.NODE_EXPORTER)) {
            try {
                servers.findOrBuild(kind, sayingNowAndThen(kind.program()));
            } catch (MissingException e) {
                System.out.println(kind.program() + ": " + e.getMessage());
            }
        }
        for (Path module : modules(root)) {
            compile(module);
        }
    }

    /** The directories of all Go modules; to compile one without packages costs a moment. */
    private static List<Path> modules(Path root) throws IOException {
        try (Stream<Path> files = Files.find(root, MODULE_DEPTH, (file, kind) -> file.endsWith("go.mod"))) {
            return files.filter(file -> !file.toString().contains("/target/"))
                    .map(Path::getParent)
                    .toList();
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
            // There is no Go; proving/needs has said so.
        }
    }
}
