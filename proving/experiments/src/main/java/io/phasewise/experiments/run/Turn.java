/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.run;

import io.phasewise.experiments.measure.ProbeRecord;
import java.time.Instant;
import java.util.List;

/**
 * What was measured in one turn of one variant, without its warm-up.
 *
 * @param variant its name
 * @param repeat from 0
 * @param from when measuring began
 * @param to when it ended
 * @param probes all that were due meanwhile, also those that did not come back
 * @param conditions on brokers, machine and canary meanwhile
 */
public record Turn(
        String variant, int repeat, Instant from, Instant to, List<ProbeRecord> probes, TurnConditions conditions) {}
