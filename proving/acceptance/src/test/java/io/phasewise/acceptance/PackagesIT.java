/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * The Debian packages are built and unpacked into a directory of their own. Where root may make a
 * namespace, dpkg installs them, the canary is started by the command of its unit, and dpkg purges
 * them. systemd itself does not run here, so what only systemd can show is not tested.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PackagesIT {
    private static final String UNIT = "usr/lib/systemd/system/phasewise-canary.service";
    private static final Duration BOUND = Duration.ofSeconds(60);
    private static final Duration INSTALLING = Duration.ofMinutes(5);
    private static final Path JAVA = Path.of(System.getProperty("java.home"), "bin/java");
    private static final int NO_OVERLAY = 77;

    private Path directory;
    private Path built;
    private Path installed;

    @BeforeAll
    void buildAndUnpack(@TempDir Path shared) throws Exception {
        directory = shared;
        Command.assumeOnPath("dpkg-deb");
        built = directory.resolve("built");
        run(Repository.path("deploy/debian/build"), built);
        installed = directory.resolve("installed");
        for (String name : List.of("phasewise-canary", "phasewise-exporter")) {
            run("dpkg-deb", "-x", deb(name), installed);
        }
    }

    @Test
    void thePackagesHoldWhatAHostNeedsAndNothingThatOthersCanWrite() {
        assertThat(run("find", installed, "-type", "f", "-printf", "%P\\n").lines())
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
        assertThat(run("find", installed, "-type", "f", "!", "-perm", "644")).isEmpty();
    }

    /**
     * Runs the packages' scripts, and the unit's command as the unit's user, in a namespace with an
     * overlay, so that this machine's files do not change.
     */
    @Test
    void theScriptsMakeTheUserWhoRunsTheCanaryAndPurgingLeavesNothing() throws Exception {
        Map<String, String> seen = installed();

        assertThat(seen.get("user")).startsWith("phasewise:").endsWith("/usr/sbin/nologin");
        assertThat(seen.get("healthy")).endsWith(" 200 OK");
        assertThat(seen.get("runs as")).isEqualTo(seen.get("user").split(":")[2]);
        assertThat(seen.get("ended")).isEqualTo(Repository.first("SuccessExitStatus=(\\d+)", unit()));
        assertThat(seen.get("with a faulty configuration"))
                .as("is not tried again")
                .isEqualTo(Repository.first("RestartPreventExitStatus=(\\d+)", unit()));
        assertThat(seen.get("after removal")).isEqualTo("etc/phasewise/canary.yml etc/phasewise/exporter.yml");
        assertThat(seen.get("after purge")).isEmpty();
    }

    private Map<String, String> installed() throws IOException {
        Command.assumeOnPath("unshare", "setpriv");
        Path place = Files.createDirectory(directory.resolve("overlay"));
        Command.Result result = Command.of("unshare", "--mount", "--propagation", "private", "--pid", "--fork")
                .and("--kill-child", "--mount-proc")
                .and(Repository.path("proving/acceptance/src/test/sh/install-packages"))
                .and(built, place, JAVA)
                .run(INSTALLING);
        String said = result.output().strip();
        Assumptions.assumeFalse(
                said.startsWith("unshare: ") || result.exitCode() == NO_OVERLAY,
                "no overlay in a namespace of its own, which takes root: " + said);
        assertThat(result.exitCode()).as(said).isZero();
        return said.lines()
                .map(line -> line.split("=", 2))
                .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1].strip()));
    }

    @Test
    void aPackageSaysItsVersionAndKeepsTheUsersConfiguration() throws Exception {
        String version =
                Repository.first("<artifactId>phasewise</artifactId>\\s*<version>(.+)<", Repository.text("pom.xml"));
        assertThat(run("dpkg-deb", "--field", deb("phasewise-canary"), "Version"))
                .as("older than the release, where it is a snapshot")
                .isEqualTo(version.replace('-', '~'));
        assertThat(run("dpkg-deb", "--info", deb("phasewise-canary"), "conffiles"))
                .isEqualTo("/etc/phasewise/canary.yml");
    }

    @Test
    void theSameJarsGiveTheSamePackages() throws Exception {
        Path again = directory.resolve("again");
        run(Repository.path("deploy/debian/build"), again);

        assertThat(built.toFile().list()).hasSize(4);
        assertThat(run("diff", "--recursive", built, again)).isEmpty();
    }

    @Test
    void systemdUnderstandsTheUnit() throws Exception {
        Command.assumeOnPath("systemd-analyze");
        // The paths in the unit are those of a Debian host, and need not exist here.
        Path unit = directory.resolve("phasewise-canary.service");
        Files.writeString(unit, unit().replace("/usr/bin/java", "/bin/sh"));

        assertThat(run("systemd-analyze", "verify", "--man=no", unit)).isEmpty();
    }

    private String unit() {
        return Repository.text(installed.resolve(UNIT));
    }

    private Path deb(String name) throws IOException {
        try (Stream<Path> files = Files.list(built)) {
            return files.filter(file -> file.getFileName().toString().matches(name + "_.*_all\\.deb"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private static String run(Object... command) {
        return Command.of(command).output(BOUND);
    }
}
