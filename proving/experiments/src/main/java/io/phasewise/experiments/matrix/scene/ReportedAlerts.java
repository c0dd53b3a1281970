/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix.scene;

import java.util.Set;

/**
 * Alerts as Alertmanager has them.
 *
 * @param active names of those not resolved
 * @param held names of those held back because of another one
 */
public record ReportedAlerts(Set<String> active, Set<String> held) {}
