/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BuildTest {
    @Test
    void aCheckoutHasItsWholeCommitAndAnotherDirectoryHasNone(@TempDir Path other) throws Exception {
        assertThat(Build.commit(Path.of(System.getProperty("phasewise.root"))))
                .matches("[0-9a-f]{40}(-changed)?|not a checkout");
        assertThat(Build.commit(other)).isEqualTo("not a checkout");
        assertThat(Build.clients()).matches("\\d+\\.\\d+\\.\\d+.*");
    }
}
