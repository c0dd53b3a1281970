/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.cluster.access;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Says when to try again after a cluster has refused the credentials: after ten seconds, then after
 * twice the last pause, up to five minutes; at once when a file with credentials has changed. So a
 * system that locks an account after some failures rarely sees one. Used by one thread.
 */
public final class RefusedLogin {
    private static final Duration FIRST = Duration.ofSeconds(10);
    private static final Duration LONGEST = Duration.ofMinutes(5);

    private Duration pause = Duration.ZERO;
    private long untilNanos;
    private Map<Path, String> files = Map.of();

    /**
     * The credentials were refused, for the first time or again.
     *
     * @param nowNanos the present
     * @param contents of the files with credentials, as hashes
     */
    public void refused(long nowNanos, Map<Path, String> contents) {
        boolean isFirst = pause.isZero() || !contents.equals(files);
        pause = isFirst ? FIRST : pause.multipliedBy(2);
        if (pause.compareTo(LONGEST) > 0) {
            pause = LONGEST;
        }
        untilNanos = nowNanos + pause.toNanos();
        files = contents;
    }

    /** The credentials were accepted. */
    public void accepted() {
        pause = Duration.ZERO;
    }

    /**
     * Whether to wait, and not to try now.
     *
     * @param nowNanos the present
     * @param contents of the files, read when they matter
     */
    public boolean waits(long nowNanos, Supplier<Map<Path, String>> contents) {
        return !pause.isZero() && nowNanos - untilNanos < 0 && contents.get().equals(files);
    }
}
