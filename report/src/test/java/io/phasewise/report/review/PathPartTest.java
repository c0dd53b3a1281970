/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.review;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.common.file.JarResource;
import io.phasewise.common.phase.Phase;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PathPartTest {

    @Test
    void theyAreThoseOfTheDefinitionAndAllButTheMirrorArePhases() throws Exception {
        assertThat(JarResource.text(Phase.class, "phases.csv").lines().skip(1))
                .extracting(row -> row.split(",")[0])
                .containsExactlyElementsOf(
                        Stream.of(PathPart.values()).map(PathPart::label).toList());
        assertThat(Phase.values())
                .extracting(Phase::label)
                .containsExactlyElementsOf(Stream.of(PathPart.values())
                        .map(PathPart::phase)
                        .filter(phase -> !phase.isEmpty())
                        .toList());
    }
}
