/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.figure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** All figures by file name; where they are shown is the documentation's business. */
public final class Figures {
    /** Where they belong, below the repository's root. */
    public static final Path DIRECTORY = Path.of("docs", "images");

    private Figures() {}

    /** What each file should hold. */
    public static Map<String, String> all() {
        Map<String, String> figures = new TreeMap<>();
        figures.put("probe-path.svg", ProbePathFigure.draw());
        figures.put("lanes.svg", LanesFigure.draw());
        return figures;
    }

    /**
     * Writes them.
     *
     * @param root the repository's
     * @throws IOException when that fails
     */
    public static void write(Path root) throws IOException {
        Path directory = Files.createDirectories(root.resolve(DIRECTORY));
        for (Map.Entry<String, String> figure : all().entrySet()) {
            Files.writeString(directory.resolve(figure.getKey()), figure.getValue());
        }
    }
}
