/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.config;

import java.time.Duration;

/**
 * What counts as good.
 *
 * @param target a probe delivered within this after it was due is good
 * @param objective the share of probes that should be good, more than 0 and less than 1
 */
public record SloConfig(
        @Bounds("100us to deadline") Duration target,

        @Bounds(value = "0 to 1", exclusive = true) double objective) {}
