/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.report;

import java.util.ArrayList;
import java.util.List;

/**
 * A table before it is written down as Markdown or HTML.
 *
 * @param title of the table
 * @param headings of its columns
 * @param rows a cell for each heading
 */
record Grid(String title, List<String> headings, List<List<String>> rows) {

    /** An empty one. */
    static Grid of(String title, List<String> headings) {
        return new Grid(title, headings, new ArrayList<>());
    }

    void row(List<String> cells) {
        rows.add(List.copyOf(cells));
    }
}
