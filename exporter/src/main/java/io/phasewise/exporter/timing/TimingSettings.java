/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.timing;

/** How requests are timed: the section {@code timing} of the configuration file. */
public final class TimingSettings {

    /** 128 buckets for each power of two: any percentile is off by less than 0.3 %. */
    private static final int DEFAULT_SCHEMA = 7;

    private final boolean enabled;
    private final int schema;
    private final String canaryClientIdPrefix;

    /**
     * @param enabled whether requests are timed at all
     * @param schema of the native histograms, 0 to 8: 2^schema buckets for each power of two
     * @param canaryClientIdPrefix requests of clients whose id begins so are the canary's own; not
     *     empty
     */
    public TimingSettings(boolean enabled, int schema, String canaryClientIdPrefix) {
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
