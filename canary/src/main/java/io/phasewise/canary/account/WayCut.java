/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.account;

import static io.phasewise.common.phase.Role.CLIENT;
import static io.phasewise.common.phase.Role.DISK;
import static io.phasewise.common.phase.Role.HANDLERS;
import static io.phasewise.common.phase.Role.NETWORK;
import static io.phasewise.common.phase.Role.PROCESS;
import static io.phasewise.common.phase.Role.UNKNOWN;

import io.phasewise.canary.account.BrokerTimes.Fetch;
import io.phasewise.common.marks.BatchMark;
import io.phasewise.common.marks.MarkPage;
import io.phasewise.common.marks.PendingMark;
import io.phasewise.common.marks.RecordMark;
import io.phasewise.common.marks.RequestMark;
import io.phasewise.common.phase.Role;
import java.util.Map;

/**
 * Cuts the way of a probe from T0 to T5 into pieces, each of what it waited for: by what its brokers reported, and by
 * what the canary knows. What is not known is {@link Role#UNKNOWN}, and never spread over others. Which phase a piece is
 * in is left to others; so is whom a commit waits for ({@link CommitCut}), and what a request does on its way to a broker
 * and back ({@link RequestCut}). For one thread; the stretch is cut anew for each probe.
 *
 * <p>Every rule says until when something lasted; an instant has what was said of it first. So the pieces have the
 * length of the way whatever brokers reported, in whatever order, however far their clocks are off.
 */
public final class WayCut {
    /** How long the canary may take by itself, beyond its linger, until it is asked why. */
    private static final long PROMPT = 10_000_000;

    private final Stretch way = new Stretch();
    private final RequestCut requests = new RequestCut();
    private final CommitCut commit = new CommitCut(way, requests);

    /** The end of the way, on the clock of the broker that the record was read from. */
    private final Stretch fetch = new Stretch();

    private Way of;

    /** Begins with a probe: what it waited for until the request left that carried it. */
    public void begin(Way probe) {
        of = probe;
        requests.useNone();
        way.begin(probe.due());
        way.limit(probe.dispatched());
        if (probe.isMoved()) {
            boolean prompt = probe.dispatched() - probe.due() <= probe.lingerNanos() + PROMPT;
            rest(prompt ? Account.NO_BROKER : probe.former(), prompt ? CLIENT : probe.formerRole());
        } else {
            beforeTheSameBroker();
        }
    }

    private void beforeTheSameBroker() {
        long handedOver = of.handedOver();
        way.until(handedOver - of.laneNanos(), Account.NO_BROKER, CLIENT);
        way.until(handedOver, of.leader(), UNKNOWN);
        long own = of.lingerNanos();
        if (of.dispatched() - handedOver - own > PROMPT) {
            own += of.stalledNanos(handedOver, of.dispatched());
            way.until(handedOver + own, Account.NO_BROKER, CLIENT);
            rest(of.leader(), UNKNOWN); // its leader was not known, not reached, or its connection was throttled
        } else {
            rest(Account.NO_BROKER, CLIENT);
        }
    }

    /** Goes on until T4 without any mark: the way to the leader is bounded, nothing else is. */
    public void estimated() {
        requests.useNone();
        way.limit(of.appended());
        failedAttempts();
        way.until(way.end() + of.delayNanos(), of.leader(), NETWORK);
        way.limit(of.committed());
        rest(of.leader(), UNKNOWN);
        caughtUp();
    }

    /**
     * Goes on until T4 by the leader's marks.
     *
     * @param leader what it reported
     * @param record the probe's
     * @param followers what each in {@code record.arrivals} did, in this order
     */
    public void marked(BrokerTimes leader, RecordMark record, Gaps[] followers) {
        untilAppended(leader, record);
        if (leader.reportsAll()) {
            commit.reported(record, followers);
        } else {
            commit.arrived(record.arrivals);
        }
        rest(of.leader(), UNKNOWN);
        requests.useNone();
        caughtUp();
    }

    /**
     * Goes on for a probe that has not come back, whose record its leader has reported: until the commit. Whose time that
     * was some followers may yet tell.
     *
     * @param told what those followers did that have told it
     */
    public void committedSoFar(BrokerTimes leader, RecordMark record, Map<Integer, Gaps> told) {
        untilAppended(leader, record);
        if (leader.reportsAll()) {
            commit.arrived(record, told);
        } else {
            commit.arrived(record.arrivals);
        }
        rest(of.leader(), UNKNOWN);
    }

    /**
     * Goes on for a probe that has not come back, whose record was not committed when its leader made its last page:
     * until then. A batch that was being appended waited for the disk. A follower that had not arrived is charged only
     * since nobody has heard of it, and for its fetches that have ended: what else one did that is well, its agent tells
     * when it has done it.
     *
     * @param acknowledged see {@link BrokerTimes#acknowledged}
     * @param told what followers did with the answer that brought these
     * @param unheard by follower since when nothing is known of it, be it by its own agent or by those of the brokers
     *     that it follows, on the leader's clock
     */
    public void pendingSoFar(
            BrokerTimes leader,
            PendingMark pending,
            Map<Integer, BatchMark> acknowledged,
            Map<Integer, Gaps> told,
            Map<Integer, Long> unheard) {
        requests.use(leader, of.leader(), of.delayNanos());
        way.limit(RequestCut.earlier(leader.made(), of.delivered()));
        failedAttempts();
        boolean isAppended = pending.appended != MarkPage.UNKNOWN;
        published(pending.received, pending.appendBegan, isAppended ? pending.appended : way.limit(), null);
        commit.pending(pending, acknowledged, told, unheard);
    }

    /**
     * Goes on until the present for a probe that has not come back and whose leader is gone: since then it waits for that
     * one.
     *
     * @param since when nothing is known of it, on the clock of the way
     */
    public void goneSoFar(long since) {
        requests.useNone();
        way.limit(of.delivered());
        add(since, of.leader(), UNKNOWN);
        rest(of.leader(), PROCESS);
    }

    /** Ends with the present for a probe that has not come back: where it has been since is not known. */
    public void openSoFar() {
        requests.useNone();
        way.limit(of.delivered());
        rest(of.leader(), UNKNOWN);
    }

    /** Ends with T5 without any mark of the broker that it was read from. */
    public void fetchedUnseen() {
        way.limit(of.delivered());
        long own = of.stalledNanos(way.end(), of.delivered());
        way.until(way.end() + own, Account.NO_BROKER, CLIENT);
        long sure = Math.min(of.fetchDelayNanos(), of.delivered() - way.end());
        way.until(of.delivered() - sure, of.fetchedFrom(), UNKNOWN);
        rest(of.fetchedFrom(), NETWORK);
    }

    /**
     * Ends with T5 by the fetch that brought the record.
     *
     * @param from what the broker that it was read from reported
     * @param client id of the canary's consumer
     * @param held what holds an answer back that could have the record: {@link Role#CLIENT} where the consumer asks for
     *     more than a record, {@link Role#FOLLOWER} where it reads from one, otherwise {@link Role#HANDLERS}
     * @param ahead how far that broker's clock is ahead of the one of the way
     * @return false, and nothing is done, where no such fetch is known
     */
    public boolean fetched(BrokerTimes from, String client, Role held, long ahead) {
        Rows fetches = from.consumer(client);
        long delivered = of.delivered() + ahead;
        int row = from.fetchOf(client, of.committed() + ahead, delivered);
        if (row < 0) {
            return false;
        }
        requests.use(from, of.fetchedFrom(), of.fetchDelayNanos());
        fetch.begin(way.end() + ahead);
        fetch.limit(delivered);
        if (row > 0) {
            requests.answered(fetch, fetches, row - 1, held, of.fetchedFrom());
        }
        requests.arrives(fetch, fetches.at(row, Fetch.PROCESSOR), fetches.at(row, Fetch.RECEIVED), of.fetchedFrom());
        requests.answered(fetch, fetches, row, held, of.fetchedFrom());
        way.limit(of.delivered());
        for (int piece = 0; piece < fetch.pieces(); piece++) {
            way.until(fetch.end(piece) - ahead, fetch.broker(piece), fetch.role(piece));
        }
        requests.useNone();
        long own = of.stalledNanos(way.end(), of.delivered());
        way.until(way.end() + own, Account.NO_BROKER, CLIENT);
        rest(of.fetchedFrom(), NETWORK);
        return true;
    }

    /** Goes on until T2; the commit is what comes next. */
    private void untilAppended(BrokerTimes leader, RecordMark record) {
        requests.use(leader, of.leader(), of.delayNanos());
        way.limit(of.appended());
        failedAttempts();
        published(
                record.received,
                record.appendBegan,
                record.appended,
                leader.request(record).orElse(null));
        way.limit(of.committed());
    }

    private void failedAttempts() {
        if (of.isMoved()) {
            way.until(of.carried(), of.former(), of.formerRole());
        } else {
            add(of.carried(), of.leader(), UNKNOWN);
        }
    }

    private void published(long received, long appendBegan, long appended, RequestMark request) {
        int leader = of.leader();
        if (received == MarkPage.UNKNOWN) {
            add(way.end() + of.delayNanos(), leader, NETWORK);
            add(appendBegan, leader, UNKNOWN);
        } else if (!requests.times().reportsAll() || request == null) {
            requests.bounded(way, received);
        } else {
            requests.arrives(way, request.processor, received, leader);
        }
        add(appendBegan, leader, HANDLERS);
        add(appended, leader, DISK);
    }

    private void caughtUp() {
        way.limit(of.reached());
        rest(Account.NO_BROKER, CLIENT);
    }

    /** Until the limit. */
    private void rest(int blamed, Role role) {
        add(way.limit(), blamed, role);
    }

    private void add(long until, int blamed, Role role) {
        requests.add(way, until, blamed, role);
    }

    /** The pieces, from T0 to T5. */
    public Stretch way() {
        return way;
    }
}
