/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.figure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.xml.sax.InputSource;

class FiguresTest {
    private static final Path ROOT = Path.of(System.getProperty("phasewise.root"));

    static Iterable<String> names() {
        return Figures.all().keySet();
    }

    @ParameterizedTest
    @MethodSource("names")
    void theCommittedFileIsWhatTheCodeDraws(String name) throws IOException {
        assertThat(ROOT.resolve(Figures.DIRECTORY).resolve(name))
                .as("drawn by ./phasewise bench figures")
                .hasContent(Figures.all().get(name));
    }

    @ParameterizedTest
    @MethodSource("names")
    void isWellFormedWithATitle(String name) throws Exception {
        var document =
                DocumentBuilderFactory.newInstance()
                        .newDocumentBuilder()
                        .parse(new InputSource(new StringReader(Figures.all().get(name))));
        assertThat(document.getElementsByTagName("title").item(0).getTextContent()).isNotBlank();
    }

    @ParameterizedTest
    @MethodSource("names")
    void isShownInTheDocumentation(String name) throws IOException {
        assertThat(Files.readString(ROOT.resolve("docs/explanation/phases.md")))
                .contains("images/" + name);
    }
}
