/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.exporter.config.BasicAuth;
import io.phasewise.exporter.config.ConfigLoader;
import io.phasewise.exporter.config.ExporterConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
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
    private Access access;

    @BeforeEach
    void startWithAPassword() throws IOException {
        file = directory.resolve("exporter.yml");
        write(withPassword("one"));
        access =
                new Access(
                        ConfigLoader.load(file).http(),
                        () -> ConfigLoader.load(file),
                        new Access.Listener() {
                            @Override
                            public void taken(ExporterConfig config) {
                                heard.add("taken");
                            }

                            @Override
                            public void refused(String why) {
                                heard.add(why);
                            }
                        },
                        () -> now);
    }

    @Test
    void aNewPasswordIsAskedForFiveSecondsLater() throws IOException {
        write(withPassword("two"));

        assertThat(accepts("one")).isTrue();
        later(5);
        assertThat(accepts("one")).isFalse();
        assertThat(accepts("two")).isTrue();
        assertThat(heard).containsExactly("taken");
    }

    @Test
    void whatDoesNotChangeIsNotReadAgain() {
        later(60);

        assertThat(accepts("one")).isTrue();
        assertThat(heard).isEmpty();
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
                .singleElement()
                .asString()
                .contains("http.basic-auth.password-hash")
                .doesNotContain("secret");

        write(withPassword("two"));
        later(5);

        assertThat(accepts("two")).isTrue();
        assertThat(heard).last().isEqualTo("taken");
    }

    @Test
    void thePasswordCannotBeSwitchedOff() throws IOException {
        write("http: {threads: 4}\n");
        later(5);

        assertThat(accepts("one")).isTrue();
        assertThat(heard).singleElement().asString().contains("needs a restart");
    }

    private boolean accepts(String password) {
        return access.current().basicAuth().orElseThrow().accepts("me", password.toCharArray());
    }

    private void later(int seconds) {
        now += Duration.ofSeconds(seconds).toNanos();
    }

    private void write(String text) throws IOException {
        Files.writeString(file, text);
    }

    private static String withPassword(String password) {
        return "http: {basic-auth: {username: me, password-hash: '"
                + BasicAuth.hash(password.toCharArray(), new SecureRandom())
                + "'}}\n";
    }
}
