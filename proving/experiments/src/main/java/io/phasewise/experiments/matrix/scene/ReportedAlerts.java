/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix.scene;

import java.util.Set;

/**
 * The names of the alerts that Alertmanager has.
 *
 * @param active those not resolved
 * @param held those that another alert inhibits
 */
public record ReportedAlerts(Set<String> active, Set<String> held) {}
