/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.run;

import io.phasewise.experiments.measure.TimedScrape;
import io.phasewise.lab.measure.Scrape;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Load and conditions on brokers, machine and canary during a turn.
 *
 * @param figures by heading, which names the unit; in the order of the table. NaN where unknown
 */
public record TurnConditions(Map<String, Double> figures) {
    private static final String REQUESTS = "kafka_request_phase_seconds";
    private static final String PRODUCE = "request=\"Produce\"";
    private static final String LAG = "kafka_canary_schedule_lag_seconds";

    /** Counts the broker's handlers only, also in a node that is a controller too. */
    private static final String IDLE = "kafka_server_kafkarequesthandlerpool_brokerrequesthandleravgidle_seconds_total";

    public TurnConditions {
        figures = Collections.unmodifiableMap(new LinkedHashMap<>(figures));
    }

    /**
     * Pages of canary and exporters at one moment.
     *
     * @param canary the canary's
     * @param brokers one of each exporter; empty where one did not answer
     */
    record Pages(TimedScrape canary, List<TimedScrape> brokers) {}

    /**
     * The conditions between two readings. Each rate is divided by the time between its own two
     * readings.
     */
    static TurnConditions between(Pages before, Pages after, WorkCounters begun, WorkCounters ended) {
        Map<String, Double> all = new LinkedHashMap<>();
        double seconds = (ended.nanos() - begun.nanos()) / 1e9;
        double acknowledged = ended.acknowledged() - begun.acknowledged();
        all.put("load records/s", acknowledged / seconds);
        all.put("load failed/s", (ended.failed() - begun.failed()) / seconds);
        all.put("load bytes sent a record", (ended.bytes() - begun.bytes()) / acknowledged);
        all.putAll(brokers(before.brokers(), after.brokers()));
        all.put(
                "processors busy, %",
                100.0 * (ended.busyTicks() - begun.busyTicks()) / Math.max(1, ended.ticks() - begun.ticks()));
        all.put(
                "slowest exporter page, ms",
                after.brokers().stream().mapToDouble(TimedScrape::millis).max().orElse(Double.NaN));
        all.put("canary page, ms", after.canary().millis());
        Scrape earlier = before.canary().page();
        Scrape now = after.canary().page();
        all.put("canary late, mean ms", now.grown(earlier, LAG + "_sum") / now.grown(earlier, LAG + "_count") * 1e3);
        return new TurnConditions(all);
    }

    private static Map<String, Double> brokers(List<TimedScrape> before, List<TimedScrape> after) {
        boolean known = !after.isEmpty() && before.size() == after.size();
        double rate = known ? 0 : Double.NaN;
        double requests = rate;
        double waited = rate;
        double busy = rate;
        for (int i = 0; known && i < after.size(); i++) {
            Scrape earlier = before.get(i).page();
            Scrape now = after.get(i).page();
            double seconds = after.get(i).secondsSince(before.get(i));
            double more = now.grown(earlier, REQUESTS + "_count", PRODUCE, "phase=\"total\"");
            // A restarted broker counts from zero.
            more = more < 0 ? Double.NaN : more;
            requests += more;
            rate += more / seconds;
            waited += now.grown(earlier, REQUESTS + "_sum", PRODUCE, "phase=\"request_queue\"");
            boolean counted = more >= 0 && now.values().containsKey(IDLE);
            busy += counted ? Math.max(0, 1 - now.grown(earlier, IDLE) / seconds) : Double.NaN;
        }
        double queue = waited / requests;
        double share = busy / after.size();
        Map<String, Double> all = new LinkedHashMap<>();
        all.put("produce requests/s", rate);
        all.put("queue, ms", queue * 1e3);
        // Little's law: arrivals per second times the time that each waits.
        all.put("waiting (Little)", rate * queue);
        all.put("handlers busy, %", share * 100);
        // Kingman's formula: the waiting time is proportional to this, at a given variability of
        // the work.
        all.put("busy over idle", share / (1 - share));
        return all;
    }

    /** The mean over one or more turns. */
    public static TurnConditions mean(Collection<TurnConditions> all) {
        Map<String, Double> means = new LinkedHashMap<>();
        for (TurnConditions turn : all) {
            turn.figures().forEach((name, value) -> means.merge(name, value, Double::sum));
        }
        means.replaceAll((name, sum) -> sum / all.size());
        return new TurnConditions(means);
    }
}
