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
 * What is declared of a fault before it is made. Exactly one of shares, top and unmoved is asked for,
 * or else how probes must end.
 *
 * @param leaders whose probes are looked at
 * @param shares of what the fault adds to a probe, by the phases that they must be in
 * @param amount that it adds, where only the declaration knows it
 * @param besides phases that may grow with it, by whatever
 * @param top phases of which one must grow most
 * @param unmoved whether no phase may grow; absent: they may
 * @param probes how they may end if not delivered in time; at least one probe must end in a way that must lists
 * @param suspects whom {@code kafka_suspect} may name, nobody else; of each broker in must, one of
 *     its roles must be named at the end
 * @param alerts that must fire in the long form, and those that may
 * @param told what a broker's own metrics must show
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
        Optional<Told> told) {

    /** How a probe ends that is not delivered in time. */
    public enum End {
        LATE,
        LOST,
        @JsonProperty("not-sent")
        SEND_FAILED;

        /** The canary's. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * What must be and what may.
     *
     * @param must no empty list where something must be
     * @param may what is no fault beside
     */
    public record Choice<T>(List<T> must, List<T> may) {
        public Choice {
            must = must == null ? List.of() : List.copyOf(must);
            may = may == null ? List.of() : List.copyOf(may);
        }

        /** Those that are no fault. */
        public List<T> allowed() {
            return Stream.concat(must.stream(), may.stream()).toList();
        }
    }

    /**
     * A mean that a broker's exporter tells of while the fault lasts.
     *
     * @param broker its id
     * @param what it is the mean of, for people
     * @param series without {@code _sum}, {@code _mean} and {@code _count}
     * @param labels that its series carry, each {@code name="value"}
     * @param least that it must be
     */
    public record Told(int broker, String what, String series, List<String> labels, Duration least) {
        public Told {
            labels = labels == null ? List.of() : List.copyOf(labels);
            Allowed.require(series != null, "series", series, "the name of a metric");
            Allowed.upTo("least", least, Duration.ofMinutes(1));
        }

        /** What it was between two pages, in milliseconds; NaN when nothing was counted. */
        public double millis(Scrape earlier, Scrape later) {
            return (total(later) - total(earlier))
                    / later.grown(earlier, series + "_count", labels.toArray(String[]::new));
        }

        /** Kafka's own timers tell of a mean in milliseconds in place of a sum in seconds. */
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

    /** Whether probes may suffer at all. */
    public boolean harmful() {
        return !unmoved;
    }
}
