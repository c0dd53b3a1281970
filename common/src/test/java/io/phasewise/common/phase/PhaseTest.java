/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.phase;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class PhaseTest {
    @Test
    void theFileHasThePhasesInTheirOrderWithTheirColours() throws Exception {
        try (InputStream file = Phase.class.getResourceAsStream("phases.csv")) {
            assertThat(new String(file.readAllBytes(), StandardCharsets.UTF_8).lines().skip(1))
                    .containsExactlyElementsOf(
                            () ->
                                    Arrays.stream(Phase.values())
                                            .map(phase -> phase.label() + "," + phase.colour())
                                            .iterator());
        }
        assertThat(Phase.values()).extracting(Phase::colour).doesNotHaveDuplicates();
    }

    @Test
    void onlyMirroredProbesPassTheMirror() {
        assertThat(Phase.path(true)).containsExactly(Phase.values());
        assertThat(Phase.path(false)).hasSize(5).doesNotContain(Phase.MIRROR);
    }
}
