/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.auth;

import static io.phasewise.common.auth.BasicAuth.Verdict.ACCEPTED;
import static io.phasewise.common.auth.BasicAuth.Verdict.BUSY;
import static io.phasewise.common.auth.BasicAuth.Verdict.REFUSED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.phasewise.common.file.UnusableFileException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BasicAuthTest {

    /** Of "one", with the fewest rounds that are allowed. */
    private static final String HASH =
            "pbkdf2-sha256:10000:c2FsdCBvZiBvbmUgMDEyMw==:eS2Q01SQO9njbH5a1ECDKev2ctGidbqL1JaawE8nU/c=";

    /** The same with so many rounds that a check of it lasts for seconds. */
    private static final String SLOW = HASH.replace(":10000:", ":3000000:");

    @Test
    void knowsAUserByAHash() {
        BasicAuth auth = BasicAuth.withHash("me", PasswordHash.parse(HASH));

        assertThat(auth.check("here", "me", "wrong")).isEqualTo(REFUSED);
        assertThat(auth.check("here", "other", "one")).isEqualTo(REFUSED);
        assertThat(auth.check("here", "me", "one")).isEqualTo(ACCEPTED);
        assertThat(auth.check("here", "me", "one")).as("remembered").isEqualTo(ACCEPTED);
        assertThat(auth.check("here", "other", "one")).isEqualTo(REFUSED);
        assertThat(auth.check("here", "m", "e:one")).isEqualTo(REFUSED);
        assertThat(auth.check("here", "me", "")).isEqualTo(REFUSED);
    }

    @Test
    void aHashOfItsOwnIsReadAgainAndNoTwoAreAlike() {
        SecureRandom random = new SecureRandom();
        String one = PasswordHash.of("right".toCharArray(), random);

        assertThat(one).startsWith("pbkdf2-sha256:600000:");
        assertThat(PasswordHash.of("right".toCharArray(), random)).isNotEqualTo(one);
        BasicAuth auth = BasicAuth.withHash("me", PasswordHash.parse(one));
        assertThat(auth.check("here", "me", "wrong")).isEqualTo(REFUSED);
        assertThat(auth.check("here", "me", "right")).isEqualTo(ACCEPTED);
    }

    @Test
    void checksOnePasswordAtATimeAgainstAHash() {
        BasicAuth auth = BasicAuth.withHash("me", PasswordHash.parse(SLOW));
        CompletableFuture<?> guess = CompletableFuture.runAsync(() -> auth.check("here", "me", "guess"));

        await("one is being checked")
                .atMost(Duration.ofSeconds(30))
                .until(() -> auth.check("here", "me", "another") == BUSY || guess.isDone());

        assertThat(guess).isNotDone();
    }

    /** Before the first right login, which is the hard case: nothing is remembered yet. */
    @Test
    void aFloodOfWrongPasswordsDoesNotKeepTheRightOneOut() {
        BasicAuth auth = BasicAuth.withHash("me", PasswordHash.parse(HASH));
        AtomicBoolean over = new AtomicBoolean();
        AtomicInteger guesses = new AtomicInteger();
        List<CompletableFuture<Void>> flood = IntStream.range(0, 4)
                .mapToObj(i -> CompletableFuture.runAsync(() -> {
                    while (!over.get()) {
                        auth.check("flood", "me", "guess " + guesses.incrementAndGet());
                    }
                }))
                .collect(Collectors.toList());
        try {
            await("it floods").atMost(Duration.ofSeconds(30)).until(() -> guesses.get() > 50);

            assertThat(auth.check("prometheus", "me", "one")).isEqualTo(ACCEPTED);
        } finally {
            over.set(true);
            flood.forEach(CompletableFuture::join);
        }
    }

    @Test
    void whoRepeatsAWrongPasswordCostsNothing() {
        BasicAuth auth = BasicAuth.withHash("me", PasswordHash.parse(HASH));
        long began = System.nanoTime();
        assertThat(auth.check("here", "me", "old")).isEqualTo(REFUSED);
        long first = System.nanoTime() - began;

        for (int i = 0; i < 1_000; i++) {
            assertThat(auth.check("here", "me", "old")).isEqualTo(REFUSED);
        }

        assertThat(System.nanoTime() - began)
                .as("far less than a thousand checks")
                .isLessThan(500 * first);
        assertThat(auth.check("here", "me", "one")).isEqualTo(ACCEPTED);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "s3cret",
                "pbkdf2-sha256:9999:c2FsdCBvZiBvbmUgMDEyMw==:eS2Q01SQO9njbH5a1ECDKev2ctGidbqL1JaawE8nU/c=",
                "pbkdf2-sha256:10000:c2Fs:eS2Q01SQO9njbH5a1ECDKev2ctGidbqL1JaawE8nU/c=",
                "pbkdf2-sha256:10000:c2FsdCBvZiBvbmUgMDEyMw==:s3cret",
                "bcrypt:10000:c2FsdCBvZiBvbmUgMDEyMw==:eS2Q01SQO9njbH5a1ECDKev2ctGidbqL1JaawE8nU/c="
            })
    void aHashOfAnotherFormIsRefusedAndNotRepeated(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PasswordHash.parse(text))
                .withMessageStartingWith("not a password hash; allowed is what")
                .withMessageNotContaining("s3cret");
    }

    @Test
    void knowsAUserByAFile(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("password"), " right \n");
        BasicAuth auth = new PasswordFile("me", file).read();

        assertThat(auth.check("here", "me", "right")).isEqualTo(ACCEPTED);
        assertThat(auth.check("here", "me", "wrong")).isEqualTo(REFUSED);
        assertThat(auth.check("here", "other", "right")).isEqualTo(REFUSED);
        assertThat(auth.check("here", "me", " right ")).isEqualTo(REFUSED);
    }

    @Test
    void aFileWithoutAPasswordIsRefused(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("password"), "\n");

        UnusableFileException refused =
                catchThrowableOfType(UnusableFileException.class, () -> new PasswordFile("me", file).read());

        assertThat(refused.key()).isEqualTo("password-file");
        assertThat(refused).hasMessage("holds no password; allowed: 1 to 1024 characters");
    }
}
