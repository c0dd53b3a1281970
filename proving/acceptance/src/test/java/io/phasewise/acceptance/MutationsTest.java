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

/** Every patch applies: whoever changes the code that a patch changes must change the patch too. */
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
