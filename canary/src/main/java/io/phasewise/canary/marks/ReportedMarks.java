/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.marks;

import static io.phasewise.canary.phases.Instants.UNKNOWN;

import io.phasewise.canary.phases.Acks;
import io.phasewise.canary.phases.Breakdown;
import io.phasewise.canary.phases.ClockLine;
import io.phasewise.canary.phases.LeaderInstants;
import io.phasewise.canary.phases.ProbeEstimate;
import io.phasewise.common.marks.MarkPage;
import io.phasewise.common.marks.RecordMark;
import io.phasewise.common.marks.RequestMark;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What one broker has reported since it started, and how its clock relates to the canary's. When
 * the broker restarts, its marks begin anew. Thread-safe.
 */
public final class ReportedMarks {
    /**
     * Records that are kept, and as many requests; the oldest give way. 200 probes a second, ten times
     * the default, fill this in more than a minute. A trip waits for its mark for some seconds only.
     */
    private static final int MOST = 16_384;

    /**
     * Records of a mark that are taken in after its first one: what a broker answers must not cost any
     * amount of memory. Probes further back in a batch are estimated.
     */
    private static final int LONGEST_BATCH = 10_000;

    private final Map<Key, PagedMark> records = oldestGiveWay();
    private final Map<Long, RequestMark> requests = oldestGiveWay();

    /**
     * The restart of a broker on another host is a step of this clock, which the line notices by
     * itself.
     */
    private final ClockLine clock = new ClockLine();

    private String boot = "";
    private long sequence;
    private long pages;
    private boolean active;

    /** Identifies a record; another topic of the same name has another id. */
    private record Key(String topicId, int partition, long offset) {}

    /** A mark, and in which page it came. */
    private record PagedMark(RecordMark mark, long page) {}

    private static <K, V> Map<K, V> oldestGiveWay() {
        return new LinkedHashMap<>() {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
                return size() > MOST;
            }
        };
    }

    /** The sequence number after which to ask for marks next. */
    synchronized long sequence() {
        return sequence;
    }

    /** Whether it answered when it was last asked, and takes marks. */
    synchronized boolean isActive() {
        return active;
    }

    /** Takes in that the broker did not answer. */
    public synchronized void silent() {
        active = false;
    }

    /**
     * Takes in a page.
     *
     * @return how many marks the broker had dropped since the page before; 0 for the first page
     *     since its start, when nobody had asked for them
     */
    synchronized long add(MarkPage page) {
        boolean begins = !page.boot.equals(boot);
        if (begins) {
            boot = page.boot;
            records.clear();
            requests.clear();
        }
        sequence = page.sequence;
        active = page.active;
        pages++;
        for (RecordMark mark : page.records) {
            long last = Math.min(mark.lastOffset, mark.firstOffset + LONGEST_BATCH);
            for (long offset = mark.firstOffset; offset <= last; offset++) {
                records.put(new Key(mark.topicId, mark.partition, offset), new PagedMark(mark, pages));
            }
        }
        page.requests.forEach(request -> requests.put(request.received, request));
        return begins ? 0 : Math.max(0, page.missed);
    }

    /**
     * A record's way through this broker, on its own clock.
     *
     * @param topicId as Kafka prints it
     * @param epoch of the leader that appended it, negative where that is not known
     * @return empty while the broker has not reported the record, or not yet the request's answer,
     *     which is in the next page at the latest
     */
    public synchronized Optional<LeaderInstants> leaderInstants(String topicId, int partition, long offset, int epoch) {
        PagedMark found = records.get(new Key(topicId, partition, offset));
        if (found == null || (epoch >= 0 && found.mark.leaderEpoch != epoch)) {
            return Optional.empty();
        }
        RecordMark mark = found.mark;
        RequestMark request = requests.get(mark.received);
        if (request == null && found.page == pages) {
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
