/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.marks;

import static io.phasewise.canary.phases.Instants.UNKNOWN;

import io.phasewise.canary.account.BrokerTimes;
import io.phasewise.canary.account.OwnClients;
import io.phasewise.canary.phases.Acks;
import io.phasewise.canary.phases.Breakdown;
import io.phasewise.canary.phases.ClockLine;
import io.phasewise.canary.phases.LeaderInstants;
import io.phasewise.canary.phases.ProbeEstimate;
import io.phasewise.common.marks.MarkPage;
import io.phasewise.common.marks.RecordMark;
import io.phasewise.common.marks.RequestMark;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * What one broker has reported since it started, and how its clock relates to the canary's. When
 * the broker restarts, its marks begin anew. Thread-safe.
 */
public final class ReportedMarks {
    private final OwnClients own;
    private BrokerTimes times;

    /** Taken in before the broker started. */
    private long earlierPages;

    /**
     * The restart of a broker on another host is a step of this clock, which the line notices by
     * itself.
     */
    private final ClockLine clock = new ClockLine();

    private String boot = "";

    /** When the first page of another process came than the one before; empty where there was no other. */
    private OptionalLong restarted = OptionalLong.empty();

    private long sequence;
    private boolean active;

    /** Whether it answered the last request; empty before the first has ended. */
    private Optional<Boolean> reached = Optional.empty();

    ReportedMarks(OwnClients own) {
        this.own = own;
        this.times = new BrokerTimes(own);
    }

    /** The sequence number after which to ask for marks next. */
    synchronized long sequence() {
        return sequence;
    }

    /** Whether it answered when it was last asked, and takes marks. */
    synchronized boolean isActive() {
        return active;
    }

    /** Whether it answered the last request for marks; empty before the first has ended. */
    synchronized Optional<Boolean> reached() {
        return reached;
    }

    /** Whether it answered earlier, and does not now. */
    public synchronized boolean hasFallenSilent() {
        return !boot.isEmpty() && !reached.orElse(true);
    }

    /** Whether its process is another one than before, and was first heard of after an instant of the canary's clock. */
    public synchronized boolean hasRestartedAfter(long instant) {
        return restarted.isPresent() && restarted.getAsLong() - instant > 0;
    }

    /** Takes in that the broker did not answer. */
    public synchronized void silent() {
        active = false;
        reached = Optional.of(false);
    }

    /**
     * Takes in a page.
     *
     * @param now monotonic nanoseconds of the canary
     * @return how many marks the broker had dropped since the page before; 0 for the first page
     *     since its start, when nobody had asked for them
     */
    synchronized long add(MarkPage page, long now) {
        boolean begins = !page.boot.equals(boot);
        if (begins) {
            restarted = boot.isEmpty() ? OptionalLong.empty() : OptionalLong.of(now);
            boot = page.boot;
            earlierPages += times.pages();
            times = new BrokerTimes(own);
        }
        sequence = page.sequence;
        active = page.active;
        reached = Optional.of(true);
        times.add(page);
        return begins ? 0 : Math.max(0, page.missed);
    }

    /**
     * A record's way through this broker, on its own clock.
     *
     * @param topicId as Kafka prints it
     * @param epoch of the leader that appended it, negative where that is not known
     * @param now whether it will not be waited for any more
     * @return empty while the broker has not reported the record, or not yet the request's answer,
     *     which is in the next page at the latest
     */
    public synchronized Optional<LeaderInstants> leaderInstants(
            String topicId, int partition, long offset, int epoch, boolean now) {
        RecordMark mark = times.record(topicId, partition, offset).orElse(null);
        if (mark == null || (epoch >= 0 && mark.leaderEpoch != epoch)) {
            return Optional.empty();
        }
        RequestMark request = times.request(mark).orElse(null);
        if (request == null && !now && times.cameLast(topicId, partition, offset)) {
            return Optional.empty();
        }
        return Optional.of(new LeaderInstants(
                mark.received,
                request == null ? UNKNOWN : request.dequeued,
                mark.appendBegan,
                mark.appended,
                mark.arrivals,
                mark.committed,
                request == null ? UNKNOWN : request.answered));
    }

    /** Whether its agent reports all that is known; one of the release before reports records and requests only. */
    public synchronized boolean reportsAll() {
        return times.reportsAll();
    }

    /** How many pages have been taken in, also before the broker started; a full page with its rest is one. */
    public synchronized long pages() {
        return earlierPages + times.pages();
    }

    /**
     * Whether this broker, as a follower, has yet to report what it did with a record.
     *
     * @param leader of the record
     */
    public synchronized boolean isAwaited(String topicId, int partition, long offset, int leader) {
        return active && times.reportsAll() && !times.hasFollowed(topicId, partition, offset, leader);
    }

    /**
     * Whether this broker has reported the fetch that brought a record, as far as that can be said.
     *
     * @param client id of the consumer
     * @param committed when the record was, on this broker's clock
     * @param delivered when the consumer had it, on the canary's
     */
    public synchronized boolean hasFetched(String client, long committed, long delivered) {
        return clock.isEmpty()
                || times.hasFetched(
                        client, committed, delivered + clock.at(delivered).middle());
    }

    /** Has its times read, which nobody changes meanwhile. */
    public synchronized void read(Consumer<BrokerTimes> reader) {
        reader.accept(times);
    }

    /**
     * How far its clock is ahead of the canary's, nanoseconds, at an instant of the canary's; empty while that is not
     * known.
     */
    public synchronized OptionalLong ahead(long at) {
        return clock.isEmpty()
                ? OptionalLong.empty()
                : OptionalLong.of(clock.at(at).middle());
    }

    /** The phases of a probe that this broker led, by its marks; empty while its clock is not known. */
    public synchronized Optional<Breakdown> marked(ProbeEstimate estimate, LeaderInstants there) {
        if (clock.isEmpty()) {
            return Optional.empty();
        }
        ClockLine.Offset offset = clock.at(estimate.dispatched());
        return Optional.of(estimate.marked(there.mapped(instant -> instant - offset.middle()), offset.uncertainty()));
    }

    /**
     * How far the instants that this broker reports can be off, nanoseconds; empty where it reports
     * none.
     */
    synchronized OptionalLong uncertaintyNanos(long now) {
        return active && !clock.isEmpty() ? OptionalLong.of(clock.at(now).uncertainty()) : OptionalLong.empty();
    }

    /**
     * Has its clock learn from a probe that it has reported: the probe was sent before it was
     * received here, and answered or committed before the canary knew. No work of the broker lies
     * in either, so both bounds are tight.
     */
    public synchronized void learn(ProbeEstimate seen, LeaderInstants there) {
        long arrived = there.isReceivedKnown() ? there.received() : there.appendBegan();
        long knownAt = seen.isAnswered() ? seen.acknowledged() : seen.delivered();
        long left = there.committed();
        if (seen.isAnswered() && seen.acks() == Acks.LEADER) {
            left = there.appended();
        }
        if (seen.isAnswered() && there.isAnswerKnown()) {
            left = there.answered();
        }
        clock.add(knownAt, left - knownAt, seen.dispatched(), arrived - seen.dispatched());
    }
}
