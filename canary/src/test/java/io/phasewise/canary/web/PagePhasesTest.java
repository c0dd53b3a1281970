/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.common.phase.Phase;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The page's script and style know the phases by heart; here they are held to their definition. */
class PagePhasesTest {
    private static final Pattern LISTS = Pattern.compile("const (PHASES|MIRRORED) = \\[(.+)];");
    private static final Pattern COLOURS = Pattern.compile("--(\\w+): (#[0-9a-f]{6});");

    @Test
    void theScriptHasThemInTheirOrder() throws IOException {
        Map<String, String> lists =
                LISTS.matcher(resource("page.js"))
                        .results()
                        .collect(
                                Collectors.toMap(found -> found.group(1), found -> found.group(2)));

        assertThat(lists)
                .containsEntry("PHASES", quoted(Phase.path(false)))
                .containsEntry("MIRRORED", quoted(Phase.path(true)));
    }

    @Test
    void theStyleHasTheirColours() throws IOException {
        List<String> labels = Arrays.stream(Phase.values()).map(Phase::label).toList();
        // The first definition of each; the dark scheme changes none of them.
        List<MatchResult> found =
                COLOURS.matcher(resource("page.css"))
                        .results()
                        .filter(colour -> labels.contains(colour.group(1)))
                        .toList();

        assertThat(found)
                .extracting(colour -> colour.group(1) + " " + colour.group(2))
                .containsExactlyElementsOf(
                        Arrays.stream(Phase.values())
                                .map(phase -> phase.label() + " " + phase.colour())
                                .toList());
    }

    private static String quoted(List<Phase> phases) {
        return phases.stream()
                .map(phase -> "'" + phase.label() + "'")
                .collect(Collectors.joining(", "));
    }

    private static String resource(String name) throws IOException {
        try (InputStream file = Page.class.getResourceAsStream(name)) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
