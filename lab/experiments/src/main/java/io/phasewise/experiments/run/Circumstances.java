/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.run;

import io.phasewise.experiments.measure.Scrape;
import io.phasewise.experiments.measure.TimedScrape;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/**
 * What went on around the probes of a turn.
 *
 * @param produceRequests a second, all brokers, of everybody; NaN where no exporter was asked
 * @param queueMillis what a produce request waited for a request handler in the mean; NaN where no
 *     exporter was asked
 * @param handlersBusy share of time that brokers' request handlers were not idle, mean over the
 *     brokers, 0 to 1; NaN where no exporter was asked or Kafka does not tell it
 * @param loadRecords a second that the load's producers got acknowledged; 0 without a load
 * @param processorShare of the machine's processors that was busy, 0 to 1
 * @param others further figures, by headings that name their unit; NaN where unknown
 */
public record Circumstances(
        double produceRequests,
        double queueMillis,
        double handlersBusy,
        double loadRecords,
        double processorShare,
        Map<String, Double> others) {

    private static final String REQUESTS = "kafka_request_phase_seconds";
    private static final String PRODUCE = "request=\"Produce\"";

    /** Of the broker's handlers also where a node is a controller, too. */
    private static final String IDLE =
            "kafka_server_kafkarequesthandlerpool_brokerrequesthandleravgidle_seconds_total";

    public Circumstances {
        others = Map.copyOf(others);
    }

    /**
     * What lies between two readings of every broker's exporter, each divided by its own time.
     *
     * @param before by broker; empty where none was asked or one did not answer
     * @param after likewise
     * @param loadRecords see above
     * @param processorShare see above
     * @param others see above
     */
    static Circumstances between(
            List<TimedScrape> before,
            List<TimedScrape> after,
            double loadRecords,
            double processorShare,
            Map<String, Double> others) {
        boolean told = !after.isEmpty() && before.size() == after.size();
        double rate = told ? 0 : Double.NaN;
        double requests = rate;
        double waited = rate;
        double busy = rate;
        for (int i = 0; told && i < after.size(); i++) {
            Scrape earlier = before.get(i).page();
            Scrape now = after.get(i).page();
            double more = now.grown(earlier, REQUESTS + "_count", PRODUCE, "phase=\"total\"");
            if (more < 0) {
                // A broker that was started anew counts from zero.
                return new Circumstances(
                        Double.NaN, Double.NaN, Double.NaN, loadRecords, processorShare, others);
            }
            double seconds = after.get(i).secondsSince(before.get(i));
            requests += more;
            rate += more / seconds;
            waited += now.grown(earlier, REQUESTS + "_sum", PRODUCE, "phase=\"request_queue\"");
            boolean known = now.values().containsKey(IDLE);
            busy += known ? Math.max(0, 1 - now.grown(earlier, IDLE) / seconds) : Double.NaN;
        }
        return new Circumstances(
                rate,
                waited / requests * 1e3,
                busy / after.size(),
                loadRecords,
                processorShare,
                others);
    }

    /** The mean over several turns. */
    public static Circumstances mean(Collection<Circumstances> all) {
        return new Circumstances(
                mean(all, Circumstances::produceRequests),
                mean(all, Circumstances::queueMillis),
                mean(all, Circumstances::handlersBusy),
                mean(all, Circumstances::loadRecords),
                mean(all, Circumstances::processorShare),
                others(all));
    }

    private static Map<String, Double> others(Collection<Circumstances> all) {
        Map<String, Double> means = new TreeMap<>();
        for (Circumstances each : all) {
            for (String name : each.others().keySet()) {
                means.computeIfAbsent(
                        name,
                        unused -> mean(all, one -> one.others().getOrDefault(name, Double.NaN)));
            }
        }
        return means;
    }

    private static double mean(Collection<Circumstances> all, ToDoubleFunction<Circumstances> of) {
        return all.stream().mapToDouble(of).average().orElse(Double.NaN);
    }

    /**
     * Produce requests that waited for a handler at one moment, in the mean, by Little's law:
     * arrivals a second times the time that each waits.
     */
    public double waiting() {
        return produceRequests * queueMillis / 1e3;
    }

    /**
     * Busy over idle of the request handlers, to which the time in their queue is proportional at a
     * given variability and duration of the work (Kingman's approximation).
     */
    public double busyOverIdle() {
        return handlersBusy / (1 - handlersBusy);
    }
}
