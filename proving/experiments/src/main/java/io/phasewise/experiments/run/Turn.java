/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.run;

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
 * @param probes all that were due in between, also those that did not come back
 * @param conditions what went on around them
 */
public record Turn(
        String variant, int repeat, Instant from, Instant to, List<ProbeRecord> probes, TurnConditions conditions) {}
