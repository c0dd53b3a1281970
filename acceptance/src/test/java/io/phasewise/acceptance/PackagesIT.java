/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.phasewise.lab.process.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * The Debian packages: built, unpacked into a directory of their own, the canary started by the
 * command of its unit; and, where root may make a namespace, installed and purged by dpkg. systemd
 * itself does not run here: what only it can show is left to a host.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PackagesIT {
    private static final Path ROOT = Path.of(System.getProperty("phasewise.root"));
    private static final String UNIT = "usr/lib/systemd/system/phasewise-canary.service";
    private static final Duration BOUND = Duration.ofSeconds(60);
    private static final Duration INSTALLING = Duration.ofMinutes(5);
    private static final int NO_OVERLAY = 77;

    private Path directory;
    private Path built;
    private Path installed;

    @BeforeAll
    void buildAndUnpack(@TempDir Path shared) throws Exception {
        directory = shared;
        assumeOnPath("dpkg-deb");
        built = directory.resolve("built");
        run(ROOT.resolve("deploy/debian/build").toString(), built.toString());
        installed = directory.resolve("installed");
        for (String name : List.of("phasewise-canary", "phasewise-exporter")) {
            run("dpkg-deb", "-x", deb(name).toString(), installed.toString());
        }
    }

    @Test
    void thePackagesHoldWhatAHostNeedsAndNothingThatOthersCanWrite() throws IOException {
        try (Stream<Path> files = Files.walk(installed)) {
            assertThat(files.filter(Files::isRegularFile).map(installed::relativize))
                    .extracting(Path::toString)
                    .containsExactlyInAnyOrder(
                            "etc/phasewise/canary.yml",
                            "etc/phasewise/exporter.yml",
                            UNIT,
                            "usr/lib/sysusers.d/phasewise.conf",
                            "usr/share/doc/phasewise-canary/README.md",
                            "usr/share/doc/phasewise-canary/canary.yml",
                            "usr/share/doc/phasewise-canary/copyright",
                            "usr/share/doc/phasewise-exporter/README.md",
                            "usr/share/doc/phasewise-exporter/copyright",
                            "usr/share/doc/phasewise-exporter/kafka.service.d/exporter.conf",
                            "usr/share/phasewise/phasewise-canary.jar",
                            "usr/share/phasewise/phasewise-exporter.jar");
        }
        try (Stream<Path> files = Files.walk(installed)) {
            assertThat(files.filter(Files::isRegularFile))
                    .allSatisfy(
                            file ->
                                    assertThat(Files.getPosixFilePermissions(file))
                                            .isEqualTo(
                                                    PosixFilePermissions.fromString("rw-r--r--")));
        }
    }

    /**
     * In a namespace with an overlay of this machine's files, which are not touched: the packages'
     * scripts, and the unit's command as the unit's user.
     */
    @Test
    void theScriptsMakeTheUserWhoRunsTheCanaryAndPurgingLeavesNothing() throws Exception {
        Map<String, String> seen = installed();

        assertThat(seen.get("user")).startsWith("phasewise:").endsWith("/usr/sbin/nologin");
        assertThat(seen.get("healthy")).endsWith(" 200 OK");
        assertThat(seen.get("runs as")).isEqualTo(seen.get("user").split(":")[2]);
        assertThat(seen.get("ended")).isEqualTo(find(unit(), "SuccessExitStatus=(\\d+)"));
        assertThat(seen.get("after removal"))
                .isEqualTo("etc/phasewise/canary.yml etc/phasewise/exporter.yml");
        assertThat(seen.get("after purge")).isEmpty();
    }

    private Map<String, String> installed() throws IOException, InterruptedException {
        assumeOnPath("unshare");
        assumeOnPath("setpriv");
        Path place = Files.createDirectory(directory.resolve("overlay"));
        Path output = directory.resolve("installing.txt");
        Process process =
                new ProcessBuilder(
                                "unshare",
                                "--mount",
                                "--propagation",
                                "private",
                                "--pid",
                                "--fork",
                                "--kill-child",
                                "--mount-proc",
                                ROOT.resolve("acceptance/src/test/sh/install-packages").toString(),
                                built.toString(),
                                place.toString(),
                                Path.of(System.getProperty("java.home"), "bin/java").toString())
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
        try {
            assertThat(process.waitFor(INSTALLING.toSeconds(), TimeUnit.SECONDS))
                    .as("installing ends")
                    .isTrue();
        } finally {
            process.destroyForcibly();
        }
        String said = Files.readString(output).strip();
        Assumptions.assumeFalse(
                said.startsWith("unshare: ") || process.exitValue() == NO_OVERLAY,
                "no overlay in a namespace of its own, which takes root: " + said);
        assertThat(process.exitValue()).as(said).isZero();
        return said.lines()
                .map(line -> line.split("=", 2))
                .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1].strip()));
    }

    @Test
    void aPackageSaysItsVersionAndKeepsTheUsersConfiguration() throws Exception {
        String version =
                find(
                        Files.readString(ROOT.resolve("pom.xml")),
                        "<artifactId>phasewise</artifactId>\\s*<version>(.+)<");
        assertThat(run("dpkg-deb", "--field", deb("phasewise-canary").toString(), "Version"))
                .isEqualTo(version);
        assertThat(run("dpkg-deb", "--info", deb("phasewise-canary").toString(), "conffiles"))
                .isEqualTo("/etc/phasewise/canary.yml");
    }

    @Test
    void theSameJarsGiveTheSamePackages() throws Exception {
        Path again = directory.resolve("again");
        run(ROOT.resolve("deploy/debian/build").toString(), again.toString());

        try (Stream<Path> files = Files.list(built)) {
            List<Path> all = files.toList();
            assertThat(all).hasSize(4);
            assertThat(all)
                    .allSatisfy(
                            file ->
                                    assertThat(again.resolve(file.getFileName()))
                                            .hasSameBinaryContentAs(file));
        }
    }

    @Test
    void systemdUnderstandsTheUnit() throws Exception {
        assumeOnPath("systemd-analyze");
        // The jar's place is not checked, and the path to java is that of every Debian host.
        Path unit = directory.resolve("phasewise-canary.service");
        Files.writeString(unit, unit().replace("/usr/bin/java", "/bin/sh"));

        assertThat(run("systemd-analyze", "verify", "--man=no", unit.toString())).isEmpty();
    }

    @Test
    void theUnitsCommandStartsTheCanaryAndEndsItWithTheExitCodeThatTheUnitCallsASuccess()
            throws Exception {
        Path configuration = installed.resolve("etc/phasewise/canary.yml");
        Path log = directory.resolve("canary.log");
        List<String> command = command();
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
        builder.environment().put("CANARY_HTTP_PORT", "0");
        assertThat(command).contains(configuration.toString());
        Process canary = builder.start();
        try {
            Pattern address = Pattern.compile("http://127\\.0\\.0\\.1:\\d+/");
            await().atMost(BOUND).until(() -> address.matcher(Files.readString(log)).find());
            String url = find(Files.readString(log), "(http://127\\.0\\.0\\.1:\\d+/)");
            Http http = new Http();
            await().atMost(BOUND).until(() -> http.statusCode(url + "-/healthy") == 200);
            canary.destroy();
            assertThat(canary.waitFor(15, TimeUnit.SECONDS))
                    .as("ends within TimeoutStopSec")
                    .isTrue();
        } finally {
            canary.destroyForcibly();
        }

        assertThat(canary.exitValue())
                .isEqualTo(Integer.parseInt(find(unit(), "SuccessExitStatus=(\\d+)")));
    }

    @Test
    void aFaultyConfigurationEndsWithTheExitCodeThatIsNotTriedAgain() throws Exception {
        Path faulty = Files.writeString(directory.resolve("faulty.yml"), "canary: {clusters: {}}");
        List<String> command = new ArrayList<>(command().subList(0, command().size() - 1));
        command.add(faulty.toString());
        Process canary =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(directory.resolve("faulty.log").toFile())
                        .start();

        assertThat(canary.waitFor(BOUND.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(canary.exitValue())
                .isEqualTo(Integer.parseInt(find(unit(), "RestartPreventExitStatus=(\\d+)")));
    }

    /** The unit's own, as systemd splits it, with this JDK and below the directory. */
    private List<String> command() throws IOException {
        Map<String, String> variables = new HashMap<>();
        variables.put("$JAVA_OPTS", find(unit(), "JAVA_OPTS=([^\"]+)\""));
        return Arrays.stream(find(unit(), "ExecStart=(.+)").split(" "))
                .flatMap(word -> Arrays.stream(variables.getOrDefault(word, word).split(" ")))
                .map(
                        word ->
                                word.equals("/usr/bin/java")
                                        ? Path.of(System.getProperty("java.home"), "bin/java")
                                                .toString()
                                        : word)
                .map(
                        word ->
                                word.startsWith("/usr/share/") || word.startsWith("/etc/")
                                        ? installed + word
                                        : word)
                .collect(Collectors.toList());
    }

    private String unit() throws IOException {
        return Files.readString(installed.resolve(UNIT));
    }

    private Path deb(String name) throws IOException {
        try (Stream<Path> files = Files.list(built)) {
            return files.filter(
                            file -> {
                                String found = file.getFileName().toString();
                                return found.startsWith(name + "_") && found.endsWith("_all.deb");
                            })
                    .findFirst()
                    .orElseThrow();
        }
    }

    private String run(String... command) throws IOException, InterruptedException {
        Path output = Files.createTempFile(directory, "output", ".txt");
        Process process =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
        try {
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("%s ends", command[0]).isTrue();
        } finally {
            process.destroyForcibly();
        }
        String said = Files.readString(output).strip();
        assertThat(process.exitValue()).as("%s: %s", String.join(" ", command), said).isZero();
        return said;
    }

    private static String find(String content, String pattern) {
        Matcher matcher = Pattern.compile(pattern).matcher(content);
        assertThat(matcher.find()).as(pattern).isTrue();
        return matcher.group(1);
    }

    private static void assumeOnPath(String program) {
        Assumptions.assumeTrue(
                Programs.find(program, System.getenv("PATH")).isPresent(),
                "no " + program + " on PATH");
    }
}
