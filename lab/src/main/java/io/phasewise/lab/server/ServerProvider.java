/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.server;

import io.phasewise.lab.process.Await;
import io.phasewise.lab.process.AwaitException;
import io.phasewise.lab.process.Programs;
import io.phasewise.lab.server.Lookup.Found;
import io.phasewise.lab.server.Lookup.Missing;
import io.phasewise.lab.server.ServerInstallation.Origin;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

/**
 * Gets Prometheus, Alertmanager and node_exporter: installed and recent enough, or built earlier,
 * or built now from the pinned modules. Running them is left to {@link ServerSpecs}.
 *
 * <p>Two that want the same build at the same time, in one process or several, build it once.
 */
public final class ServerProvider {

    private static final Duration VERSION_BOUND = Duration.ofSeconds(20);
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
        List<String> reasons = new ArrayList<>();
        Optional<ServerInstallation> installed = onPath(kind, kind.minimum(), reasons);
        if (installed.isPresent()) {
            return new Found<>(installed.get());
        }
        try {
            Optional<ServerInstallation> cached = inCache(kind, pinned(kind), Origin.CACHE);
            if (cached.isPresent()) {
                return new Found<>(cached.get());
            }
            reasons.add("none was built yet");
        } catch (IOException e) {
            reasons.add(e.getMessage());
        }
        return missing(kind, reasons);
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
        if (full instanceof Found<ServerInstallation>) {
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
        List<String> reasons = new ArrayList<>();
        Optional<ServerInstallation> installed = onPath(kind, kind.minimum(), reasons);
        if (installed.isPresent()) {
            return new Found<>(installed.get());
        }
        try {
            PinnedModule module = pinned(kind);
            Optional<ServerInstallation> cached = inCache(kind, module, Origin.CACHE);
            if (cached.isPresent()) {
                return new Found<>(cached.get());
            }
            GoBuild.Search search = GoBuild.find(searchPath);
            if (search.build() == null) {
                reasons.add(search.reason());
                return missing(kind, reasons);
            }
            return new Found<>(buildOnce(kind, module, search.build(), progress));
        } catch (IOException | AwaitException e) {
            reasons.add("building it failed: " + e.getMessage());
            return missing(kind, reasons);
        }
    }

    private static Lookup<ServerInstallation> missing(ServerKind kind, List<String> reasons) {
        return new Missing<>(
                String.join("; ", reasons),
                "Install "
                        + kind.program()
                        + (kind.tool().equals(kind.program()) ? "" : " and " + kind.tool())
                        + " "
                        + kind.minimum()
                        + " or newer on PATH, or Go 1.21 or newer (https://go.dev/dl) to have them"
                        + " built.");
    }

    private PinnedModule pinned(ServerKind kind) throws IOException {
        return PinnedModule.read(root.resolve(kind.directory()).resolve("go.mod"), kind);
    }

    private Optional<ServerInstallation> onPath(
            ServerKind kind, Version minimum, List<String> reasons) throws InterruptedException {
        Optional<Path> server = Programs.find(kind.program(), searchPath);
        Optional<Path> tool = Programs.find(kind.tool(), searchPath);
        if (server.isEmpty() || tool.isEmpty()) {
            reasons.add("no " + (server.isEmpty() ? kind.program() : kind.tool()) + " on PATH");
            return Optional.empty();
        }
        Optional<Version> version = version(server.get());
        if (version.isEmpty()) {
            reasons.add(server.get() + " does not say its version");
            return Optional.empty();
        }
        if (!version.get().isAtLeast(minimum)) {
            reasons.add(server.get() + " is " + version.get() + ", older than " + minimum);
            return Optional.empty();
        }
        return Optional.of(
                new ServerInstallation(server.get(), tool.get(), version.get(), Origin.PATH));
    }

    private Path home(ServerKind kind, PinnedModule module) {
        return cache.resolve("servers")
                .resolve(kind.program() + "-" + module.release() + "-" + module.digest());
    }

    private Optional<ServerInstallation> inCache(
            ServerKind kind, PinnedModule module, Origin origin) {
        Path server = home(kind, module).resolve(kind.program());
        Path tool = home(kind, module).resolve(kind.tool());
        return Files.isExecutable(server) && Files.isExecutable(tool)
                ? Optional.of(new ServerInstallation(server, tool, module.release(), origin))
                : Optional.empty();
    }

    private ServerInstallation buildOnce(
            ServerKind kind, PinnedModule module, GoBuild go, BuildProgress progress)
            throws IOException, InterruptedException {
        Path home = home(kind, module);
        Files.createDirectories(home.getParent());
        try (FileChannel channel =
                        FileChannel.open(
                                home.resolveSibling(home.getFileName() + ".lock"),
                                StandardOpenOption.CREATE,
                                StandardOpenOption.WRITE);
                FileLock lock = lock(channel, kind, progress)) {
            assert lock.isValid();
            Optional<ServerInstallation> builtMeanwhile = inCache(kind, module, Origin.CACHE);
            if (builtMeanwhile.isPresent()) {
                return builtMeanwhile.get();
            }
            // Whoever made these was killed: the lock is ours now.
            for (Path abandoned : unfinished(home)) {
                delete(abandoned);
            }
            Path making =
                    Files.createTempDirectory(home.getParent(), home.getFileName() + UNFINISHED);
            try {
                go.build(
                        root.resolve(kind.directory()), module, kind.buildTags(), making, progress);
                // What an interrupted build of an earlier release of this program may have left.
                delete(home);
                Files.move(making, home, StandardCopyOption.ATOMIC_MOVE);
            } finally {
                delete(making);
            }
            return inCache(kind, module, Origin.BUILT)
                    .orElseThrow(() -> new IOException("the build made no " + kind.program()));
        }
    }

    private static List<Path> unfinished(Path home) throws IOException {
        String prefix = home.getFileName() + UNFINISHED;
        try (Stream<Path> files = Files.list(home.getParent())) {
            return files.filter(file -> file.getFileName().toString().startsWith(prefix)).toList();
        }
    }

    private static FileLock lock(FileChannel channel, ServerKind kind, BuildProgress progress)
            throws InterruptedException {
        AtomicReference<FileLock> lock = new AtomicReference<>();
        Await.that("another build of " + kind.program() + " is over", LOCK_BOUND)
                .every(Duration.ofMillis(500))
                .until(
                        () -> {
                            try {
                                lock.set(channel.tryLock());
                            } catch (OverlappingFileLockException inThisProcess) {
                                lock.set(null);
                            }
                            if (lock.get() != null) {
                                return Optional.empty();
                            }
                            progress.at(BuildProgress.Stage.WAITING, 0, 0);
                            return Optional.of("it goes on");
                        });
        return lock.get();
    }

    private static Optional<Version> version(Path program) throws InterruptedException {
        StringBuilder said = new StringBuilder();
        try {
            int status =
                    CommandOutput.run(
                            List.of(program.toString(), "--version"),
                            null,
                            Map.of(),
                            VERSION_BOUND,
                            line -> said.append(line).append('\n'));
            return status == 0 ? Version.inText(said.toString()) : Optional.empty();
        } catch (IOException doesNotRun) {
            return Optional.empty();
        }
    }

    private static void delete(Path directory) throws IOException {
        if (!Files.exists(directory)) {
            return;
        }
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
