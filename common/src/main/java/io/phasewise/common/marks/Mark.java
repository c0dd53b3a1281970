/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.marks;

/** One line of a {@link MarkPage}: something that an agent saw. Immutable. */
public abstract class Mark {

    Mark() {}

    /**
     * As text.
     *
     * @param form of the page
     */
    abstract KeyValueLine line(int form);

    /** Puts it where it belongs in a page. */
    abstract void addTo(MarkPage page);

    /** Whether a page of the first form has it. */
    boolean isInFirstForm() {
        return false;
    }
}
