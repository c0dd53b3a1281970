/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix;

import io.phasewise.experiments.measure.GrowingLog;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Reads the canary's log as it grows, from its beginning; the canary must write a line of every
 * probe. What the probes say is left to {@link Fates}.
 */
final class FateLog {
    private final GrowingLog log;
    private final Fates fates = new Fates();
    private long otherLines;

    FateLog(Path log) {
        this.log = new GrowingLog(log);
    }

    /**
     * Takes what was written since the last time; a line that is not finished yet waits.
     *
     * @throws IOException when the log cannot be read
     */
    Fates read() throws IOException {
        log.read(this::take);
        return fates;
    }

    private void take(String line) {
        Optional<Fate> fate = Fate.read(line);
        fate.ifPresent(fates::add);
        otherLines += fate.isPresent() ? 0 : 1;
    }

    /** Lines so far that tell of no probe. */
    long otherLines() {
        return otherLines;
    }
}
