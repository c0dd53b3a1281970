/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.query;

/** In which form the latencies are stored. */
public enum Form {
    /** As scraped, native histograms. */
    RAW_NATIVE(true, false),
    /** As scraped, classic histograms. */
    RAW_CLASSIC(false, false),
    /** As the rules record their rates, native. */
    RECORDED_NATIVE(true, true),
    /** As the rules record their rates, classic. */
    RECORDED_CLASSIC(false, true);

    private final boolean nativeForm;
    private final boolean recorded;

    Form(boolean nativeForm, boolean recorded) {
        this.nativeForm = nativeForm;
        this.recorded = recorded;
    }

    static Form of(boolean nativeForm, boolean recorded) {
        return nativeForm ? recorded ? RECORDED_NATIVE : RAW_NATIVE : recorded ? RECORDED_CLASSIC : RAW_CLASSIC;
    }

    /** Whether buckets are about one per cent wide. */
    public boolean isNative() {
        return nativeForm;
    }

    /** Whether the rules' rates of five minutes are read in place of what was scraped. */
    public boolean recorded() {
        return recorded;
    }
}
