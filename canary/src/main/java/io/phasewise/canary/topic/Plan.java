/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.topic;

import io.phasewise.canary.supervise.Problem;
import java.util.List;

/**
 * What is to be done, in this order, and what cannot be.
 *
 * @param changes steps, may be empty
 * @param problems wishes that no allowed change can meet, may be empty
 */
public record Plan(List<Change> changes, List<Problem> problems) {
    /** Nothing is to be done. */
    static final Plan NONE = new Plan(List.of(), List.of());
}
