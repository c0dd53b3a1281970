/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.common.auth.BasicAuth;
import io.phasewise.common.file.Reloaded;
import io.phasewise.common.file.UnusableFileException;
import io.phasewise.exporter.QuickHash;
import io.phasewise.exporter.config.ConfigLoader;
import io.phasewise.exporter.config.ExporterConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AccessTest {

    @TempDir Path directory;

    private final List<String> heard = new ArrayList<>();
    private long now;
    private Path file;
    private Reloaded<ExporterConfig> access;

    @BeforeEach
    void startWithAPassword() throws IOException {
        file = directory.resolve("exporter.yml");
        write(withHash(QuickHash.ONE));
        ExporterConfig first = ConfigLoader.load(file);
        access =
                new Reloaded<>(
                        first,
                        new Access(first, () -> ConfigLoader.load(file)),
                        new Reloaded.Listener<>() {
                            @Override
                            public void reloaded(ExporterConfig config) {
                                heard.add("reloaded");
                            }

                            @Override
                            public void refused(UnusableFileException why, boolean repeated) {
                                heard.add((repeated ? "again " : "") + why.getMessage());
                            }
                        },
                        () -> now);
    }

    @Test
    void aNewPasswordIsAskedForFiveSecondsLater() throws IOException {
        write(withHash(QuickHash.TWO));

        assertThat(accepts("one")).isTrue();
        later(5);
        assertThat(accepts("one")).isFalse();
        assertThat(accepts("two")).isTrue();
        assertThat(heard).containsExactly("reloaded");
    }

    @Test
    void whatIsOfNoUseIsSaidOnceAndChangesNothing() throws IOException {
        write("http: {basic-auth: {username: me, password-hash: secret}}\n");
        later(5);
        assertThat(accepts("one")).isTrue();
        write("http: {basic-auth: {username: me}}\n");
        later(5);
        assertThat(accepts("one")).isTrue();
        assertThat(heard)
                .hasSize(2)
                .allMatch(why -> why.contains("http.basic-auth.password-hash"))
                .noneMatch(why -> why.contains("secret"))
                .last()
                .asString()
                .startsWith("again ");

        write(withHash(QuickHash.TWO));
        later(5);

        assertThat(accepts("two")).isTrue();
        assertThat(heard).last().isEqualTo("reloaded");
    }

    @Test
    void thePasswordCannotBeSwitchedOff() throws IOException {
        write("http: {threads: 4}\n");
        later(5);

        assertThat(accepts("one")).isTrue();
        assertThat(heard).singleElement().asString().contains("needs a restart");
    }

    private boolean accepts(String password) {
        return access.get().basicAuth().orElseThrow().check("me", password)
                == BasicAuth.Verdict.ACCEPTED;
    }

    private void later(int seconds) {
        now += Duration.ofSeconds(seconds).toNanos();
    }

    private void write(String text) throws IOException {
        Files.writeString(file, text);
    }

    private static String withHash(String hash) {
        return "http: {basic-auth: {username: me, password-hash: '" + hash + "'}}";
    }
}
