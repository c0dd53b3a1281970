/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.common.file.JarResource;
import io.phasewise.common.phase.Phase;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The page's script and style know the phases by heart; here they are held to their definition. */
class PagePhasesTest {
    private static final Pattern COLOURS = Pattern.compile("--(\\w+): (#[0-9a-f]{6});");

    @Test
    void theScriptHasThemInTheirOrder() throws IOException {
        String labels = Arrays.stream(Phase.values())
                .map(phase -> "'" + phase.label() + "'")
                .collect(Collectors.joining(", "));

        assertThat(JarResource.text(Page.class, "page.js")).contains("const PHASES = [" + labels + "];");
    }

    @Test
    void theStyleHasTheirColours() throws IOException {
        List<List<String>> defined = Arrays.stream(Phase.values())
                .map(phase -> List.of(phase.label(), phase.colour()))
                .toList();
        List<String> labels = defined.stream().map(row -> row.get(0)).toList();
        // The first definition of each; the dark scheme changes none of them.
        List<MatchResult> found = COLOURS.matcher(JarResource.text(Page.class, "page.css"))
                .results()
                .filter(colour -> labels.contains(colour.group(1)))
                .toList();

        assertThat(found)
                .extracting(colour -> List.of(colour.group(1), colour.group(2)))
                .containsExactlyElementsOf(defined);
    }
}
