/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.review;

import java.time.ZoneId;
import java.util.Optional;

/**
 * What a review is about.
 *
 * @param cluster as the canary names it
 * @param profile which of the canary's client settings
 * @param site the canaries of which site, empty: of those that name none; without it there has to
 *     be one site
 * @param window the time looked at
 * @param before the time it is compared with
 * @param zone in which hours and days are counted
 */
public record Question(
        String cluster,
        String profile,
        Optional<String> site,
        Window window,
        Optional<Window> before,
        ZoneId zone) {

    /** Label matchers of the canary's series. */
    String canary() {
        return ofProfile() + site.map(name -> ",site=" + quoted(name)).orElse("");
    }

    /** The same of all sites. */
    String ofProfile() {
        return ofCluster() + ",profile=" + quoted(profile);
    }

    /** A selector of the series that each canary has one of, without labels of its own. */
    String target() {
        return "kafka_canary_slo_target_seconds{" + canary() + "}";
    }

    /** Label matchers of the brokers' series. */
    String brokers() {
        return ofCluster() + ",broker!=\"\"";
    }

    private String ofCluster() {
        return "cluster=" + quoted(cluster);
    }

    /** A string literal of PromQL. */
    static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + '"';
    }
}
