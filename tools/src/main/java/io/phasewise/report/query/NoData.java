/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.query;

import io.phasewise.report.source.PrometheusReader;
import io.phasewise.report.source.SourceException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.regex.PatternSyntaxException;

/** Says which data of canaries there are at other times, where a window holds none. */
public final class NoData {

    private NoData() {}

    /**
     * One line for the reader.
     *
     * @param selector of all canaries' series
     * @param asked which cluster, or which pattern of clusters
     * @param now data after this instant are not looked for
     */
    public static String text(PrometheusReader server, String selector, String asked, Window window, Instant now)
            throws SourceException, InterruptedException {
        List<String> ever = server.labelValues("cluster", selector, Instant.EPOCH, now);
        if (ever.isEmpty()) {
            return "the server has no data of any canary";
        }
        String none = "no canary's data " + window.text();
        if (ever.stream().noneMatch(each -> matches(each, asked))) {
            return none + ", and at no time any of cluster '" + asked + "'; there is: " + String.join(", ", ever);
        }
        List<String> since = server.labelValues("cluster", selector, window.to(), now);
        if (since.isEmpty()) {
            return none + "; at other times there is: " + String.join(", ", ever) + ". Was the canary down?";
        }
        boolean isNow = Duration.between(window.to(), now).compareTo(window.block()) <= 0;
        return none + "; since then there is: " + String.join(", ", since)
                + (isNow ? ". A window of a day or more ends at the last full hour: try --from now-1h" : "");
    }

    /**
     * Whether a cluster is the one asked for, or matches the pattern. A pattern that Java cannot
     * read may be one of PromQL and counts as matching.
     */
    private static boolean matches(String cluster, String asked) {
        try {
            return cluster.equals(asked) || cluster.matches(asked);
        } catch (PatternSyntaxException otherSyntax) {
            return true;
        }
    }
}
