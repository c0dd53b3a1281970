/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.stack;

/**
 * Whether a component does its work at this moment.
 *
 * @param note in a few words why it is not, or what else to know; may be empty
 */
public record Health(boolean healthy, String note) {

    static final Health GOOD = new Health(true, "");

    static Health bad(String note) {
        return new Health(false, note);
    }
}
