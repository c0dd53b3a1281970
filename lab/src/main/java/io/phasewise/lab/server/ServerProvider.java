/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.server;

import io.phasewise.common.cli.MissingException;
import io.phasewise.lab.file.FileTree;
import io.phasewise.lab.process.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Gets Prometheus, Alertmanager and node_exporter: installed and new enough, or got earlier, or
 * downloaded now as their official releases, or, where they cannot be downloaded, built now from the
 * pinned modules. {@link ServerSpecs} says how to run them.
 *
 * <p>When several threads or processes want the same server at the same time, it is got once.
 */
public final class ServerProvider {

    private final Path root;
    private final ServerCache cache;
    private final String searchPath;
    private final ReleaseDownloads downloads;
    private final Map<ServerKind, String> whyBuilt = new ConcurrentHashMap<>();

    /**
     * Without downloads.
     *
     * @param root the repository's root, where the modules are
     * @param cache where built servers are kept, for instance {@code ~/.cache/phasewise}; need not
     *     exist
     * @param searchPath where installed programs are looked for, as in PATH; null for nowhere
     */
    public ServerProvider(Path root, Path cache, String searchPath) {
        this(root, new ServerCache(cache), searchPath, ReleaseDownloads.none());
    }

    ServerProvider(Path root, ServerCache cache, String searchPath, ReleaseDownloads downloads) {
        this.root = root;
        this.cache = cache;
        this.searchPath = searchPath;
        this.downloads = downloads;
    }

    /**
     * For this user: the cache in {@code $XDG_CACHE_HOME/phasewise} or {@code ~/.cache/phasewise},
     * programs from PATH.
     *
     * @param environment the process's environment
     */
    public static ServerProvider forUser(Path root, Map<String, String> environment) {
        return forUser(root, environment, ReleaseDownloads.forUser(root, environment));
    }

    /** The same, with downloads that others share. */
    public static ServerProvider forUser(Path root, Map<String, String> environment, ReleaseDownloads downloads) {
        return new ServerProvider(root, ServerCache.forUser(environment), environment.get("PATH"), downloads);
    }

    /**
     * Looks, and gets it when there is none. A download takes seconds, the first build minutes.
     *
     * @param progress takes what is done, in words, while it is got; from another thread
     * @throws MissingException when it is not to be had
     * @throws InterruptedException when interrupted; a build is abandoned and leaves nothing behind
     */
    public ServerInstallation findOrBuild(ServerKind kind, Consumer<String> progress) throws InterruptedException {
        return get(kind, kind.minimum(), progress);
    }

    /**
     * The same, but prefers an installed server of the oldest usable release to getting one.
     *
     * @return see {@link ServerInstallation#isFull}
     */
    public ServerInstallation findOldOrBuild(ServerKind kind, Consumer<String> progress) throws InterruptedException {
        return get(kind, kind.oldest(), progress);
    }

    /** Why one was built here and not downloaded; empty when it was not built just now. */
    public Optional<String> whyBuilt(ServerKind kind) {
        return Optional.ofNullable(whyBuilt.get(kind));
    }

    private ServerInstallation get(ServerKind kind, Version oldest, Consumer<String> progress)
            throws InterruptedException {
        List<String> reasons = new ArrayList<>();
        Optional<ServerInstallation> installed = onPath(kind, oldest, reasons);
        if (installed.isPresent() && installed.get().isFull(kind)) {
            return installed.get();
        }
        try {
            PinnedModule module =
                    PinnedModule.read(root.resolve(kind.directory()).resolve("go.mod"), kind);
            Optional<ServerInstallation> found = inCache(kind, module).or(() -> installed);
            if (found.isPresent()) {
                return found.get();
            }
            cache.make(
                    name(kind, module),
                    kind.program(),
                    () -> inCache(kind, module).isPresent(),
                    progress,
                    into -> make(kind, module, into, reasons, progress));
            return inCache(kind, module).orElseThrow();
        } catch (IOException unusable) {
            reasons.add(unusable.getMessage());
        }
        String tool = kind.tool().equals(kind.program()) ? "" : " and " + kind.tool();
        throw new MissingException(
                String.join("; ", reasons),
                "Install %s%s %s or newer on PATH, or Go 1.21 or newer (https://go.dev/dl) to have them built."
                        .formatted(kind.program(), tool, kind.minimum()));
    }

    private void make(ServerKind kind, PinnedModule module, Path into, List<String> reasons, Consumer<String> progress)
            throws IOException, InterruptedException {
        String why;
        try {
            download(kind, module, into, progress);
            return;
        } catch (IOException notToBeHad) {
            why = "not downloaded: " + notToBeHad.getMessage();
            reasons.add(why);
        }
        FileTree.delete(into);
        Files.createDirectory(into);
        Path go = GoBuild.find(searchPath);
        Consumer<String> withReason = what -> progress.accept(what + " (" + why + ")");
        try {
            new GoBuild(go, root.resolve(kind.directory()), module, kind.buildTags(), withReason).build(into);
            whyBuilt.put(kind, why);
            cache.forgetPartial(kind.program());
        } catch (IOException failed) {
            throw new IOException("building it failed: " + failed.getMessage(), failed);
        }
    }

    private void download(ServerKind kind, PinnedModule module, Path into, Consumer<String> progress)
            throws IOException, InterruptedException {
        PinnedRelease release = downloads.pinned(kind.program());
        if (!release.version().equals(module.release())) {
            throw new IOException("the checksum of %s is that of %s, and %s is wanted"
                    .formatted(kind.program(), release.version(), module.release()));
        }
        downloads.get(release, into, cache.partial(release), progress);
        for (String program : List.of(kind.program(), kind.tool())) {
            if (!Files.isExecutable(into.resolve(program))) {
                throw new IOException(release.archive() + " holds no " + program);
            }
        }
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

    private static String name(ServerKind kind, PinnedModule module) {
        return kind.program() + "-" + module.release() + "-" + module.digest();
    }

    private Optional<ServerInstallation> inCache(ServerKind kind, PinnedModule module) {
        Path home = cache.home(name(kind, module));
        Path server = home.resolve(kind.program());
        Path tool = home.resolve(kind.tool());
        return Files.isExecutable(server) && Files.isExecutable(tool)
                ? Optional.of(new ServerInstallation(server, tool, module.release()))
                : Optional.empty();
    }
}
