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
 * @param cluster empty where it is about none
 * @param broker whom it names; empty where it names none
 * @param role empty where it says none
 * @param phase likewise
 */
public record Alert(String name, String severity, String cluster, String broker, String role, String phase) {

    /** Whom it names, for people. */
    public String who() {
        return broker + (role.isEmpty() ? "" : " " + role + "/" + phase);
    }
}
