/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.series;

import io.phasewise.lab.measure.Table;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What a fleet of clusters has by the budget, which is arithmetic. Clients that push and what
 * mirrored profiles have besides have no part in it.
 *
 * @param clusters all alike
 * @param brokers of each, each the leader of a partition of the canary's topic
 * @param profiles measured of each
 * @param topics busy ones of each broker
 */
public record FleetSize(int clusters, int brokers, int profiles, int topics) {
    /** As docs/scale.md shares them out. */
    private static final int CLUSTERS_OF_A_CANARY = 50;

    private static final int SCRAPE_INTERVAL_SECONDS = 5;

    private static final int BUSY_TOPICS = 20;

    /**
     * How many series there may be.
     *
     * @param recorded those of rules, else those of scrapes
     * @param classic without native histograms
     */
    public long series(boolean recorded, boolean classic) {
        long sum = 0;
        for (Map.Entry<SeriesKind, Long> kind : units().entrySet()) {
            if (kind.getKey().isRecorded() == recorded) {
                sum += kind.getValue() * kind.getKey().budget(classic);
            }
        }
        return sum;
    }

    /** Samples per second at the intervals of prometheus/: native histograms, each one sample. */
    public double samplesPerSecond(boolean recorded) {
        if (!recorded) {
            return (double) series(false, false) / SCRAPE_INTERVAL_SECONDS;
        }
        double sum = 0;
        for (Map.Entry<SeriesKind, Long> kind : units().entrySet()) {
            sum += kind.getValue() * kind.getKey().recordedPerSecond();
        }
        return sum;
    }

    private Map<SeriesKind, Long> units() {
        long allBrokers = (long) clusters * brokers;
        long allProfiles = (long) clusters * profiles;
        long leaders = allBrokers * profiles;
        return Map.of(
                SeriesKind.BROKER, allBrokers,
                SeriesKind.TOPIC, allBrokers * topics,
                SeriesKind.CANARY, (clusters + CLUSTERS_OF_A_CANARY - 1L) / CLUSTERS_OF_A_CANARY,
                SeriesKind.PROFILE, allProfiles,
                SeriesKind.LEADER, leaders,
                SeriesKind.RECORDED_PROFILE, allProfiles,
                SeriesKind.RECORDED_LEADER, leaders,
                SeriesKind.RECORDED_BROKER, allBrokers);
    }

    /** Fleets from one broker to thirty thousand, of one profile, as docs/scale.md shows them. */
    public static Table table() {
        Table table =
                new Table(
                        "clusters",
                        "brokers of each",
                        "series scraped",
                        "recorded",
                        "together",
                        "classic, together",
                        "samples/s scraped",
                        "recorded/s");
        for (FleetSize fleet :
                List.of(
                        of(1, 1),
                        of(1, 10),
                        of(1, 100),
                        of(1, 1_000),
                        of(40, 3),
                        of(100, 3),
                        of(100, 10),
                        of(10_000, 3))) {
            table.row(
                    number(fleet.clusters),
                    number(fleet.brokers),
                    number(fleet.series(false, false)),
                    number(fleet.series(true, false)),
                    number(fleet.series(false, false) + fleet.series(true, false)),
                    number(fleet.series(false, true) + fleet.series(true, true)),
                    number(Math.round(fleet.samplesPerSecond(false))),
                    number(Math.round(fleet.samplesPerSecond(true))));
        }
        return table;
    }

    private static FleetSize of(int clusters, int brokers) {
        return new FleetSize(clusters, brokers, 1, BUSY_TOPICS);
    }

    private static String number(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }
}
