/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.server;

import io.phasewise.lab.file.FileTree;
import io.phasewise.lab.file.LockFile;
import io.phasewise.lab.process.Programs;
import io.phasewise.lab.server.Lookup.Found;
import io.phasewise.lab.server.Lookup.Missing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Gets Prometheus, Alertmanager and node_exporter: installed and recent enough, or built earlier,
 * or built now from the pinned modules. Running them is left to {@link ServerSpecs}.
 *
 * <p>Two that want the same build at the same time, in one process or several, build it once.
 */
public final class ServerProvider {

    private static final String UNFINISHED = ".new-";
    private static final Duration LOCK_BOUND = Duration.ofMinutes(45);

    private final Path root;
    private final Path cache;
    private final String searchPath;

    /**
     * @param root the repository's root, where the modules are
     * @param cache where built servers are kept, for instance {@code ~/.cache/phasewise}; need not
     *     exist
     * @param searchPath where installed programs are looked for, as in PATH; null for nowhere
     */
    public ServerProvider(Path root, Path cache, String searchPath) {
        this.root = root;
        this.cache = cache;
        this.searchPath = searchPath;
    }

    /**
     * For this user: the cache in {@code $XDG_CACHE_HOME/phasewise} or {@code ~/.cache/phasewise},
     * programs from PATH.
     *
     * @param environment the process's environment
     */
    public static ServerProvider forUser(Path root, Map<String, String> environment) {
        String configured = environment.get("XDG_CACHE_HOME");
        Path base =
                configured == null || configured.isBlank()
                        ? Path.of(System.getProperty("user.home"), ".cache")
                        : Path.of(configured);
        return new ServerProvider(root, base.resolve("phasewise"), environment.get("PATH"));
    }

    /**
     * Looks without building.
     *
     * @return {@code Missing} says whether a build would help
     * @throws InterruptedException when interrupted
     */
    public Lookup<ServerInstallation> find(ServerKind kind) throws InterruptedException {
        return look(kind, (module, reasons) -> no(reasons, "none was built yet"));
    }

    /**
     * Looks, settles for an installed one that is old but will do rather than build one, and builds
     * when there is none at all.
     *
     * @param progress told while it is built; called from another thread
     * @return see {@link ServerInstallation#isFull}
     * @throws InterruptedException when interrupted
     */
    public Lookup<ServerInstallation> findOldOrBuild(ServerKind kind, BuildProgress progress)
            throws InterruptedException {
        Lookup<ServerInstallation> full = find(kind);
        if (full.found().isPresent()) {
            return full;
        }
        Optional<ServerInstallation> old = onPath(kind, kind.oldest(), new ArrayList<>());
        return old.isPresent() ? new Found<>(old.get()) : findOrBuild(kind, progress);
    }

    /**
     * Looks, and builds when there is none. The first build takes minutes.
     *
     * @param progress told while it is built; called from another thread
     * @throws InterruptedException when interrupted; a build is abandoned and leaves nothing behind
     */
    public Lookup<ServerInstallation> findOrBuild(ServerKind kind, BuildProgress progress)
            throws InterruptedException {
        return look(
                kind,
                (module, reasons) -> {
                    GoBuild.Search search = GoBuild.find(searchPath);
                    if (search.build() == null) {
                        return no(reasons, search.reason());
                    }
                    try {
                        return Optional.of(buildOnce(kind, module, search.build(), progress));
                    } catch (IOException failed) {
                        return no(reasons, "building it failed: " + failed.getMessage());
                    }
                });
    }

    /** What is done when neither an installed nor a built server is there. */
    private interface LastResort {
        Optional<ServerInstallation> get(PinnedModule module, List<String> reasons)
                throws InterruptedException;
    }

    private static Optional<ServerInstallation> no(List<String> reasons, String reason) {
        reasons.add(reason);
        return Optional.empty();
    }

    private Lookup<ServerInstallation> look(ServerKind kind, LastResort lastResort)
            throws InterruptedException {
        List<String> reasons = new ArrayList<>();
        Optional<ServerInstallation> found = onPath(kind, kind.minimum(), reasons);
        if (found.isEmpty()) {
            try {
                PinnedModule module =
                        PinnedModule.read(root.resolve(kind.directory()).resolve("go.mod"), kind);
                found = inCache(kind, module);
                if (found.isEmpty()) {
                    found = lastResort.get(module, reasons);
                }
            } catch (IOException unusable) {
                reasons.add(unusable.getMessage());
            }
        }
        if (found.isPresent()) {
            return new Found<>(found.get());
        }
        String tool = kind.tool().equals(kind.program()) ? "" : " and " + kind.tool();
        return new Missing<>(
                String.join("; ", reasons),
                "Install %s%s %s or newer on PATH, or Go 1.21 or newer (https://go.dev/dl) to have them built."
                        .formatted(kind.program(), tool, kind.minimum()));
    }

    private Optional<ServerInstallation> onPath(
            ServerKind kind, Version minimum, List<String> reasons) throws InterruptedException {
        Optional<Path> server = Programs.find(kind.program(), searchPath);
        Optional<Path> tool = Programs.find(kind.tool(), searchPath);
        if (server.isEmpty() || tool.isEmpty()) {
            return no(
                    reasons,
                    "no " + (server.isEmpty() ? kind.program() : kind.tool()) + " on PATH");
        }
        Optional<Version> version = Version.of(server.get());
        if (version.isEmpty()) {
            return no(reasons, server.get() + " does not say its version");
        }
        if (!version.get().isAtLeast(minimum)) {
            return no(reasons, server.get() + " is " + version.get() + ", older than " + minimum);
        }
        return Optional.of(new ServerInstallation(server.get(), tool.get(), version.get()));
    }

    private Path home(ServerKind kind, PinnedModule module) {
        return cache.resolve("servers")
                .resolve(kind.program() + "-" + module.release() + "-" + module.digest());
    }

    private Optional<ServerInstallation> inCache(ServerKind kind, PinnedModule module) {
        Path server = home(kind, module).resolve(kind.program());
        Path tool = home(kind, module).resolve(kind.tool());
        return Files.isExecutable(server) && Files.isExecutable(tool)
                ? Optional.of(new ServerInstallation(server, tool, module.release()))
                : Optional.empty();
    }

    private ServerInstallation buildOnce(
            ServerKind kind, PinnedModule module, GoBuild go, BuildProgress progress)
            throws IOException, InterruptedException {
        Path home = home(kind, module);
        Files.createDirectories(home.getParent());
        Optional<LockFile> lock =
                LockFile.take(
                        home.resolveSibling(home.getFileName() + ".lock"),
                        LOCK_BOUND,
                        () -> progress.at(BuildProgress.Stage.WAITING, 0, 0));
        if (lock.isEmpty()) {
            throw new IOException("another build of " + kind.program() + " goes on and on");
        }
        try (LockFile held = lock.get()) {
            Optional<ServerInstallation> builtMeanwhile = inCache(kind, module);
            if (builtMeanwhile.isPresent()) {
                return builtMeanwhile.get();
            }
            // Whoever made these was killed: the lock is ours now.
            for (Path abandoned : unfinished(home)) {
                FileTree.delete(abandoned);
            }
            Path making =
                    Files.createTempDirectory(home.getParent(), home.getFileName() + UNFINISHED);
            try {
                go.build(
                        root.resolve(kind.directory()), module, kind.buildTags(), making, progress);
                // What an interrupted build of an earlier release of this program may have left.
                FileTree.delete(home);
                Files.move(making, home, StandardCopyOption.ATOMIC_MOVE);
            } finally {
                FileTree.delete(making);
            }
            return inCache(kind, module)
                    .orElseThrow(() -> new IOException("the build made no " + kind.program()));
        }
    }

    private static List<Path> unfinished(Path home) throws IOException {
        String prefix = home.getFileName() + UNFINISHED;
        try (Stream<Path> files = Files.list(home.getParent())) {
            return files.filter(file -> file.getFileName().toString().startsWith(prefix)).toList();
        }
    }
}
