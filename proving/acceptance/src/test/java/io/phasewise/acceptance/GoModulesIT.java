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
 * Runs the tests that are written in Go as a part of this build: of dashboards, rules and texts of
 * notifications, and of what is deployed to Kubernetes and by Compose. {@link StackIT} checks what
 * dashboards show of a running stack.
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
