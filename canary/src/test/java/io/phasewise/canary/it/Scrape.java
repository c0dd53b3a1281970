/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import io.phasewise.lab.junit.ScrapedPage;
import java.util.Arrays;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * One reading of /metrics in text form, or what grew between two; labels are asked for as {@code
 * name=value}.
 */
record Scrape(ScrapedPage page) {
    static Scrape of(String text) {
        return new Scrape(ScrapedPage.of(text));
    }

    String text() {
        return page.text();
    }

    /** What has been added to each series since then; the text is this one's. */
    Scrape since(Scrape earlier) {
        NavigableMap<String, Double> grown = new TreeMap<>(page.scrape().values());
        grown.replaceAll(
                (series, value) -> value - earlier.page.scrape().values().getOrDefault(series, 0.0));
        return new Scrape(new ScrapedPage(text(), new io.phasewise.lab.measure.Scrape(grown)));
    }

    /** Sum of the series of that name that have all of those labels; 0 where there are none. */
    double sum(String name, String... labels) {
        return page.sum(name, Arrays.stream(labels).map(Scrape::written).toArray(String[]::new));
    }

    /** As the text has it. */
    private static String written(String label) {
        return label.replaceFirst("=", "=\"") + '"';
    }

    /** Probes that ended so: delivered, late, lost, send_failed. */
    double probes(String outcome, String... labels) {
        String[] all = Arrays.copyOf(labels, labels.length + 1);
        all[labels.length] = "outcome=" + outcome;
        return sum("kafka_canary_probes_total", all);
    }

    double inFlight(String... labels) {
        return sum("kafka_canary_probes_in_flight", labels);
    }

    /** Whether every scheduled probe is accounted for exactly once. */
    boolean conserved(String... labels) {
        return sum("kafka_canary_probes_scheduled_total", labels)
                == sum("kafka_canary_probes_total", labels) + inFlight(labels);
    }

    /** Whether so many probes, split into their phases, came back through each leader. */
    boolean split(String of, int each, int... leaders) {
        return IntStream.of(leaders)
                .allMatch(id -> sum(PhaseMeans.FAMILY + "_count", of, leader(id), "phase=fetch") >= each);
    }

    static String leader(int id) {
        return "leader=" + id;
    }
}
