/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.run;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BuildTest {
    @Test
    void theClientsVersionIsThatOfItsJar() {
        assertThat(Build.clients()).matches("\\d+\\.\\d+\\.\\d+.*");
    }
}
