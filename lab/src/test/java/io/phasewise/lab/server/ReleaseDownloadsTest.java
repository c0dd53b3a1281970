/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.phasewise.common.cli.MissingException;
import io.phasewise.common.cli.UsageException;
import io.phasewise.common.file.Sha256;
import io.phasewise.lab.download.Downloader;
import io.phasewise.lab.download.FileServer;
import io.phasewise.lab.process.CommandOutput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is downloaded, from a server with the publishers' paths, and what is done where it cannot be. */
@Timeout(60)
class ReleaseDownloadsTest {

    private static final String PLATFORM = PinnedRelease.thisPlatform();
    private static final Downloader.Bounds BOUNDS =
            new Downloader.Bounds(Duration.ofSeconds(30), Duration.ofSeconds(30), Duration.ofMillis(1), 1 << 20);
    private static final Version PROMETHEUS = new Version(3, 15, 0);

    @TempDir
    Path directory;

    private FileServer server;
    private Path root;
    private Path list;
    private Path cache;
    private Path bin;

    @BeforeEach
    void layOutARepository() throws Exception {
        server = new FileServer();
        root = directory.resolve("root");
        cache = directory.resolve("xdg/phasewise");
        list = Files.createDirectories(root.resolve("lab")).resolve("servers.sha256");
        bin = Files.createDirectories(directory.resolve("bin"));
        Files.createDirectories(root.resolve("prometheus"));
        Files.writeString(root.resolve("prometheus/go.mod"), """
                tool (
                	github.com/prometheus/prometheus/cmd/prometheus
                	github.com/prometheus/prometheus/cmd/promtool
                )
                require github.com/prometheus/prometheus v0.315.0
                """);
        ServerProviderTest.program(bin.resolve("go"), "echo go version go1.19.8 linux/amd64");
    }

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void aReleaseIsDownloadedOnceAndKept() throws Exception {
        publish("prometheus", "3.15.0", "prometheus", "promtool");
        List<String> steps = Collections.synchronizedList(new ArrayList<>());

        ServerInstallation first = provider().findOrBuild(ServerKind.PROMETHEUS, steps::add);

        assertThat(first.version()).isEqualTo(PROMETHEUS);
        assertThat(first.server()).isExecutable().hasContent("#!/bin/sh\n");
        assertThat(steps).first().isEqualTo("downloading it, once");
        assertThat(steps).contains("downloading it, once: 0 of 0 MB", "unpacking it");
        assertThat(provider().findOrBuild(ServerKind.PROMETHEUS, steps::add)).isEqualTo(first);
        assertThat(server.requests())
                .containsExactly(
                        "/prometheus/prometheus/releases/download/v3.15.0/prometheus-3.15.0." + PLATFORM + ".tar.gz");
        assertThat(kept())
                .containsExactlyInAnyOrder(
                        first.server().getParent().getFileName().toString(),
                        first.server().getParent().getFileName() + ".lock");
    }

    @Test
    void severalThatWantTheSameDownloadItOnce() throws Exception {
        publish("prometheus", "3.15.0", "prometheus", "promtool");
        List<FutureTask<ServerInstallation>> four = Stream.generate(
                        () -> new FutureTask<>(() -> provider().findOrBuild(ServerKind.PROMETHEUS, line -> {})))
                .limit(4)
                .toList();
        four.forEach(each -> new Thread(each).start());
        for (FutureTask<ServerInstallation> each : four) {
            assertThat(each.get(30, TimeUnit.SECONDS).version()).isEqualTo(PROMETHEUS);
        }
        assertThat(server.requests()).hasSize(1);
    }

    @Test
    void whatIsNotWhatItShouldBeIsNotUnpackedAndSaid() throws Exception {
        publish("prometheus", "3.15.0", "prometheus", "promtool");
        pin("prometheus-3.15.0", "0".repeat(64));

        assertThat(missing().reason())
                .contains("no prometheus on PATH; not downloaded: the SHA-256 of " + server.uri())
                .contains(" and should be " + "0".repeat(64))
                .endsWith("; " + bin.resolve("go") + " is Go 1.19, too old to build it");
        assertThat(kept()).allMatch(each -> each.endsWith(".lock"));
    }

    @Test
    void whereItCannotBeDownloadedItIsBuiltAndTheReasonSaid() throws Exception {
        publish("prometheus", "3.15.0", "prometheus", "promtool");
        server.close();
        installGo();
        Path partial = Files.createDirectories(cache.resolve("servers")).resolve("prometheus-3.14.0.any.tar.gz.part");
        Files.writeString(partial, "of an earlier attempt");
        List<String> steps = Collections.synchronizedList(new ArrayList<>());
        ServerProvider provider = provider();

        assertThat(provider.findOrBuild(ServerKind.PROMETHEUS, steps::add).version())
                .isEqualTo(PROMETHEUS);

        String why = "not downloaded: " + server.uri().getAuthority() + " cannot be reached";
        assertThat(provider.whyBuilt(ServerKind.PROMETHEUS)).contains(why);
        assertThat(steps).contains("building it, once: getting modules (" + why + ")");
        assertThat(partial).doesNotExist();
    }

    @Test
    void aHostThatCannotBeReachedIsAskedOnce() throws Exception {
        server.close();
        pin("grafana-13.2.3", "0".repeat(64));
        pin("prometheus-3.15.0", "0".repeat(64));
        ReleaseDownloads downloads = downloads(environment());
        List<String> steps = Collections.synchronizedList(new ArrayList<>());

        assertThatThrownBy(() -> get(downloads, "prometheus", steps)).hasMessageContaining("cannot be reached");
        assertThatThrownBy(() -> get(downloads, "grafana", steps)).hasMessageContaining("cannot be reached");

        assertThat(steps).as("only the first was tried").containsExactly("downloading it, once");
    }

    @Test
    void withoutAChecksumNothingIsDownloaded() throws Exception {
        publish("prometheus", "3.15.0", "prometheus", "promtool");
        Files.delete(list);
        assertThat(missing().reason()).contains("not downloaded: no checksum of prometheus for " + PLATFORM);

        publish("prometheus", "3.14.0", "prometheus", "promtool");
        assertThat(missing().reason())
                .contains("not downloaded: the checksum of prometheus is that of 3.14.0, and 3.15.0 is wanted");

        assertThat(server.requests()).isEmpty();
    }

    @Test
    void aReleaseThatLacksAProgramIsNotTaken() throws Exception {
        publish("prometheus", "3.15.0", "prometheus");
        assertThat(missing().reason()).contains("prometheus-3.15.0." + PLATFORM + ".tar.gz holds no promtool");
        assertThat(kept()).allMatch(each -> each.endsWith(".lock"));
    }

    @Test
    void grafanaIsDownloadedWhereThereIsNone() throws Exception {
        publish("grafana", "13.2.3", "bin/grafana", "conf/defaults.ini");
        GrafanaFinder finder = new GrafanaFinder(environment(), downloads(environment()));

        GrafanaInstallation found = finder.find(what -> {});

        assertThat(found.version()).isEqualTo(new Version(13, 2, 3));
        assertThat(found.program()).isExecutable();
        assertThat(found.home().resolve("conf/defaults.ini")).exists();
        assertThat(finder.find(what -> {})).isEqualTo(found);
        assertThat(server.requests()).containsExactly("/oss/release/grafana-13.2.3." + PLATFORM + ".tar.gz");
    }

    @Test
    void nothingIsDownloadedWhereItIsSwitchedOff() throws Exception {
        publish("grafana", "13.2.3", "bin/grafana");
        Map<String, String> off =
                Map.of("XDG_CACHE_HOME", directory.resolve("xdg").toString(), "PHASEWISE_DOWNLOADS", "off");

        assertThatThrownBy(() -> new GrafanaFinder(off, downloads(off)).find(what -> {}))
                .hasMessageContaining(
                        "no grafana on PATH and no GRAFANA_HOME; not downloaded: PHASEWISE_DOWNLOADS is off");
    }

    @ParameterizedTest
    @ValueSource(strings = {"no", "ftp://mirror", "http://", "http://me:secret@mirror", "https://mirror/?x"})
    void aSettingThatIsNoneIsRefused(String setting) {
        assertThatThrownBy(() -> downloads(Map.of("PHASEWISE_DOWNLOADS", setting)))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("allowed: the http or https URL of a server, or off");
    }

    private ServerProvider provider() {
        return new ServerProvider(root, new ServerCache(cache), bin.toString(), downloads(environment()));
    }

    private ReleaseDownloads downloads(Map<String, String> environment) {
        return new ReleaseDownloads(list, environment, BOUNDS);
    }

    private Map<String, String> environment() {
        return Map.of("XDG_CACHE_HOME", directory.resolve("xdg").toString(), "PHASEWISE_DOWNLOADS", server.uri() + "/");
    }

    private void get(ReleaseDownloads downloads, String program, List<String> steps) throws Exception {
        Path into = Files.createTempDirectory(directory, "into");
        downloads.get(downloads.pinned(program), into, directory.resolve(program + ".part"), steps::add);
    }

    private MissingException missing() {
        return catchThrowableOfType(
                MissingException.class, () -> provider().findOrBuild(ServerKind.PROMETHEUS, line -> {}));
    }

    private List<String> kept() throws IOException {
        try (Stream<Path> files = Files.list(cache.resolve("servers"))) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }

    /** Serves a release with these programs, and pins its checksum. */
    private void publish(String program, String version, String... files) throws Exception {
        String name = program + "-" + version + "." + PLATFORM;
        Path release = directory.resolve(name);
        for (String file : files) {
            Files.createDirectories(release.resolve(file).getParent());
            ServerProviderTest.program(release.resolve(file), "");
            Files.writeString(release.resolve(file), "#!/bin/sh\n");
        }
        Path archive = directory.resolve(name + ".tar.gz");
        CommandOutput tar =
                CommandOutput.of(List.of("tar", "-czf", archive.toString(), name), directory, Duration.ofSeconds(30));
        assertThat(tar.status()).as(tar.text()).isZero();
        byte[] content = Files.readAllBytes(archive);
        String path = program.equals("grafana")
                ? "/oss/release/"
                : "/prometheus/" + program + "/releases/download/v" + version + "/";
        server.with(path + name + ".tar.gz", content);
        pin(program + "-" + version, HexFormat.of().formatHex(Sha256.of(content)));
    }

    /** The list has this one line, beside those of other programs. */
    private void pin(String program, String sha256) throws IOException {
        List<String> lines = new ArrayList<>(List.of("# A comment"));
        if (Files.exists(list)) {
            lines.addAll(Files.readAllLines(list).stream()
                    .filter(line -> !line.startsWith("#") && !line.contains("  " + program.replaceFirst("-.*", "")))
                    .toList());
        }
        lines.add(sha256 + "  " + program + "." + PLATFORM + ".tar.gz");
        Files.write(list, lines);
    }

    private void installGo() throws IOException {
        ServerProviderTest.program(bin.resolve("go"), """
                case $1 in
                version) echo go version go1.26.8 linux/amd64;;
                build)
                  while [ "$1" != -o ]; do shift; done
                  printf '#!/bin/sh\\n' > "$2/prometheus"; cp "$2/prometheus" "$2/promtool"
                  chmod +x "$2"/*;;
                esac
                """);
    }
}
