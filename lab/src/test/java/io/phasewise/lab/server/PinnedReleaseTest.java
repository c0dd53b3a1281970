/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.phasewise.common.cli.MissingException;
import io.phasewise.lab.download.FileServer;
import io.phasewise.lab.process.CommandOutput;
import io.phasewise.lab.process.Programs;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The checksums that the repository pins, and what writes them. */
class PinnedReleaseTest {

    private static final Path ROOT = Path.of("").toAbsolutePath().getParent();
    private static final Path LIST = ROOT.resolve("lab/servers.sha256");

    @TempDir
    Path directory;

    @Test
    void everyServerThatIsPinnedCanBeDownloadedOnLinux() throws Exception {
        for (ServerKind kind : List.of(ServerKind.PROMETHEUS, ServerKind.ALERTMANAGER, ServerKind.NODE_EXPORTER)) {
            Version pinned = PinnedModule.read(ROOT.resolve(kind.directory()).resolve("go.mod"), kind)
                    .release();
            assertThat(platforms(kind.program(), pinned))
                    .as("checksums of %s %s; lab/pin-servers writes them", kind.program(), pinned)
                    .contains("linux-amd64", "linux-arm64");
        }
        Matcher image = Pattern.compile("image: grafana/grafana:(\\S+)")
                .matcher(Files.readString(ROOT.resolve("docker-compose.yml")));
        assertThat(image.find()).isTrue();
        Version grafana = Version.inText("version " + image.group(1)).orElseThrow();
        assertThat(platforms("grafana", grafana)).contains("linux-amd64", "linux-arm64");
    }

    @Test
    void noArchiveIsPinnedTwice() throws Exception {
        assertThat(PinnedRelease.read(LIST)).extracting(PinnedRelease::archive).doesNotHaveDuplicates();
        assertThat(PinnedRelease.read(LIST))
                .extracting(PinnedRelease::sha256)
                .as("no two archives have one content")
                .doesNotHaveDuplicates();
    }

    @Test
    void archivesLieWhereTheirPublishersPutThem() {
        PinnedRelease prometheus = new PinnedRelease("prometheus", new Version(3, 15, 0), "linux-amd64", "");
        PinnedRelease grafana = new PinnedRelease("grafana", new Version(13, 2, 3), "linux-arm64", "");

        assertThat(prometheus.uri(Optional.empty()))
                .hasToString("https://github.com/prometheus/prometheus/releases/download/v3.15.0/"
                        + "prometheus-3.15.0.linux-amd64.tar.gz");
        assertThat(grafana.uri(Optional.empty()))
                .hasToString("https://dl.grafana.com/oss/release/grafana-13.2.3.linux-arm64.tar.gz");
        assertThat(grafana.uri(Optional.of(URI.create("http://127.0.0.1:8000"))))
                .hasToString("http://127.0.0.1:8000/oss/release/grafana-13.2.3.linux-arm64.tar.gz");
    }

    @Test
    void aLineOfAnotherFormIsRefused() throws IOException {
        Path list = Files.writeString(directory.resolve("list"), "abc  prometheus-3.15.0.linux-amd64.tar.gz\n");
        assertThatThrownBy(() -> PinnedRelease.read(list))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("is no checksum of a release: abc");
    }

    /** In a checkout of its own, with checksums that say for which archive they are. */
    @Test
    void theScriptWritesWhatIsPublished() throws Exception {
        if (Programs.find("curl", System.getenv("PATH")).isEmpty()) {
            throw new MissingException("no curl on PATH", "Install curl.");
        }
        for (String file : List.of(
                "lab/pin-servers",
                "lab/node-exporter/go.mod",
                "prometheus/go.mod",
                "alerting/go.mod",
                "docker-compose.yml")) {
            Path copy = directory.resolve(file);
            Files.createDirectories(copy.getParent());
            Files.copy(ROOT.resolve(file), copy, StandardCopyOption.COPY_ATTRIBUTES);
        }
        try (FileServer server = new FileServer()) {
            int number = 0;
            StringBuilder sums = new StringBuilder();
            for (PinnedRelease each : List.of(
                    release("alertmanager"), release("node_exporter"), release("prometheus"), release("grafana"))) {
                sums.setLength(0);
                for (String platform :
                        List.of("darwin-amd64", "darwin-arm64", "linux-386", "linux-amd64", "linux-arm64")) {
                    String archive = new PinnedRelease(each.program(), each.version(), platform, "").archive();
                    String sum = "%064x".formatted(++number);
                    sums.append(sum).append("  ").append(archive).append('\n');
                    server.with("/oss/release/" + archive + ".sha256", ascii(sum));
                }
                server.with(
                        "/prometheus/%s/releases/download/v%s/sha256sums.txt".formatted(each.program(), each.version()),
                        ascii(sums.toString()));
            }

            CommandOutput output = pin(server);

            assertThat(output.status()).as(output.text()).isZero();
            List<PinnedRelease> written = PinnedRelease.read(directory.resolve("lab/servers.sha256"));
            assertThat(written).hasSize(16).extracting(PinnedRelease::sha256).doesNotHaveDuplicates();
            assertThat(written)
                    .contains(new PinnedRelease(
                            "alertmanager", release("alertmanager").version(), "linux-amd64", "%064x".formatted(4)));

            server.answering(404);
            String before = Files.readString(directory.resolve("lab/servers.sha256"));
            assertThat(pin(server).status()).isEqualTo(1);
            assertThat(directory.resolve("lab/servers.sha256")).hasContent(before);
        }
    }

    private CommandOutput pin(FileServer server) throws IOException, InterruptedException {
        List<String> command =
                List.of("env", "PHASEWISE_DOWNLOADS=" + server.uri(), "no_proxy=127.0.0.1", "lab/pin-servers");
        return CommandOutput.of(command, directory, Duration.ofSeconds(60));
    }

    private static PinnedRelease release(String program) throws IOException {
        return PinnedRelease.read(LIST).stream()
                .filter(each -> each.program().equals(program))
                .findFirst()
                .orElseThrow();
    }

    private static List<String> platforms(String program, Version version) throws IOException {
        return PinnedRelease.read(LIST).stream()
                .filter(each -> each.program().equals(program) && each.version().equals(version))
                .map(PinnedRelease::platform)
                .toList();
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
