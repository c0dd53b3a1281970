/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A change of the code that a mistake to be noticed is made in takes the mistake along. */
class MutationsTest {
    @Test
    void everyMistakeCanStillBeMade() throws Exception {
        List<Path> mistakes = Repository.files("proving/mutations.d", ".patch");
        assertThat(mistakes).isNotEmpty();
        for (Path mistake : mistakes) {
            Command.Result apply =
                    Command.of("git", "apply", "--check", mistake).run(Duration.ofMinutes(1));
            assertThat(apply.exitCode()).as(apply.output()).isZero();
        }
    }
}
