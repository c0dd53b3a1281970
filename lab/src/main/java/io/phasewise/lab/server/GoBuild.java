/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.server;

import io.phasewise.lab.process.CommandOutput;
import io.phasewise.lab.process.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Compiles the commands of a pinned Go module.
 *
 * @param go path of the go program
 * @param directory of the go.mod
 * @param module what this go.mod pins
 * @param tags build tags, separated by commas
 * @param progress takes what is being done, in words, on another thread
 */
record GoBuild(Path go, Path directory, PinnedModule module, String tags, Consumer<String> progress) {
    /** From Go 1.21 on, Go downloads the newer release that a go.mod asks for. */
    private static final int FIRST_SELF_UPDATING_MINOR = 21;

    private static final Duration SHORT = Duration.ofSeconds(20);
    private static final Duration DOWNLOAD_BOUND = Duration.ofMinutes(10);
    private static final int DOWNLOAD_TRIES = 3;
    private static final Duration BUILD_BOUND = Duration.ofMinutes(40);
    private static final int KEPT_LINES = 15;
    private static final Pattern GO_VERSION = Pattern.compile("go version go1\\.(\\d{1,4})");

    /** Where Go's own instructions install it; often not on PATH. */
    private static final Path USUAL_PLACE = Path.of("/usr/local/go/bin/go");

    /**
     * Finds a Go that can build our modules.
     *
     * @param path the search path for programs; may be null
     * @throws IOException when there is none; the message says why
     */
    static Path find(String path) throws IOException, InterruptedException {
        Path go = Programs.find("go", path)
                .or(() -> Optional.of(USUAL_PLACE).filter(Files::isExecutable))
                .orElseThrow(() -> new IOException("there is no Go to build it with"));
        CommandOutput said = CommandOutput.of(List.of(go.toString(), "version"), null, SHORT);
        Matcher version = GO_VERSION.matcher(said.text());
        if (!version.find()) {
            throw new IOException(go + " does not say its version");
        }
        if (Integer.parseInt(version.group(1)) < FIRST_SELF_UPDATING_MINOR) {
            throw new IOException(go + " is Go 1." + version.group(1) + ", too old to build it");
        }
        return go;
    }

    /**
     * Builds.
     *
     * @param into directory for the programs, one for each command
     * @throws IOException when it fails; the message ends with the last lines of output
     * @throws InterruptedException when interrupted; nothing keeps running
     */
    void build(Path into) throws IOException, InterruptedException {
        int packages = download();
        AtomicInteger compiled = new AtomicInteger();
        run(
                List.of(
                        "build",
                        "-v",
                        "-trimpath",
                        // // Stamping needs the version control program, and says nothing about a
                        // pinned module.
                        "-buildvcs=false",
                        "-tags=" + tags,
                        "-ldflags=-s -w -X github.com/prometheus/common/version.Version=" + module.release(),
                        "-o",
                        into + "/"),
                BUILD_BOUND,
                line -> {
                    if (!line.startsWith("go: ")) {
                        // Packages in Go's cache print no line, so the build may end at a lower
                        // number.
                        say("compiling packages " + compiled.incrementAndGet() + " of " + packages);
                    }
                });
    }

    /**
     * Downloads all sources, so that later only the compiler is at work. Tries again when that
     * fails, within a bound: Go gives up at the first error of a proxy, and keeps what it has
     * downloaded.
     *
     * @return the number of packages
     */
    private int download() throws IOException, InterruptedException {
        say("getting modules");
        AtomicInteger downloads = new AtomicInteger();
        long start = System.nanoTime();
        for (int attempt = 1; ; attempt++) {
            AtomicInteger packages = new AtomicInteger();
            try {
                run(List.of("list", "-deps", "-tags=" + tags), DOWNLOAD_BOUND, line -> {
                    if (line.startsWith("go: ")) {
                        say("getting modules " + downloads.incrementAndGet());
                    } else {
                        packages.incrementAndGet();
                    }
                });
                return packages.get();
            } catch (IOException e) {
                if (attempt == DOWNLOAD_TRIES || System.nanoTime() - start >= DOWNLOAD_BOUND.toNanos()) {
                    throw e;
                }
            }
        }
    }

    private void say(String what) {
        progress.accept("building it, once: " + what);
    }

    private void run(List<String> arguments, Duration bound, Consumer<String> listener)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(go.toString()));
        command.addAll(arguments);
        command.addAll(module.commands());
        List<String> said = Collections.synchronizedList(new ArrayList<>());
        int status = CommandOutput.stream(
                command,
                directory,
                // CGO would need a C compiler, and these servers do not need CGO here.
                Map.of("CGO_ENABLED", "0", "GOWORK", "off"),
                bound,
                line -> {
                    said.add(line);
                    listener.accept(line);
                });
        if (status != 0) {
            String how =
                    status == -1 ? "took longer than " + bound.toMinutes() + " minutes" : "ended with status " + status;
            List<String> all = List.copyOf(said);
            List<String> last = all.subList(Math.max(0, all.size() - KEPT_LINES), all.size());
            throw new IOException("go " + arguments.get(0) + " " + how + ":\n" + String.join("\n", last));
        }
    }
}
