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
 * Compiles the commands of a pinned module into a directory. Where that directory is kept is left
 * to the caller.
 */
final class GoBuild {

    /** From this release on, Go fetches by itself the newer release that a go.mod asks for. */
    private static final int FIRST_SELF_UPDATING_MINOR = 21;

    private static final Duration SHORT = Duration.ofSeconds(20);
    private static final Duration DOWNLOAD_BOUND = Duration.ofMinutes(10);
    private static final int DOWNLOAD_TRIES = 3;
    private static final Duration BUILD_BOUND = Duration.ofMinutes(40);
    private static final int KEPT_LINES = 15;
    private static final Pattern GO_VERSION = Pattern.compile("go version go1\\.(\\d{1,4})");

    /** Where Go's own instructions install it, often without PATH being told. */
    private static final Path USUAL_PLACE = Path.of("/usr/local/go/bin/go");

    private final Path go;

    private GoBuild(Path go) {
        this.go = go;
    }

    /**
     * Either a usable Go, or why there is none.
     *
     * @param build null when there is none
     * @param reason empty when there is one
     */
    record Search(GoBuild build, String reason) {}

    /**
     * Looks for a Go that can build our modules.
     *
     * @param path the search path for programs; may be null
     */
    static Search find(String path) throws InterruptedException {
        Optional<Path> go =
                Programs.find("go", path)
                        .or(() -> Optional.of(USUAL_PLACE).filter(Files::isExecutable));
        if (go.isEmpty()) {
            return no("there is no Go to build it with");
        }
        CommandOutput said;
        try {
            said = CommandOutput.of(List.of(go.get().toString(), "version"), null, SHORT);
        } catch (IOException e) {
            return no(go.get() + " does not run: " + e.getMessage());
        }
        Matcher version = GO_VERSION.matcher(said.text());
        if (!version.find()) {
            return no(go.get() + " does not say its version");
        }
        if (Integer.parseInt(version.group(1)) < FIRST_SELF_UPDATING_MINOR) {
            return no(go.get() + " is Go 1." + version.group(1) + ", too old to build it");
        }
        return new Search(new GoBuild(go.get()), "");
    }

    private static Search no(String reason) {
        return new Search(null, reason);
    }

    /**
     * Builds.
     *
     * @param moduleDirectory holds the go.mod
     * @param into gets one program for each command
     * @throws IOException when it fails; the message ends with the last lines of output
     * @throws InterruptedException when interrupted; nothing keeps running
     */
    void build(
            Path moduleDirectory,
            PinnedModule module,
            List<String> tags,
            Path into,
            BuildProgress progress)
            throws IOException, InterruptedException {
        String tagList = String.join(",", tags);
        progress.at(BuildProgress.Stage.DOWNLOADING, 0, 0);
        int packages = countPackages(moduleDirectory, module, tagList, progress);
        AtomicInteger compiled = new AtomicInteger();
        progress.at(BuildProgress.Stage.COMPILING, 0, packages);
        List<String> command =
                new ArrayList<>(
                        List.of(
                                go.toString(),
                                "build",
                                "-v",
                                "-trimpath",
                                // Needs the version control program and says nothing about a module
                                // of the pinned kind.
                                "-buildvcs=false",
                                "-tags=" + tagList,
                                "-ldflags=-s -w -X github.com/prometheus/common/version.Version="
                                        + module.release(),
                                "-o",
                                into + "/"));
        command.addAll(module.commands());
        run(
                command,
                moduleDirectory,
                BUILD_BOUND,
                line -> {
                    if (!line.startsWith("go: ")) {
                        progress.at(
                                BuildProgress.Stage.COMPILING,
                                Math.min(compiled.incrementAndGet(), packages),
                                packages);
                    }
                });
    }

    /**
     * Also downloads: afterwards only the compiler is at work. Tries again where that fails, unless
     * its time is over: Go gives up at the first error of a proxy, and keeps what it got.
     */
    private int countPackages(
            Path moduleDirectory, PinnedModule module, String tagList, BuildProgress progress)
            throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(List.of(go.toString(), "list", "-deps", "-tags=" + tagList));
        command.addAll(module.commands());
        AtomicInteger downloads = new AtomicInteger();
        long start = System.nanoTime();
        for (int attempt = 1; ; attempt++) {
            AtomicInteger packages = new AtomicInteger();
            try {
                run(
                        command,
                        moduleDirectory,
                        DOWNLOAD_BOUND,
                        line -> {
                            if (line.startsWith("go: ")) {
                                int done = downloads.incrementAndGet();
                                progress.at(BuildProgress.Stage.DOWNLOADING, done, 0);
                            } else {
                                packages.incrementAndGet();
                            }
                        });
                return packages.get();
            } catch (IOException e) {
                if (attempt == DOWNLOAD_TRIES
                        || System.nanoTime() - start >= DOWNLOAD_BOUND.toNanos()) {
                    throw e;
                }
            }
        }
    }

    private static void run(
            List<String> command, Path directory, Duration bound, Consumer<String> listener)
            throws IOException, InterruptedException {
        List<String> said = Collections.synchronizedList(new ArrayList<>());
        int status =
                CommandOutput.stream(
                        command,
                        directory,
                        // CGO would need a C compiler, for nothing that these servers do here.
                        Map.of("CGO_ENABLED", "0", "GOWORK", "off"),
                        bound,
                        line -> {
                            said.add(line);
                            listener.accept(line);
                        });
        if (status != 0) {
            List<String> all = List.copyOf(said);
            throw new IOException(
                    "go %s %s:%n%s"
                            .formatted(
                                    command.get(1),
                                    status == -1
                                            ? "took longer than " + bound.toMinutes() + " minutes"
                                            : "ended with status " + status,
                                    String.join(
                                            "\n",
                                            all.subList(
                                                    Math.max(0, all.size() - KEPT_LINES),
                                                    all.size()))));
        }
    }
}
