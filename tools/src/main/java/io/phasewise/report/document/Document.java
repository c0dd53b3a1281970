/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.document;

import java.util.List;

/**
 * A whole report.
 *
 * @param subtitle what it is of, and when and from what it was made
 * @param sections the first one is the verdict
 */
public record Document(String title, String subtitle, List<Section> sections) {

    /** A heading and what stands below it. */
    public record Section(String title, List<Block> blocks) {}
}
