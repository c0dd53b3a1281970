/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.probe.ledger;

import io.phasewise.canary.phases.Instants;
import io.phasewise.canary.phases.PhaseBreakdown;

/**
 * The latency of one probe, taken apart.
 *
 * @param instants T0 to T5
 * @param phases what each phase is charged: the differences of the instants, unless the probe
 *     waited behind another, whose phases that wait is then charged to; sums to T5 - T0 either way
 */
public record Breakdown(Instants instants, PhaseBreakdown phases) {}
