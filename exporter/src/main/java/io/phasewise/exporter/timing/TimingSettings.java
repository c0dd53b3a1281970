/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.timing;

/** How requests are timed: the section {@code timing} of the configuration file. */
public final class TimingSettings {

    /** Whether requests are timed at all. */
    public final boolean enabled;

    /** Of the native histograms, 0 to 8: 2^schema buckets for each power of two. */
    public final int schema;

    /** Requests of clients whose id begins so are the canary's own; not empty. */
    public final String canaryClientIdPrefix;

    /** Takes values that were checked. */
    public TimingSettings(boolean enabled, int schema, String canaryClientIdPrefix) {
        this.enabled = enabled;
        this.schema = schema;
        this.canaryClientIdPrefix = canaryClientIdPrefix;
    }
}
