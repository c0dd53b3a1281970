/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.report;

import java.util.List;
import java.util.Map;

/**
 * What a result rests on beside its plan.
 *
 * @param options of the command that are no parameters, as they were given
 * @param circumstances machine, versions, load, for people: names to values
 * @param configuration of all that took part, for programs; holds no secrets
 */
public record Surroundings(
        List<String> options,
        Map<String, String> circumstances,
        Map<String, Object> configuration) {}
