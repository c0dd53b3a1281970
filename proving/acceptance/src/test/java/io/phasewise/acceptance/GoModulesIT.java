/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.acceptance;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Runs the tests of what is written in Go, the dashboards, the generator of the rules, the
 * texts of notifications, and the
 * checks of what is deployed to Kubernetes and by Compose, as part of this build. What dashboards
 * show of a running stack is left to {@link StackIT}.
 */
@Order(3)
class GoModulesIT {
    @ParameterizedTest
    @ValueSource(
            strings = {"alerting", "dashboards", "deploy", "deploy/docker", "deploy/release", "prometheus/generate"})
    void theTestsOfTheModulePass(String module) {
        GoTests.pass(module, Duration.ofMinutes(15), Map.of(), "./...");
    }
}
