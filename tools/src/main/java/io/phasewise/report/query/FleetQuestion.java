/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.query;

import java.time.ZoneId;
import java.util.Optional;

/**
 * What a review of many clusters is about.
 *
 * @param pattern which clusters: a regular expression of PromQL that the whole name matches
 * @param profile which of the canary's client settings
 * @param site the canaries of which site, see {@link Question}
 * @param window the time looked at
 * @param zone in which hours and days are counted
 */
public record FleetQuestion(String pattern, String profile, Optional<String> site, Window window, ZoneId zone) {

    /** The same of one cluster. */
    public Question of(String cluster) {
        return new Question(cluster, profile, site, window, Optional.empty(), zone);
    }
}
