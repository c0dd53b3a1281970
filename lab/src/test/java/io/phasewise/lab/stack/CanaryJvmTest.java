/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.stack;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CanaryJvmTest {
    @ParameterizedTest
    @CsvSource({"17, false", "21, true", "22, true", "23, false", "25, false"})
    void generationsAreAskedForWhereTheyAreAnOption(int release, boolean asked) {
        assertThat(CanaryJvm.options(release)).contains("-XX:+UseZGC");
        assertThat(CanaryJvm.options(release).contains("-XX:+ZGenerational")).isEqualTo(asked);
    }
}
