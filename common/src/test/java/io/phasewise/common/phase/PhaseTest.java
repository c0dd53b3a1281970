/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.phase;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.common.file.JarResource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PhaseTest {
    @Test
    void theFileHasThePhasesInTheirOrderWithTheirColours() throws Exception {
        List<String> rows = new ArrayList<>();
        for (Phase phase : Phase.values()) {
            rows.add(phase.label() + "," + phase.colour());
        }
        assertThat(JarResource.text(Phase.class, "phases.csv").lines().skip(1)).containsExactlyElementsOf(rows);
        assertThat(rows).extracting(row -> row.split(",")[1]).doesNotHaveDuplicates();
    }
}
