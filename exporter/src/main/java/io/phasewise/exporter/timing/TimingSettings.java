/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.timing;

import io.phasewise.exporter.recorder.BucketScheme;

/** How requests are timed: the section {@code timing} of the configuration file. */
public final class TimingSettings {

    /** Buckets 0.54 % wide: no percentile that is estimated from them is further off. */
    private static final int DEFAULT_SCHEMA = 7;

    private final boolean enabled;
    private final int schema;
    private final String canaryClientIdPrefix;

    /**
     * @param enabled whether requests are timed at all
     * @param schema of the native histograms, 0 to 8: 2^schema buckets for each power of two
     * @param canaryClientIdPrefix requests of clients whose id begins so are the canary's own; not
     *     empty
     * @throws IllegalArgumentException when an argument is not like that
     */
    public TimingSettings(boolean enabled, int schema, String canaryClientIdPrefix) {
        if (schema < BucketScheme.MIN_SCHEMA || schema > BucketScheme.MAX_SCHEMA) {
            throw new IllegalArgumentException("schema " + schema + ": allowed is 0 to 8");
        }
        if (canaryClientIdPrefix.isEmpty()) {
            throw new IllegalArgumentException("the canary's client id prefix is empty");
        }
        this.enabled = enabled;
        this.schema = schema;
        this.canaryClientIdPrefix = canaryClientIdPrefix;
    }

    /** What holds where the configuration says nothing. */
    public static TimingSettings defaults() {
        return new TimingSettings(true, DEFAULT_SCHEMA, "phasewise-canary");
    }

    public boolean enabled() {
        return enabled;
    }

    public int schema() {
        return schema;
    }

    public String canaryClientIdPrefix() {
        return canaryClientIdPrefix;
    }
}
