/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.split;

import static io.phasewise.common.marks.MarkPage.UNKNOWN_ID;
import static io.phasewise.common.marks.RequestMark.Api.FETCH;
import static io.phasewise.common.marks.RequestMark.Api.PRODUCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.phasewise.canary.account.Accounts;
import io.phasewise.canary.account.OwnClients;
import io.phasewise.canary.marks.MarkStore;
import io.phasewise.canary.phases.Acks;
import io.phasewise.canary.phases.Attribution;
import io.phasewise.canary.phases.Breakdown;
import io.phasewise.canary.phases.BrokerClocks;
import io.phasewise.canary.phases.PollLog;
import io.phasewise.canary.phases.Timeline;
import io.phasewise.canary.phases.Wait;
import io.phasewise.canary.trip.Delivery;
import io.phasewise.canary.trip.Outcome;
import io.phasewise.canary.trip.SendResult;
import io.phasewise.canary.trip.Trip;
import io.phasewise.common.marks.BusyMark;
import io.phasewise.common.marks.FetcherMark;
import io.phasewise.common.marks.FollowedMark;
import io.phasewise.common.marks.GapMark;
import io.phasewise.common.marks.Mark;
import io.phasewise.common.marks.MarkPage;
import io.phasewise.common.marks.PauseMark;
import io.phasewise.common.marks.PendingMark;
import io.phasewise.common.marks.RecordMark;
import io.phasewise.common.marks.RequestMark;
import io.phasewise.common.phase.Phase;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Whose time a probe's phases were, rule by rule. Broker 1 leads, 2 and 3 follow, and each has a clock of its own. All
 * instants here are milliseconds of the canary's clock: T0 is 0, T1 is 1, received 2, dequeued 3, append 4 to 10,
 * committed with the last arrival, and both ways take 1 ms.
 */
class WhoseTimeTest {
    private static final long MS = 1_000_000;
    private static final long AHEAD = 7_777 * 1_000 * MS;
    private static final String TOPIC = "kPx0";
    private static final String CONSUMER = "phasewise-canary-prod-default-consumer";
    private static final int THREAD = 4;
    private static final int OTHER_THREAD = 5;

    private final MarkStore store = new MarkStore(
            new OwnClients(Set.of(CONSUMER), Set.of("phasewise-canary-prod-default-producer-")), () -> 1_900 * MS);
    private final PollLog polls = new PollLog(60_000 * MS, 1_024);
    private final List<Breakdown> split = new ArrayList<>();
    private final Map<Integer, Long> sequences = new TreeMap<>();

    /** By follower how many there were on its connection. */
    private final Map<Integer, Long> fetches = new TreeMap<>();

    private Splitter splitter = splitter(false, Optional.of(store));

    /** Of the leader, for the probe at offset 7. */
    private final List<Mark> marks = new ArrayList<>();

    private Map<Integer, Long> arrivals = Map.of();
    private Map<Integer, Long> learned = Map.of();
    private long committed = 10;
    private boolean paused;
    private boolean isBusyTold = true;

    WhoseTimeTest() {
        polls.entered(-100 * MS);
        followerPage(2);
        followerPage(3);
        leaderPage();
    }

    private Splitter splitter(boolean awaitsMore, Optional<MarkStore> reported) {
        Splitter made = new Splitter(
                new PhaseEstimator(Acks.ALL, Attribution.CRITICAL_PATH, polls, new BrokerClocks()),
                reported,
                new OwnWaits(CONSUMER, awaitsMore, 0, 5_000 * MS, (from, to) -> paused ? (to - from) / 2 : 0),
                (reason, leader) -> {},
                List.of((trip, breakdown) -> split.add(breakdown)));
        made.topic(TOPIC);
        return made;
    }

    private static long there(double millis) {
        return AHEAD + Math.round(millis * MS);
    }

    private static Map<Integer, Long> there(Map<Integer, Long> millis) {
        Map<Integer, Long> instants = new TreeMap<>();
        millis.forEach((follower, at) -> instants.put(follower, there(at)));
        return instants;
    }

    private void page(int broker, List<? extends Mark> marks) {
        MarkPage page = MarkPage.second("boot" + broker, true, sequences.merge(broker, 1L, Long::sum), 0)
                .withBusy(isBusyTold);
        marks.forEach(page::add);
        store.add(broker, MarkPage.parse(page.toString()));
    }

    private void leaderPage() {
        page(1, marks);
        marks.clear();
    }

    private void followerPage(int follower, FollowedMark... followed) {
        page(follower, Arrays.asList(followed));
    }

    /** Follower 2 said what it did with the answer that brought the record. */
    private void followed(int follower, double gap, double appends, double pauses) {
        followerPage(follower, followedMark(7, gap, appends, pauses));
    }

    private static FollowedMark followedMark(long offset, double gap, double appends, double pauses) {
        return new FollowedMark(
                1, 0, 100 + offset, TOPIC, 0, 5, offset, (long) (gap * MS), (long) (appends * MS), (long)
                        (pauses * MS));
    }

    /** With another answer of the same thread, before the fetch of that number. */
    private static GapMark gapMark(long request, double gap, double appends, double pauses) {
        return new GapMark(1, 0, request, (long) (gap * MS), (long) (appends * MS), (long) (pauses * MS), false);
    }

    private void busy(int thread, double from, double to, double queueFull) {
        marks.add(new BusyMark(thread, there(from), there(to), (long) (queueFull * MS)));
    }

    private void fetch(int follower, double received, double dequeued, double completed, double answered, double sent) {
        marks.add(new FetcherMark(
                follower,
                0,
                THREAD,
                there(received),
                there(dequeued),
                there(completed),
                there(answered),
                there(sent),
                false,
                fetches.merge(follower, 1L, Long::sum)));
    }

    private void arrives(Map<Integer, Long> received, Map<Integer, Long> known) {
        arrivals = received;
        learned = known;
        committed = known.values().stream().mapToLong(at -> at).max().orElse(10);
    }

    /** The probe comes back 5 ms after its commit, with a fetch that was answered 2 ms before. */
    private Map<String, Long> account() {
        marks.add(new RecordMark(
                TOPIC, 0, 5, 7, 7, there(2), there(4), there(10), there(committed), there(arrivals), there(learned)));
        marks.add(new RequestMark(
                PRODUCE,
                "phasewise-canary-prod-default-producer-1",
                THREAD,
                there(2),
                there(3),
                there(10.5),
                there(committed),
                there(committed + 1),
                there(committed + 1.2)));
        marks.add(new RequestMark(
                FETCH,
                CONSUMER,
                OTHER_THREAD,
                there(-50),
                there(-49),
                there(-48),
                there(committed + 1),
                there(committed + 2),
                there(committed + 3)));
        leaderPage();
        deliver(List.of());
        return inMillis();
    }

    private void deliver(List<Wait> waits) {
        long t5 = (committed + 5) * MS;
        polls.left(t5, new int[] {0}, 1);
        polls.entered(t5);
        SendResult sent = SendResult.of(List.of(MS), (committed + 2) * MS, 1, waits, 0, 0, null);
        Delivery back = new Delivery(t5, Delivery.NO_APPEND_TIME, 7, Delivery.BY_THE_LEADER, 5);
        splitter.add(new Trip(0, 7, 1, 0, Outcome.DELIVERED, Optional.of(sent), Optional.of(back), false));
        splitter.turn(t5);
    }

    /** The account of the last probe, its sums checked. */
    private Map<String, Long> inMillis() {
        Breakdown last = split.get(split.size() - 1);
        for (Phase phase : Phase.values()) {
            assertThat(Accounts.sum(last.account(), phase))
                    .as(phase.label())
                    .isEqualTo(last.phases().of(phase));
        }
        Map<String, Long> parts = Accounts.parts(last.account());
        parts.replaceAll((part, nanos) -> Math.round((double) nanos / MS));
        parts.values().removeIf(millis -> millis == 0);
        return parts;
    }

    private Map<String, Long> commit() {
        Map<String, Long> parts = new TreeMap<>(account());
        parts.keySet().removeIf(part -> !part.startsWith("commit"));
        return parts;
    }

    @Test
    void aProbeThatWaitsForNobodyInParticular() {
        arrives(Map.of(2, 14L), Map.of(2, 15L));
        fetch(2, -300, -299, 10, 10.5, 11);
        followed(2, 1, 0.1, 0);

        assertThat(account())
                .hasToString(
                        "{commit follower 2=1, commit handlers 1=1, commit network 2=2, commit network_threads 1=1,"
                                + " fetch handlers 1=1, fetch network 1=2, fetch network_threads 1=2, produce client=1,"
                                + " publish disk 1=6, publish handlers 1=2, publish network 1=1}");
    }

    /** A consumer's old data come from a slow disk, and block the network thread that sends them. */
    @Test
    void aColdReadOfTheLeaderIsItsNetworkThreadsAndNoFollowers() {
        arrives(Map.of(2, 503L, 3, 399L), Map.of(2, 503L, 3, 399L));
        fetch(2, -300, -299, 10, 500, 501);
        fetch(3, -300, -299, 10, 10.5, 11);
        busy(THREAD, 11.4, 400, 0);
        busy(THREAD, 400.1, 500, 0);
        followed(2, 1, 0, 0);
        followed(3, 0.2, 0, 0);

        assertThat(commit())
                .isEqualTo(Map.of("commit network_threads 1", 491L, "commit follower 2", 1L, "commit network 2", 1L));
    }

    @Test
    void theTailOfABusyPassIsItsShareOfTheQueueToo() {
        arrives(Map.of(2, 212L), Map.of(2, 212L));
        fetch(2, -300, -299, 10, 10, 11);
        busy(THREAD, 12, 212, 50);
        followed(2, 1, 0, 0);

        assertThat(commit())
                .isEqualTo(Map.of("commit network_threads 1", 151L, "commit handlers 1", 50L, "commit follower 2", 1L));
    }

    /** A thread that waits for a processor comes late out of a select() that has found work at once. */
    @ParameterizedTest
    @CsvSource({"407, 398, 7", "409, 8, 397"})
    void aSelectThatComesLateAfterALongPassEndsNoWait(double next, long networkThreads, long network) {
        arrives(Map.of(2, 416L), Map.of(2, 416L));
        fetch(2, -300, -299, 10, 10, 11);
        busy(THREAD, 0, 400, 0);
        busy(THREAD, next, 416, 0);
        followed(2, 1, 0, 0);

        assertThat(commit())
                .isEqualTo(Map.of(
                        "commit network_threads 1",
                        networkThreads,
                        "commit network 2",
                        network,
                        "commit follower 2",
                        1L));
    }

    /** The agent tells a pass that lasts in parts, one in each page. */
    @Test
    void aThreadThatIsBusyForThreeSecondsIsNotTheNetwork() {
        arrives(Map.of(2, 3_412L), Map.of(2, 3_412L));
        fetch(2, -300, -299, 10, 10, 11);
        for (int part = 0; part < 4; part++) {
            leaderPage();
            busy(THREAD, part == 0 ? 12 : 500 + part * 800 + 0.04, part == 3 ? 3_412 : 500 + (part + 1) * 800, 0);
        }
        followed(2, 1, 0, 0);

        assertThat(commit()).isEqualTo(Map.of("commit network_threads 1", 3_401L, "commit follower 2", 1L));
    }

    /** Then a network thread may have been busy at any time, and nobody can be named for it. */
    @Test
    void whereTheAgentDoesNotTellOfNetworkThreadsTheirTimeIsUnknownAndNotTheNetworks() {
        isBusyTold = false;
        arrives(Map.of(2, 3_412L), Map.of(2, 3_412L));
        fetch(2, -300, -299, 10, 10, 11);
        followed(2, 1, 0, 0);
        Map<String, Long> parts = account();

        assertThat(parts)
                .containsEntry("commit unknown 1", 3_400L)
                .containsEntry("commit follower 2", 1L)
                .containsKey("publish unknown 1")
                .doesNotContainKeys("commit network 2", "publish network 1");
    }

    /** A pause that was over when the record was appended is no part of its commit. */
    @Test
    void aFollowersPauseBeforeTheAppendIsNotItsCommits() {
        marks.add(new RecordMark(
                TOPIC, 0, 5, 6, 6, there(-20), there(-19), there(-18), there(105), there(Map.of(2, 105L)), Map.of()));
        arrives(Map.of(2, 160L), Map.of(2, 160L));
        fetch(2, 105, 106, 107, 108, 109);
        learnClockOf(2);
        page(2, List.of(new PauseMark(there(-100), there(-10))));
        followerPage(2, followedMark(6, 205, 0, 90), followedMark(7, 50, 49, 0));

        assertThat(commit()).doesNotContainKey("commit process 2").containsEntry("commit follower 2", 96L);
    }

    /** The follower's fetcher appends what another topic's leader sent first, to a slow disk. */
    @Test
    void anEarlierAnswerOfAnotherTopicIsTheDiskThatItWasAppendedTo() {
        arrives(Map.of(2, 160L), Map.of(2, 160L));
        fetch(2, -300, -299, -18, -17, -16);
        fetch(2, 105, 106, 107, 108, 109);
        page(2, List.of(followedMark(7, 50, 49, 0), gapMark(106, 121, 120, 0), gapMark(105, 2, 0, 0)));

        assertThat(commit())
                .isEqualTo(Map.of(
                        "commit disk 2", 94L + 49,
                        "commit follower 2", 1L + 1,
                        "commit handlers 1", 2L,
                        "commit network_threads 1", 2L,
                        "commit network 2", 1L));
    }

    /** A network thread notices the end of an answer after a pass, and may read the next fetch in it. */
    @Test
    void whatIsNoticedAfterAFollowersArrivalIsNotAwaited() {
        arrives(Map.of(2, 30L), Map.of(2, 60L));
        fetch(2, -300, -299, 10, 11, 50);
        busy(THREAD, 11, 50, 0);
        followed(2, 1, 0, 0);

        assertThat(commit()).isEqualTo(Map.of("commit network_threads 1", 20L, "commit handlers 1", 30L));
    }

    /** A fetch between two others that no record waited for is not told: when its answer was sent is not known. */
    @Test
    void aGapAfterAFetchThatIsNotToldEndsWithTheNextFetch() {
        arrives(Map.of(2, 160L), Map.of(2, 160L));
        fetch(2, -600, -599, -518, -517, -516);
        fetches.merge(2, 1L, Long::sum);
        fetch(2, 105, 106, 107, 108, 109);
        page(2, List.of(followedMark(7, 50, 49, 0), gapMark(106, 121, 120, 0), gapMark(105, 2, 0, 0)));

        assertThat(commit())
                .isEqualTo(Map.of(
                        "commit disk 2", 95L + 49,
                        "commit follower 2", 1L,
                        "commit handlers 1", 2L,
                        "commit network_threads 1", 2L,
                        "commit network 2", 1L));
    }

    /** Answers whose gap is not told took the follower less than a millisecond, if none is missing. */
    @Test
    void anEarlierAnswerThatTookTheFollowerNoTimeIsTheNetworks() {
        arrives(Map.of(2, 160L), Map.of(2, 160L));
        fetch(2, -300, -299, -18, -17, -16);
        fetch(2, 105, 106, 107, 108, 109);
        page(2, List.of(followedMark(7, 50, 49, 0), gapMark(104, 2, 0, 0)));

        assertThat(commit()).containsEntry("commit network 2", 95L + 1).containsEntry("commit follower 2", 1L);
    }

    @Test
    void whereGapsAreMissingAnEarlierAnswerIsTheFollowers() {
        arrives(Map.of(2, 160L), Map.of(2, 160L));
        fetch(2, -300, -299, -18, -17, -16);
        fetch(2, 105, 106, 107, 108, 109);
        page(
                2,
                List.of(
                        followedMark(7, 50, 49, 0),
                        gapMark(104, 2, 0, 0),
                        new GapMark(1, 0, 105, 2 * MS, 0, 0, false),
                        new GapMark(1, 0, 109, 2 * MS, 0, 0, true)));

        assertThat(commit()).containsEntry("commit follower 2", 95L + 1);
    }

    /** One that ended long before the fetch was read has not held it up: the thread was waiting for bytes. */
    @Test
    void aBusyPassThatWasOverHasHeldUpNoFetch() {
        arrives(Map.of(2, 212L), Map.of(2, 212L));
        fetch(2, -300, -299, 10, 10, 11);
        busy(THREAD, 12, 112, 0);
        busy(OTHER_THREAD, 12, 220, 0);
        followed(2, 1, 0, 0);

        assertThat(commit()).containsEntry("commit network 2", 200L);
    }

    /** Its gap is one duration on its own clock; of that first the pause, then the appends. */
    @ParameterizedTest
    @CsvSource({
        "400, 1, 395, commit disk 2=1 commit follower 2=4 commit network 2=1 commit process 2=395",
        "400, 390, 0, commit disk 2=390 commit follower 2=10 commit network 2=1",
        "1, 0, 0, commit follower 2=1 commit network 2=400",
        "4000, 0, 3990, commit process 2=401"
    })
    void whatAFollowerDidWithTheAnswer(double gap, double appends, double pauses, String expected) {
        arrives(Map.of(2, 412L), Map.of(2, 412L));
        fetch(2, -300, -299, 10, 10, 11);
        followed(2, gap, appends, pauses);

        Map<String, Long> parts = commit();
        parts.remove("commit network_threads 1");

        assertThat(parts).hasToString("{" + expected.replace(" commit", ", commit") + "}");
    }

    /** Its agent's gap begins with the receipt of the answer, which it cannot read while it is paused. */
    @ParameterizedTest
    @CsvSource({"2, 1, 0", "0, 0, 0", "103, 1, 100"})
    void aFollowerThatIsPausedWhileItWaitsForTheAnswerIsPaused(double gap, double appends, double pausedInIt) {
        arrives(Map.of(2, 412L), Map.of(2, 412L));
        fetch(2, -300, -299, 10, 10, 11);
        learnClockOf(2);
        page(2, List.of(new PauseMark(there(-200), there(-150)), new PauseMark(there(5), there(405))));
        followed(2, gap, appends, pausedInIt);

        assertThat(commit())
                .containsEntry("commit process 2", 394L)
                .containsEntry("commit network_threads 1", 1L)
                .satisfies(parts ->
                        assertThat(parts.getOrDefault("commit disk 2", 0L)).isEqualTo((long) appends));
    }

    @Test
    void aPauseOfTheLeaderIsTheLeadersUnlessTheFollowerWasPausedToo() {
        arrives(Map.of(2, 412L), Map.of(2, 412L));
        fetch(2, -300, -299, 10, 10, 11);
        marks.add(new PauseMark(there(200), there(400)));
        followed(2, 130, 0, 100);

        assertThat(commit())
                .isEqualTo(Map.of(
                        "commit network_threads 1", 1L,
                        "commit process 2", 100L,
                        "commit follower 2", 30L,
                        "commit network 2", 71L,
                        "commit process 1", 200L));
    }

    @Test
    void aPauseOfTheLeaderInThePublishIsItsProcess() {
        arrives(Map.of(2, 12L), Map.of(2, 12L));
        marks.add(new PauseMark(there(5), there(9)));
        followed(2, 1, 0, 0);

        assertThat(account()).containsEntry("publish process 1", 4L).containsEntry("publish disk 1", 2L);
    }

    @Test
    void aRequestThatWasReadAfterABusyPassWaitedForTheNetworkThread() {
        arrives(Map.of(2, 12L), Map.of(2, 12L));
        busy(THREAD, -100, 1.9, 0);
        followed(2, 1, 0, 0);

        assertThat(account()).containsEntry("publish network_threads 1", 1L).doesNotContainKey("publish network 1");
    }

    @Test
    void aFetchThatWaitsForAHandlerIsTheLeadersHandlers() {
        arrives(Map.of(2, 12L), Map.of(2, 312L));
        fetch(2, -300, -299, 10, 10, 10.5);
        followed(2, 1, 0, 0);

        assertThat(commit()).containsEntry("commit handlers 1", 300L);
    }

    @Test
    void anAnswerThatDoesNotFitIntoTheSocketIsTheNetworks() {
        arrives(Map.of(2, 312L), Map.of(2, 312L));
        fetch(2, -300, -299, 10, 10, 310);
        followed(2, 1, 0, 0);

        assertThat(commit()).isEqualTo(Map.of("commit network 2", 301L, "commit follower 2", 1L));
    }

    @Test
    void theFetchUnderWayAtTheAppendAndTheOneAfterItAreBothLookedAt() {
        marks.add(new RecordMark(
                TOPIC, 0, 5, 6, 6, there(-20), there(-19), there(-18), there(105), there(Map.of(2, 105L)), Map.of()));
        arrives(Map.of(2, 160L), Map.of(2, 160L));
        fetch(2, -300, -299, -18, -17, -16);
        fetch(2, 105, 106, 107, 108, 109);
        followerPage(2, followedMark(6, 121, 0, 120), followedMark(7, 50, 49, 0));

        assertThat(commit())
                .isEqualTo(Map.of(
                        "commit process 2", 94L,
                        "commit follower 2", 2L,
                        "commit handlers 1", 2L,
                        "commit network_threads 1", 2L,
                        "commit disk 2", 49L,
                        "commit network 2", 1L));
    }

    @Test
    void severalAwaitedAtOnceShareAndTheOddNanosecondIsTheLowestIds() {
        arrives(Map.of(2, 112L, 3, 112L), Map.of(2, 112L, 3, 112L));
        fetch(2, -300, -299, 10, 10, 10);
        fetch(3, -300, -299, 10, 10, 10);
        followed(2, 100.000_001, 0, 100.000_001);
        followed(3, 100.000_001, 0, 100.000_001);

        assertThat(commit())
                .isEqualTo(Map.of(
                        "commit process 2",
                        50L,
                        "commit process 3",
                        50L,
                        "commit network 2",
                        1L,
                        "commit network 3",
                        1L));
        Map<String, Long> parts = Accounts.parts(split.get(0).account());
        assertThat(parts.get("commit process 2") - parts.get("commit process 3"))
                .isEqualTo(1);
    }

    @Test
    void whereNobodyIsAwaitedAndItIsNotCommittedTheControllerIs() {
        arrives(Map.of(2, 12L), Map.of(2, 13L));
        committed = 213;
        followed(2, 1, 0, 0);

        assertThat(commit()).containsEntry("commit controller", 200L);
    }

    /** The high watermark moves under the lock of the log. */
    @Test
    void whileALaterBatchIsWrittenTheCommitWaitsForTheDisk() {
        arrives(Map.of(2, 12L), Map.of(2, 13L));
        committed = 213;
        followed(2, 1, 0, 0);
        marks.add(new RecordMark(
                TOPIC, 0, 5, 8, 9, there(8), there(12), there(63), there(214), there(Map.of(2, 200L)), Map.of()));
        marks.add(new PendingMark(TOPIC, 0, 5, 10, 10, there(9), there(63), there(113), there(Map.of()), Map.of()));

        assertThat(commit()).containsEntry("commit disk 1", 100L).containsEntry("commit controller", 100L);
    }

    @Test
    void aLaterBatchWhoseWriteLastsLocksTheLog() {
        arrives(Map.of(2, 12L), Map.of(2, 13L));
        committed = 213;
        followed(2, 1, 0, 0);
        marks.add(new PendingMark(
                TOPIC, 0, 5, 8, MarkPage.UNKNOWN, there(8), there(11), MarkPage.UNKNOWN, Map.of(), Map.of()));

        assertThat(commit()).containsEntry("commit disk 1", 200L).doesNotContainKey("commit controller");
    }

    @Test
    void aBatchThatIsWrittenAfterTheCommitHoldsUpNothing() {
        arrives(Map.of(2, 12L), Map.of(2, 13L));
        committed = 213;
        followed(2, 1, 0, 0);
        marks.add(new PendingMark(TOPIC, 0, 5, 8, 8, there(208), there(214), there(250), Map.of(), Map.of()));

        assertThat(commit()).containsEntry("commit controller", 200L).doesNotContainKey("commit disk 1");
    }

    @Test
    void aFollowerThatIsRemovedWasAwaitedUntilThen() {
        marks.add(new RecordMark(
                TOPIC, 0, 5, 6, 6, there(-20), there(-19), there(-18), there(-9), there(Map.of(3, -10L)), Map.of()));
        arrives(Map.of(2, 12L), Map.of(2, 13L));
        committed = 10_013;
        followed(2, 1, 0, 0);

        assertThat(commit()).containsEntry("commit follower 3", 10_000L).doesNotContainKey("commit controller");
    }

    @Test
    void withoutAnAgentOnTheFollowerBusyPassesAreUnknownAndTheRestIsTheFollowers() {
        arrives(Map.of(4, 312L), Map.of(4, 312L));
        fetch(4, -300, -299, 10, 10, 11);
        busy(THREAD, 212, 312, 0);

        assertThat(commit())
                .isEqualTo(Map.of("commit network_threads 1", 1L, "commit follower 4", 201L, "commit unknown 1", 100L));
    }

    @Test
    void fetchesThatWereLeftOutOfAPageAreNotTakenForOneLongGap() {
        fetchesThatWereLeftOut(0, true);
    }

    @Test
    void fetchesThatTheAgentKeepsNoLongerAreNotTakenForOneLongGap() {
        fetchesThatWereLeftOut(4, false);
    }

    private void fetchesThatWereLeftOut(long missed, boolean cut) {
        arrives(Map.of(2, 312L), Map.of(2, 312L));
        MarkPage page = MarkPage.second("boot1", true, sequences.merge(1, 1L, Long::sum), missed);
        page.add(new FetcherMark(
                2, 0, THREAD, there(311.5), there(311.6), there(311.7), there(311.8), there(311.9), cut, 7));
        fetch(2, -300, -299, 10, 10, 11);
        leaderPage();
        store.add(1, page);
        busy(THREAD, 212, 311, 0);
        followed(2, 1, 0, 0);

        assertThat(commit()).doesNotContainKey("commit network_threads 1").containsEntry("commit unknown 1", 100L);
    }

    @Test
    void anAgentOfTheReleaseBeforeTellsWhoWasAwaitedAndNotWhy() {
        arrivals = Map.of(2, 212L);
        committed = 212;
        MarkPage page = new MarkPage("boot1", true, 9, 0);
        page.add(new RecordMark(
                TOPIC, 0, 5, 7, 7, there(2), there(4), there(10), there(committed), there(arrivals), Map.of()));
        page.add(new RequestMark(there(2), there(3), there(10.5), there(212), there(213), there(213.2)));
        store.add(1, MarkPage.parse(page.toString()));
        deliver(List.of());

        assertThat(inMillis())
                .isEqualTo(Map.of(
                        "produce client", 1L,
                        "publish unknown 1", 1L,
                        "publish handlers 1", 2L,
                        "publish disk 1", 6L,
                        "commit unknown 2", 202L,
                        "fetch unknown 1", 5L));
    }

    @Test
    void withoutMarksOnlyTheCanaryIsKnown() {
        splitter = splitter(false, Optional.empty());
        committed = 50;
        deliver(List.of());

        assertThat(inMillis()).containsEntry("produce client", 1L);
        assertThat(inMillis().keySet()).allMatch(part -> part.endsWith("client") || part.contains("unknown"));
    }

    @Test
    void whatTheConsumersOwnSettingsHoldBackIsTheClients() {
        splitter = splitter(true, Optional.of(store));
        arrives(Map.of(2, 12L), Map.of(2, 12L));
        followed(2, 1, 0, 0);

        assertThat(account()).containsEntry("fetch client", 1L).doesNotContainKey("fetch handlers 1");
    }

    @Test
    void anAccountThatCannotBeMadeCostsNoProbeAndSpoilsNoOther() {
        splitter = new Splitter(
                new PhaseEstimator(Acks.ALL, Attribution.CRITICAL_PATH, polls, new BrokerClocks()),
                Optional.empty(),
                new OwnWaits(CONSUMER, false, 0, 5_000 * MS, (from, to) -> {
                    if (paused) {
                        throw new IllegalStateException("made up");
                    }
                    return 0;
                }),
                (reason, leader) -> {},
                List.of((trip, breakdown) -> split.add(breakdown)));
        committed = 50;
        paused = true;
        assertThatThrownBy(() -> deliver(List.of())).hasMessage("made up");
        assertThat(split).hasSize(1);
        assertThat(inMillis().keySet()).isNotEmpty().allMatch(part -> part.endsWith("unknown 1"));
        paused = false;
        deliver(List.of());
        assertThat(split).hasSize(2);
        assertThat(inMillis()).containsEntry("produce client", 1L);
    }

    /** With attribution: position the wait for a lane stays in its phase; it is still not the canary's own. */
    @Test
    void aWaitForALaneIsNotTheClientsWhereItIsNotChargedToOthers() {
        splitter = new Splitter(
                new PhaseEstimator(Acks.ALL, Attribution.POSITION, polls, new BrokerClocks()),
                Optional.empty(),
                new OwnWaits(CONSUMER, false, 0, 5_000 * MS, (from, to) -> 0),
                (reason, leader) -> {},
                List.of((trip, breakdown) -> split.add(breakdown)));
        Timeline front = Timeline.ofRequest(0, MS, 10 * MS, 412 * MS, 414 * MS, Acks.ALL);
        SendResult sent = SendResult.of(
                List.of(415 * MS), 424 * MS, 1, List.of(new Wait(front, 19 * MS, 414 * MS)), 414 * MS, 395 * MS, null);
        Delivery back = new Delivery(425 * MS, Delivery.NO_APPEND_TIME, 8, Delivery.BY_THE_LEADER, 5);
        splitter.add(new Trip(0, 8, 1, 18 * MS, Outcome.DELIVERED, Optional.of(sent), Optional.of(back), false));
        splitter.turn(425 * MS);

        assertThat(inMillis()).containsEntry("produce unknown 1", 395L).containsEntry("produce client", 2L);
    }

    @Test
    void aPauseOfTheCanaryIsTheClients() {
        arrives(Map.of(2, 12L), Map.of(2, 12L));
        followed(2, 1, 0, 0);
        paused = true;

        assertThat(account()).containsEntry("fetch client", 1L).containsEntry("fetch network 1", 1L);
    }

    @Test
    void aFollowersPageIsWaitedForSoThatAPauseOfItIsItsOwn() {
        arrives(Map.of(2, 412L), Map.of(2, 412L));
        fetch(2, -300, -299, 10, 10, 11);
        assertThatNothingIsSplit();

        followed(2, 400, 1, 395);
        splitter.turn(500 * MS);
        assertThat(inMillis()).containsEntry("commit process 2", 395L);
    }

    private void assertThatNothingIsSplit() {
        assertThat(split).isEmpty();
        assertThatThrownBy(this::account).isInstanceOf(IndexOutOfBoundsException.class);
        assertThat(split).isEmpty();
    }

    @Test
    void afterTwoPagesAFollowerIsNotWaitedForAnyMore() {
        arrives(Map.of(2, 412L), Map.of(2, 412L));
        fetch(2, -300, -299, 10, 10, 11);
        assertThatNothingIsSplit();

        followerPage(2);
        splitter.turn(500 * MS);
        assertThat(split).isEmpty();
        followerPage(2);
        splitter.turn(600 * MS);
        assertThat(inMillis()).containsEntry("commit follower 2", 401L);
    }

    @Test
    void afterFiveSecondsItIsSplitByWhatItsLeaderReported() {
        arrives(Map.of(2, 412L), Map.of(2, 412L));
        fetch(2, -300, -299, 10, 10, 11);
        assertThatNothingIsSplit();

        splitter.turn(5_400 * MS);
        assertThat(split).isEmpty();
        splitter.turn(5_500 * MS);
        assertThat(split.get(0).marked()).isPresent();
        assertThat(inMillis()).containsEntry("commit follower 2", 401L);
    }

    /** One that waited behind another waited for the same, and what nobody in front tells is unknown. */
    @ParameterizedTest
    @CsvSource({"true, 387, 0", "false, 0, 398"})
    void aWaitBehindAnotherProbeIsWhatThatOneWaitedFor(boolean known, long paused, long unknown) {
        arrives(Map.of(2, 412L), Map.of(2, 412L));
        fetch(2, -300, -299, 10, 10, 11);
        followed(2, 400, 1, 395);
        if (known) {
            account();
        }
        Timeline front = Timeline.ofRequest(0, MS, 10 * MS, 412 * MS, 414 * MS, Acks.ALL);
        long t5 = 425 * MS;
        SendResult sent =
                SendResult.of(List.of(415 * MS), 424 * MS, 1, List.of(new Wait(front, 19 * MS, 414 * MS)), 0, 0, null);
        splitter = known ? splitter : splitter(false, Optional.empty());
        Delivery back = new Delivery(t5, Delivery.NO_APPEND_TIME, 8, Delivery.BY_THE_LEADER, 5);
        store.of(1).silent();
        splitter.add(new Trip(0, 8, 1, 18 * MS, Outcome.DELIVERED, Optional.of(sent), Optional.of(back), false));
        splitter.turn(t5);

        Map<String, Long> parts = inMillis();
        assertThat(parts.getOrDefault("commit process 2", 0L)).isEqualTo(paused);
        assertThat(parts.getOrDefault("commit unknown 1", 0L)).isBetween(unknown, unknown + 9);
    }

    /** Broker 9 led when it was due, and broker 1 took it two seconds later. */
    @ParameterizedTest
    @CsvSource({
        "alive, publish controller",
        "clock not known, publish unknown 9",
        "silent, publish unknown 9",
        "never reached, publish unknown 9",
        "silent and still fetching, publish unknown 9",
        "gone, publish process 9",
        "restarted, publish process 9",
        "paused, publish process 9",
        "never asked, publish unknown 9"
    })
    void anElectionIsTheTimeOfWhoeverLedBefore(String former, String part) {
        if (!former.startsWith("never")) {
            MarkPage page = MarkPage.second("boot9", true, 1, 0);
            if (former.equals("paused")) {
                page.add(new PauseMark(there(100), there(1_900)));
            }
            store.add(9, page);
        }
        switch (former) {
            case "alive", "paused" -> learnClockOf(9);
            case "silent", "never reached" -> store.of(9).silent();
            case "gone" -> isSilentAndLastFetched(-10);
            case "silent and still fetching" -> isSilentAndLastFetched(1_990);
            case "restarted" -> store.add(9, MarkPage.second("another", true, 1, 0));
            default -> {}
        }
        store.of(1).silent();
        SendResult sent = SendResult.of(List.of(MS, 2_001 * MS), 2_010 * MS, 1, List.of(), 0, 0, null);
        Delivery back = new Delivery(2_011 * MS, Delivery.NO_APPEND_TIME, 7, Delivery.BY_THE_LEADER, 5);
        splitter.add(new Trip(0, 7, 9, 0, Outcome.DELIVERED, Optional.of(sent), Optional.of(back), false));
        splitter.turn(2_011 * MS);

        assertThat(inMillis()).containsEntry(part, 2_000L);
    }

    /** Broker 9, from broker 1, whose page was made two seconds after the probe was due. */
    private void isSilentAndLastFetched(long millis) {
        learnClockOf(1);
        MarkPage page = MarkPage.second("boot1", true, sequences.merge(1, 1L, Long::sum), 0)
                .madeAt(there(2_000));
        page.add(new FetcherMark(
                9, 0, THREAD, there(millis), there(millis), there(millis), there(millis), there(millis)));
        store.add(1, page);
        store.of(9).silent();
    }

    /** By a probe that this broker led. */
    private void learnClockOf(int broker) {
        RecordMark mark =
                new RecordMark(TOPIC, 3, 5, 1, 1, there(-99), there(-98), there(-97), there(-96), Map.of(), Map.of());
        MarkPage page = MarkPage.second("boot" + broker, true, 1, 0);
        page.add(mark);
        page.add(new RequestMark(
                PRODUCE, "", UNKNOWN_ID, there(-99), there(-98), there(-97), there(-96), there(-96), there(-96)));
        store.add(broker, page);
        SendResult sent = SendResult.of(List.of(-100 * MS), -95 * MS, broker, List.of(), -100 * MS, 0, null);
        Delivery back = new Delivery(-94 * MS, Delivery.NO_APPEND_TIME, 1, Delivery.BY_THE_LEADER, 5);
        splitter.add(new Trip(3, 1, broker, -100 * MS, Outcome.DELIVERED, Optional.of(sent), Optional.of(back), false));
        splitter.turn(-94 * MS);
        assertThat(split).hasSize(1);
        split.clear();
    }
}
