/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.query;

import java.time.ZoneId;
import java.util.Optional;

/**
 * What a review is about.
 *
 * @param cluster as the canary names it
 * @param profile which of the canary's client settings
 * @param site whose canaries are asked for; an empty name stands for canaries that name no
 *     site. Where it is absent there must be one site only
 * @param window the time looked at
 * @param before the time it is compared with
 * @param zone in which hours and days are counted
 */
public record Question(
        String cluster, String profile, Optional<String> site, Window window, Optional<Window> before, ZoneId zone) {}
