/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix.row;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.phasewise.common.phase.Phase;
import io.phasewise.experiments.declared.Allowed;
import io.phasewise.lab.measure.Scrape;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What must be seen of a fault, declared before the run. It asks for exactly one of shares, top and
 * unmoved, or else for how probes must end.
 *
 * @param leaders whose probes are judged
 * @param shares by phase: the share of what the fault adds to a probe that must be found in it
 * @param amount what the fault adds to a probe, where the fault itself does not know it
 * @param besides phases that may grow too, by any amount
 * @param top phases one of which must grow most
 * @param unmoved true: no phase may change; absent: they may
 * @param probes how probes may end that are not delivered in time; some must end in a way that
 *     {@code must} lists
 * @param suspects the only ones that {@code kafka_suspect} may name; at the end it must name
 *     each broker of {@code must}, or what is no broker, in one of the roles listed there
 * @param alerts that must fire in the long form, and those that may
 * @param brokerMean what a broker's own metrics must show
 */
public record Expectation(
        Set<Integer> leaders,
        Map<Phase, Double> shares,
        Optional<Duration> amount,
        Set<Phase> besides,
        Set<Phase> top,
        Boolean unmoved,
        Choice<End> probes,
        Choice<Suspect> suspects,
        Choice<String> alerts,
        @JsonProperty("told") Optional<BrokerMean> brokerMean) {

    /** How a probe can end that is not delivered in time. */
    public enum End {
        LATE,
        LOST,
        @JsonProperty("not-sent")
        SEND_FAILED;

        /** The canary's label of this outcome. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * What must be seen, and what else may be seen.
     *
     * @param must empty: nothing must be seen
     * @param may what is allowed beside that
     */
    public record Choice<T>(List<T> must, List<T> may) {
        public Choice {
            must = must == null ? List.of() : List.copyOf(must);
            may = may == null ? List.of() : List.copyOf(may);
        }

        /** All that is allowed. */
        public List<T> allowed() {
            return Stream.concat(must.stream(), may.stream()).toList();
        }
    }

    /**
     * A mean that a broker's exporter must show while the fault lasts.
     *
     * @param broker its id
     * @param what the mean is of, for people
     * @param series name without {@code _sum}, {@code _mean} and {@code _count}
     * @param labels of the series, each {@code name="value"}
     * @param least what the mean must be at least
     */
    public record BrokerMean(int broker, String what, String series, List<String> labels, Duration least) {
        public BrokerMean {
            labels = labels == null ? List.of() : List.copyOf(labels);
            Allowed.require(series != null, "series", series, "the name of a metric");
            Allowed.upTo("least", least, Duration.ofMinutes(1));
        }

        /** The mean between two pages, milliseconds; NaN when nothing was counted. */
        public double millis(Scrape earlier, Scrape later) {
            return (total(later) - total(earlier))
                    / later.grown(earlier, series + "_count", labels.toArray(String[]::new));
        }

        /**
         * Milliseconds. Kafka's own timers have a mean in milliseconds in place of a sum in
         * seconds.
         */
        private double total(Scrape scrape) {
            String[] those = labels.toArray(String[]::new);
            double mean = scrape.sum(series + "_mean", those);
            return mean > 0 ? mean * scrape.sum(series + "_count", those) : scrape.sum(series + "_sum", those) * 1e3;
        }
    }

    public Expectation {
        Allowed.ids("leaders", leaders);
        shares = shares == null ? Map.of() : Map.copyOf(shares);
        unmoved = unmoved != null && unmoved;
        besides = besides == null ? Set.of() : Set.copyOf(besides);
        top = top == null ? Set.of() : Set.copyOf(top);
        probes = probes == null ? new Choice<>(null, null) : probes;
        suspects = suspects == null ? new Choice<>(null, null) : suspects;
        alerts = alerts == null ? new Choice<>(null, null) : alerts;
        shares.values().forEach(share -> Allowed.range("shares", share, 0.05, 1));
        long asked = Stream.of(!shares.isEmpty(), !top.isEmpty(), unmoved)
                .filter(so -> so)
                .count();
        Allowed.require(
                asked == 1 || asked == 0 && !probes.must().isEmpty(),
                "top",
                top,
                "one of shares, top and unmoved, or else probes.must");
    }

    /** Whether the fault may slow probes down at all. */
    public boolean harmful() {
        return !unmoved;
    }
}
