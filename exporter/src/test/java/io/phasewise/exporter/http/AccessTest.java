/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.phasewise.common.auth.BasicAuth;
import io.phasewise.common.file.UnusableFileException;
import io.phasewise.exporter.QuickHash;
import io.phasewise.exporter.config.ConfigLoader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is taken over from a configuration that has changed; when it is read: ReloadedTest. */
class AccessTest {

    @TempDir
    Path directory;

    private Path file;
    private Access access;

    @BeforeEach
    void startWithAPassword() throws IOException {
        file = directory.resolve("exporter.yml");
        writeHash(QuickHash.ONE);
        access = new Access(ConfigLoader.load(file), () -> ConfigLoader.load(file));
    }

    @Test
    void aNewPasswordIsAskedFor() throws Exception {
        writeHash(QuickHash.TWO);

        BasicAuth auth = access.read().basicAuth.orElseThrow();
        assertThat(auth.check("here", "me", "one")).isEqualTo(BasicAuth.Verdict.REFUSED);
        assertThat(auth.check("here", "me", "two")).isEqualTo(BasicAuth.Verdict.ACCEPTED);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'basic-auth: {username: me, password-hash: secret}' | basic-auth.password-hash",
                "'basic-auth: {username: me}'                        | basic-auth.password-hash",
                "'threads: 4'                                        | needs a restart"
            })
    void whatLeavesAccessInDoubtIsRefusedWithoutTheSecret(String http, String why) throws IOException {
        Files.writeString(file, "http: {" + http + "}");

        assertThatExceptionOfType(UnusableFileException.class)
                .isThrownBy(access::read)
                .withMessageContaining(why)
                .withMessageNotContaining("secret");
    }

    private void writeHash(String hash) throws IOException {
        Files.writeString(file, "http: {basic-auth: {username: me, password-hash: '" + hash + "'}}");
    }
}
