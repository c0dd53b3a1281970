/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.phasewise.common.cli.MissingException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which server is taken, with programs that only pretend. */
class ServerProviderTest {

    /** With the first digits of what {@code sha256sum} says of the go.mod below. */
    private static final String BUILT = "servers/prometheus-3.15.0-5c7a72ee";

    private static final Version PINNED = new Version(3, 15, 0);
    private static final String WHY = " (not downloaded: PHASEWISE_DOWNLOADS is off)";

    @TempDir
    Path directory;

    private Path bin;
    private Path root;
    private Path cache;

    @BeforeEach
    void layOutARepositoryThatPins315() throws IOException {
        bin = Files.createDirectories(directory.resolve("bin"));
        root = directory.resolve("root");
        cache = directory.resolve("cache");
        Files.createDirectories(root.resolve("prometheus"));
        Files.writeString(root.resolve("prometheus/go.mod"), """
                tool (
                	github.com/prometheus/prometheus/cmd/prometheus
                	github.com/prometheus/prometheus/cmd/promtool
                )
                require github.com/prometheus/prometheus v0.315.0
                """);
    }

    @Test
    void anInstalledServerThatIsRecentEnoughIsTaken() throws Exception {
        install("3.8.0");
        assertThat(build()).isEqualTo(installation(bin, new Version(3, 8, 0)));
    }

    @Test
    void aServerBuiltEarlierIsTakenWhenTheInstalledOneIsTooOld() throws Exception {
        install("2.42.0+ds");
        Path built = buildEarlier(cache);

        assertThat(build()).isEqualTo(installation(built, PINNED));
    }

    @Test
    void anOldServerIsSettledForRatherThanBuildingOneUnlessItIsTooOldForEverything() throws Exception {
        installGo("");
        install("2.42.0+ds");
        ServerInstallation settled = oldOrBuild();
        assertThat(settled).isEqualTo(installation(bin, new Version(2, 42, 0)));
        assertThat(settled.isFull(ServerKind.PROMETHEUS)).isFalse();

        install("2.41.0");
        assertThat(oldOrBuild().version()).as("built").isEqualTo(PINNED);
    }

    @Test
    void anInstalledServerWithoutItsToolIsNotTaken() throws Exception {
        program(bin.resolve("prometheus"), "echo prometheus, version 3.15.0");
        installGo("exit 1");
        assertThat(missing().reason())
                .startsWith("no promtool on PATH; not downloaded: PHASEWISE_DOWNLOADS is off; building it failed: ");
    }

    @Test
    void withoutAServerAndWithoutGoItSaysWhatToInstall() throws Exception {
        install("2.42.0");
        program(bin.resolve("go"), "echo go version go1.19.8 linux/amd64");
        MissingException missing = missing();
        assertThat(missing.reason())
                .contains("prometheus is 2.42.0, older than 3.8.0")
                .contains("go is Go 1.19, too old to build it");
        assertThat(missing.howToGet())
                .isEqualTo("Install prometheus and promtool 3.8.0 or newer on PATH, or Go 1.21 or"
                        + " newer (https://go.dev/dl) to have them built.");
    }

    @Test
    void withoutAServerItIsBuiltAndTheBuildIsKept() throws Exception {
        installGo("");
        List<String> steps = Collections.synchronizedList(new ArrayList<>());

        ServerInstallation first = provider().findOrBuild(ServerKind.PROMETHEUS, steps::add);

        assertThat(first).isEqualTo(installation(cache.resolve(BUILT), PINNED));
        assertThat(steps)
                .containsExactly(
                        "building it, once: getting modules" + WHY,
                        "building it, once: getting modules 1" + WHY,
                        "building it, once: compiling packages 1 of 3" + WHY,
                        "building it, once: compiling packages 2 of 3" + WHY);
        assertThat(Files.readAllLines(directory.resolve("go-build")))
                .singleElement()
                .asString()
                .contains("-tags=remove_all_sd,netgo")
                .contains("-X github.com/prometheus/common/version.Version=3.15.0")
                .endsWith("github.com/prometheus/prometheus/cmd/prometheus"
                        + " github.com/prometheus/prometheus/cmd/promtool");
        assertThat(build()).isEqualTo(first);
        assertThat(Files.readAllLines(directory.resolve("go-build"))).hasSize(1);
    }

    @Test
    void aDownloadThatFailsIsTriedTwiceMore() throws Exception {
        installGo("");
        Path refusals = directory.resolve("refusals");
        Files.writeString(refusals, "1\n2\n");

        assertThat(build().version()).isEqualTo(PINNED);

        Files.writeString(refusals, "1\n2\n3\n");
        cache = directory.resolve("another cache");
        assertThat(missing().reason())
                .contains("building it failed: go list ended with status 1")
                .endsWith("503 Service Unavailable");
    }

    @Test
    void aFailedBuildSaysWhyAndLeavesNothing() throws Exception {
        installGo("echo 'no required module provides package' >&2; exit 1");
        assertThat(missing().reason())
                .contains("building it failed: go build ended with status 1")
                .endsWith("no required module provides package");
        try (Stream<Path> left = Files.list(cache.resolve("servers"))) {
            assertThat(left).allMatch(file -> file.toString().endsWith(".lock"));
        }
    }

    @Test
    void whatAKilledBuildLeftIsRemovedByTheNext() throws Exception {
        installGo("");
        Path left = Files.createDirectories(cache.resolve(BUILT + ".new-1/half"));
        build();
        assertThat(left.getParent()).doesNotExist();
    }

    @Test
    void severalThatWantTheSameBuildItOnce() throws Exception {
        installGo("");
        List<FutureTask<ServerInstallation>> four =
                Stream.generate(() -> new FutureTask<>(this::build)).limit(4).toList();
        four.forEach(build -> new Thread(build).start());
        for (FutureTask<ServerInstallation> built : four) {
            assertThat(built.get(30, TimeUnit.SECONDS).version()).isEqualTo(PINNED);
        }
        assertThat(Files.readAllLines(directory.resolve("go-build"))).hasSize(1);
    }

    @Test
    void theCacheFollowsTheUsersSetting() throws Exception {
        Path built = buildEarlier(directory.resolve("xdg/phasewise"));
        Map<String, String> environment =
                Map.of("XDG_CACHE_HOME", directory.resolve("xdg").toString());

        assertThat(ServerProvider.forUser(root, environment).findOrBuild(ServerKind.PROMETHEUS, line -> {}))
                .isEqualTo(installation(built, PINNED));
    }

    private static Path buildEarlier(Path place) throws IOException {
        Path built = Files.createDirectories(place.resolve(BUILT));
        program(built.resolve("prometheus"), "exit 0");
        program(built.resolve("promtool"), "exit 0");
        return built;
    }

    private ServerInstallation build() throws InterruptedException {
        return provider().findOrBuild(ServerKind.PROMETHEUS, line -> {});
    }

    private ServerInstallation oldOrBuild() throws InterruptedException {
        return provider().findOldOrBuild(ServerKind.PROMETHEUS, line -> {});
    }

    private static ServerInstallation installation(Path place, Version version) {
        return new ServerInstallation(place.resolve("prometheus"), place.resolve("promtool"), version);
    }

    private ServerProvider provider() {
        return new ServerProvider(root, cache, bin.toString());
    }

    private void install(String version) throws IOException {
        program(bin.resolve("prometheus"), "echo 'prometheus, version " + version + " (branch: )'");
        program(bin.resolve("promtool"), "echo 'promtool, version " + version + " (branch: )'");
    }

    /**
     * A Go that writes down what it is asked to build, and builds programs that do nothing. It
     * fails to download once for each line of the file of refusals, where there is one.
     */
    private void installGo(String instead) throws IOException {
        program(bin.resolve("go"), """
                case $1 in
                version) echo go version go1.26.8 linux/amd64;;
                list)
                  if [ -s %1$s ]; then
                    sed -i 1d %1$s
                    echo 503 Service Unavailable; exit 1
                  fi
                  echo 'go: downloading a module'; printf 'one\\ntwo\\nthree\\n';;
                build) %2$s
                  echo "$@" >> %3$s
                  while [ "$1" != -o ]; do shift; done
                  echo one; echo two
                  printf '#!/bin/sh\\n' > "$2/prometheus"; cp "$2/prometheus" "$2/promtool"
                  chmod +x "$2"/*;;
                esac
                """.formatted(
                        directory.resolve("refusals"), instead, directory.resolve("go-build")));
    }

    static void program(Path file, String script) throws IOException {
        Files.writeString(file, "#!/bin/sh\n" + script + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private MissingException missing() {
        return catchThrowableOfType(MissingException.class, this::build);
    }
}
