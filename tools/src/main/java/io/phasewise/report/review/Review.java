/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.review;

import io.phasewise.report.facts.Facts;
import io.phasewise.report.incident.Incident.Incidents;
import io.phasewise.report.latency.Comparison;
import io.phasewise.report.latency.Latency;
import io.phasewise.report.load.Load;
import io.phasewise.report.source.Warnings;
import java.time.Instant;

/**
 * What the review found, as numbers: this is what report.json holds. Latencies are in seconds,
 * shares from 0 to 1, times in UTC.
 *
 * @param made when
 * @param server that was read; without credentials
 * @param site where the canaries stand; empty where they do not say
 * @param latency percentiles and objective of the window
 * @param comparison with an earlier window; null where none was asked for
 * @param load how much load there is, how much more there could be, and on which brokers
 * @param incidents times in which the objective was not kept
 * @param facts what a reader must know before believing the numbers
 * @param warnings why the server's answers may not be whole
 */
public record Review(
        Instant made,
        String server,
        String cluster,
        String profile,
        String site,
        String zone,
        Latency latency,
        Comparison comparison,
        Load load,
        Incidents incidents,
        Facts facts,
        Warnings warnings) {}
