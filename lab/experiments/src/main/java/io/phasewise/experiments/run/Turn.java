/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.run;

import io.phasewise.experiments.measure.Histogram;
import io.phasewise.experiments.measure.ProbeRecord;
import java.time.Instant;
import java.util.List;

/**
 * What was measured in one turn of one variant, warm-up cut.
 *
 * @param variant its name
 * @param repeat from 0
 * @param from when measuring began
 * @param to when it ended
 * @param probes those due in between that came back
 * @param unseen how many did not (lost or not sent), by the canary's counters
 * @param producer from send() to the acknowledgement, seconds, of probes of the same leaders
 * @param circumstances what went on around them
 */
public record Turn(
        String variant,
        int repeat,
        Instant from,
        Instant to,
        List<ProbeRecord> probes,
        long unseen,
        Histogram producer,
        Circumstances circumstances) {}
