/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix.scene;

/**
 * An alert that fires.
 *
 * @param name of the rule
 * @param severity its label
 * @param cluster its label; empty where it has none
 * @param broker that it names; empty where it names none
 * @param role its label; empty where it has none
 * @param phase its label; empty where it has none
 */
public record Alert(String name, String severity, String cluster, String broker, String role, String phase) {

    /** The broker that it names, with role and phase, for people. */
    public String who() {
        return broker + (role.isEmpty() ? "" : " " + role) + (phase.isEmpty() ? "" : "/" + phase);
    }
}
