/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.server;

import io.phasewise.common.cli.MissingException;
import io.phasewise.lab.file.FileTree;
import io.phasewise.lab.file.LockFile;
import io.phasewise.lab.process.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Finds Prometheus, Alertmanager and node_exporter: installed and new enough, or built earlier, or
 * built now from the pinned modules. {@link ServerSpecs} says how to run them.
 *
 * <p>When several threads or processes want the same build at the same time, it is built once.
 */
public final class ServerProvider {

    private static final String UNFINISHED = ".new-";
    private static final Duration LOCK_BOUND = Duration.ofMinutes(45);

    private final Path root;
    private final Path cache;
    private final String searchPath;

    /**
     * @param root of the repository, where the modules are
     * @param cache directory for built servers, for instance {@code ~/.cache/phasewise}; need
     *     not exist
     * @param searchPath where to look for installed programs, as in PATH; null: nowhere
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
        Path base = configured == null || configured.isBlank()
                ? Path.of(System.getProperty("user.home"), ".cache")
                : Path.of(configured);
        return new ServerProvider(root, base.resolve("phasewise"), environment.get("PATH"));
    }

    /**
     * Finds a server, and builds it when there is none. The first build takes minutes.
     *
     * @param progress takes what is being done, in words, while it is built; on another thread
     * @throws MissingException when it can be neither found nor built
     * @throws InterruptedException when interrupted; a build is abandoned and leaves nothing behind
     */
    public ServerInstallation findOrBuild(ServerKind kind, Consumer<String> progress) throws InterruptedException {
        return get(kind, kind.minimum(), progress);
    }

    /**
     * The same, but prefers an installed server of the oldest usable release to a build.
     *
     * @return see {@link ServerInstallation#isFull}
     */
    public ServerInstallation findOldOrBuild(ServerKind kind, Consumer<String> progress) throws InterruptedException {
        return get(kind, kind.oldest(), progress);
    }

    private ServerInstallation get(ServerKind kind, Version oldest, Consumer<String> progress)
            throws InterruptedException {
        List<String> reasons = new ArrayList<>();
        Optional<ServerInstallation> installed = onPath(kind, oldest, reasons);
        if (installed.isPresent() && installed.get().isFull(kind)) {
            return installed.get();
        }
        try {
            Path directory = root.resolve(kind.directory());
            PinnedModule module = PinnedModule.read(directory.resolve("go.mod"), kind);
            Optional<ServerInstallation> found = inCache(kind, module).or(() -> installed);
            if (found.isPresent()) {
                return found.get();
            }
            Path go = GoBuild.find(searchPath);
            try {
                return buildOnce(kind, new GoBuild(go, directory, module, kind.buildTags(), progress));
            } catch (IOException failed) {
                reasons.add("building it failed: " + failed.getMessage());
            }
        } catch (IOException unusable) {
            reasons.add(unusable.getMessage());
        }
        String tool = kind.tool().equals(kind.program()) ? "" : " and " + kind.tool();
        throw new MissingException(
                String.join("; ", reasons),
                "Install %s%s %s or newer on PATH, or Go 1.21 or newer (https://go.dev/dl) to have them built."
                        .formatted(kind.program(), tool, kind.minimum()));
    }

    private Optional<ServerInstallation> onPath(ServerKind kind, Version minimum, List<String> reasons)
            throws InterruptedException {
        try {
            Path server = program(kind.program());
            Path tool = program(kind.tool());
            return Optional.of(new ServerInstallation(server, tool, Version.of(server, minimum)));
        } catch (IOException unusable) {
            reasons.add(unusable.getMessage());
            return Optional.empty();
        }
    }

    private Path program(String name) throws IOException {
        return Programs.find(name, searchPath).orElseThrow(() -> new IOException("no " + name + " on PATH"));
    }

    private Path home(ServerKind kind, PinnedModule module) {
        return cache.resolve("servers").resolve(kind.program() + "-" + module.release() + "-" + module.digest());
    }

    private Optional<ServerInstallation> inCache(ServerKind kind, PinnedModule module) {
        Path server = home(kind, module).resolve(kind.program());
        Path tool = home(kind, module).resolve(kind.tool());
        return Files.isExecutable(server) && Files.isExecutable(tool)
                ? Optional.of(new ServerInstallation(server, tool, module.release()))
                : Optional.empty();
    }

    private ServerInstallation buildOnce(ServerKind kind, GoBuild build) throws IOException, InterruptedException {
        PinnedModule module = build.module();
        Path home = home(kind, module);
        Files.createDirectories(home.getParent());
        Optional<LockFile> lock = LockFile.take(
                home.resolveSibling(home.getFileName() + ".lock"),
                LOCK_BOUND,
                () -> build.progress().accept("another launcher is building it"));
        if (lock.isEmpty()) {
            throw new IOException("another build of " + kind.program() + " did not end in time");
        }
        try (LockFile held = lock.get()) {
            Optional<ServerInstallation> builtMeanwhile = inCache(kind, module);
            if (builtMeanwhile.isPresent()) {
                return builtMeanwhile.get();
            }
            // Left by builds that were killed: nobody else has the lock.
            for (Path abandoned : unfinished(home)) {
                FileTree.delete(abandoned);
            }
            Path making = Files.createTempDirectory(home.getParent(), home.getFileName() + UNFINISHED);
            try {
                build.build(making);
                // An earlier release of this program may have left an incomplete build there.
                FileTree.delete(home);
                Files.move(making, home, StandardCopyOption.ATOMIC_MOVE);
            } finally {
                FileTree.delete(making);
            }
            return inCache(kind, module).orElseThrow(() -> new IOException("the build made no " + kind.program()));
        }
    }

    private static List<Path> unfinished(Path home) throws IOException {
        String prefix = home.getFileName() + UNFINISHED;
        try (Stream<Path> files = Files.list(home.getParent())) {
            return files.filter(file -> file.getFileName().toString().startsWith(prefix))
                    .toList();
        }
    }
}
