/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.stack;

/**
 * Whether a component works at this moment.
 *
 * @param note why it does not, or another remark, in a few words; may be empty
 */
public record Health(boolean healthy, String note) {

    static final Health GOOD = new Health(true, "");

    static Health bad(String note) {
        return new Health(false, note);
    }
}
