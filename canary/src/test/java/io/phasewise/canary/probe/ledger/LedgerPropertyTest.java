/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.probe.ledger;

import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.canary.phases.Acks;
import io.phasewise.canary.phases.Attribution;
import io.phasewise.canary.phases.BrokerClocks;
import io.phasewise.canary.phases.Instants;
import io.phasewise.canary.phases.PhaseBreakdown;
import io.phasewise.canary.phases.PollLog;
import io.phasewise.canary.probe.Event;
import io.phasewise.canary.split.OwnWaits;
import io.phasewise.canary.split.PhaseEstimator;
import io.phasewise.canary.split.Splitter;
import io.phasewise.canary.trip.Delivery;
import io.phasewise.canary.trip.Outcome;
import io.phasewise.canary.trip.SendResult;
import io.phasewise.canary.trip.Trip;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;

/** Whatever happens to probes, in whatever order, the ledger's invariants hold. */
class LedgerPropertyTest {
    private static final long MS = 1_000_000;
    private static final int PARTITIONS = 3;

    private enum Kind {
        SCHEDULE,
        DELIVER,
        DELIVER_OF_A_FORMER_LIFE,
        FAIL,
        SWEEP,
        LEAD,
        ACKNOWLEDGE
    }

    /**
     * Milliseconds apart. A partition, a leader or a probe is picked, counted back from the last:
     * mostly a recent probe, in any order; sometimes an old one, again.
     */
    @Provide
    Arbitrary<List<Event<Kind>>> events() {
        return Event.courses(
                Arbitraries.frequency(
                        Tuple.of(30, Kind.SCHEDULE),
                        Tuple.of(28, Kind.DELIVER),
                        Tuple.of(2, Kind.DELIVER_OF_A_FORMER_LIFE),
                        Tuple.of(10, Kind.FAIL),
                        Tuple.of(10, Kind.SWEEP),
                        Tuple.of(10, Kind.LEAD),
                        Tuple.of(10, Kind.ACKNOWLEDGE)),
                39,
                Arbitraries.frequencyOf(
                        Tuple.of(3, Arbitraries.integers().between(0, 11)),
                        Tuple.of(1, Arbitraries.integers().between(0, 1_999))));
    }

    private static final class Run {
        final List<Probe> all = new ArrayList<>();
        final List<Trip> trips = new ArrayList<>();
        final List<String> asClosed = new ArrayList<>();
        final RecordedLatencies latencies = new RecordedLatencies();
        final PollLog polls = new PollLog(3_000 * MS, 100);
        long now;
        final Ledger ledger;
        final Splitter splitter;

        Run(Acks acks) {
            PhaseEstimator estimator = new PhaseEstimator(acks, Attribution.CRITICAL_PATH, polls, new BrokerClocks());
            splitter = new Splitter(
                    estimator,
                    Optional.empty(),
                    new OwnWaits("consumer", false, 0, 5_000_000_000L, (from, to) -> 0),
                    (reason, leader) -> {},
                    List.of(latencies));
            ledger = new Ledgers()
                    .objective(Duration.ofMillis(50), Duration.ofMillis(500), Duration.ofMillis(3000))
                    .recorders(leader -> latencies)
                    .closed(trip -> {
                        trips.add(trip);
                        asClosed.add(trip.toString());
                        splitter.add(trip);
                    })
                    .make();
            for (int p = 0; p < PARTITIONS; p++) {
                ledger.lead(p, p);
            }
        }

        void step(Event<Kind> event) {
            now += event.gap() * MS;
            int pick = event.pick();
            switch (event.kind()) {
                case SCHEDULE -> all.add(ledger.scheduled(pick % PARTITIONS, now));
                case DELIVER -> picked(pick).ifPresent(p -> deliver(p.partition(), p.sequence(), event));
                case DELIVER_OF_A_FORMER_LIFE -> deliver(pick % (PARTITIONS + 1), pick, event);
                case FAIL -> picked(pick).ifPresent(p -> fail(p, event));
                case SWEEP -> {
                    ledger.sweep(now);
                    splitter.turn(now);
                }
                case LEAD -> ledger.lead(pick % PARTITIONS, pick % 4);
                case ACKNOWLEDGE -> picked(pick).ifPresent(p -> acknowledge(p, event));
            }
        }

        private void deliver(int partition, long sequence, Event<Kind> event) {
            polls.entered(now);
            now += event.pick() % 5 * MS;
            polls.left(now, new int[] {partition}, event.pick() % 2);
            // A broker's clock that jumps about must not unsettle anything.
            long stamp = event.gap() % 4 == 0 ? Delivery.NO_APPEND_TIME : 1_000_000 + now / MS + event.gap() % 9 - 4;
            ledger.delivered(partition, sequence, new Delivery(now, stamp, 0));
        }

        private void fail(Probe probe, Event<Kind> event) {
            ledger.sendFailed(probe);
            report(probe, event, Instants.UNKNOWN);
        }

        private void acknowledge(Probe probe, Event<Kind> event) {
            ledger.acknowledged(probe, now);
            report(probe, event, now);
        }

        /** By up to three requests, of any broker. */
        private void report(Probe probe, Event<Kind> event, long acknowledged) {
            long handedOver = probe.dueNanos() + event.gap() * MS;
            List<Long> dispatches = Stream.iterate(handedOver, at -> at + event.gap() * MS)
                    .limit(event.pick() % 4)
                    .toList();
            int broker = event.pick() % 3;
            ledger.reported(probe, SendResult.of(dispatches, acknowledged, broker, List.of(), handedOver, 0, null));
        }

        private Optional<Probe> picked(int back) {
            return all.isEmpty() ? Optional.empty() : Optional.of(all.get(all.size() - 1 - back % all.size()));
        }
    }

    @Property(tries = 300)
    void everyProbeIsAccountedForOnceAndPhasesSumToTheLatenciesOfThoseThatCameBack(
            @ForAll("events") List<Event<Kind>> events, @ForAll Acks acks) {
        Run run = new Run(acks);
        for (Event<Kind> event : events) {
            run.step(event);
            assertThat(run.ledger.counts()).allSatisfy(c -> {
                assertThat(Conservation.holds(c)).as("%s", c).isTrue();
                assertThat(c.inFlight()).isNotNegative();
                assertThat(c.verdicts().good() + c.verdicts().bad())
                        .isBetween(c.scheduled() - c.inFlight(), c.scheduled());
            });
            assertThat(run.latencies.endToEnd.size())
                    .as("what came back is observed exactly once")
                    .isEqualTo(sum(run, LedgerPropertyTest::cameBack))
                    .isGreaterThanOrEqualTo(run.latencies.phases.size());
        }
        assertThat(sum(run, LeaderCounts::scheduled)).isEqualTo(run.all.size());

        run.ledger.sweep(run.now + 3001 * MS);
        assertThat(sum(run, LeaderCounts::inFlight)).isZero();
        assertThat(sum(run, c -> c.verdicts().good() + c.verdicts().bad()))
                .as("after the horizon each has one verdict")
                .isEqualTo(run.all.size());

        run.ledger.sweep(run.now + Ledger.REPORT_PATIENCE.toNanos() + 1);
        run.splitter.turn(run.now);
        assertThat(run.latencies.phases).hasSameSizeAs(run.latencies.endToEnd);
        assertThat(run.latencies.phases.stream()
                        .mapToLong(PhaseBreakdown::total)
                        .sum())
                .isEqualTo(run.latencies.endToEnd.stream()
                        .mapToLong(Long::longValue)
                        .sum());
    }

    @Property(tries = 300)
    void aTripIsHandedOverOnceAndNobodyWritesToItAfterwards(@ForAll("events") List<Event<Kind>> events) {
        Run run = new Run(Acks.ALL);
        events.forEach(run::step);
        run.ledger.sweep(run.now + 3001 * MS);
        run.ledger.sweep(run.now + 3001 * MS + Ledger.REPORT_PATIENCE.toNanos() + 1);

        assertThat(run.trips).extracting(Trip::toString).isEqualTo(run.asClosed);
        Map<String, List<Trip>> byProbe =
                run.trips.stream().collect(groupingBy(trip -> trip.partition() + "/" + trip.sequence()));
        assertThat(byProbe).hasSize(run.all.size()).allSatisfy((probe, trips) -> {
            boolean writtenOff = trips.get(0).back().isEmpty();
            assertThat(trips)
                    .as("a second one only of a probe that had been written off")
                    .hasSizeBetween(1, writtenOff ? 2 : 1);
            assertThat(trips.get(trips.size() - 1).back().isPresent()).isEqualTo(!writtenOff || trips.size() == 2);
            assertThat(writtenOff)
                    .isEqualTo(EnumSet.of(Outcome.LOST, Outcome.SEND_FAILED)
                            .contains(trips.get(0).outcome()));
            assertThat(trips)
                    .extracting(Trip::outcome)
                    .containsOnly(trips.get(0).outcome());
        });
    }

    private static long cameBack(LeaderCounts c) {
        return c.outcomes().delivered() + c.outcomes().late() + c.resurfaced();
    }

    private static long sum(Run run, ToLongFunction<LeaderCounts> what) {
        return run.ledger.counts().stream().mapToLong(what).sum();
    }
}
