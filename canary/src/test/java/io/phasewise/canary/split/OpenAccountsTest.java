/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.split;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.canary.account.Account;
import io.phasewise.canary.account.Accounts;
import io.phasewise.canary.account.OwnClients;
import io.phasewise.canary.marks.MarkStore;
import io.phasewise.canary.phases.Acks;
import io.phasewise.canary.phases.Attribution;
import io.phasewise.canary.phases.Breakdown;
import io.phasewise.canary.phases.BrokerClocks;
import io.phasewise.canary.phases.Instants;
import io.phasewise.canary.phases.LeaderInstants;
import io.phasewise.canary.phases.PollLog;
import io.phasewise.canary.phases.ProbeEstimate;
import io.phasewise.canary.trip.OpenProbe;
import io.phasewise.canary.trip.Outcome;
import io.phasewise.canary.trip.SendResult;
import io.phasewise.canary.trip.Trip;
import io.phasewise.common.marks.FetcherMark;
import io.phasewise.common.marks.FollowedMark;
import io.phasewise.common.marks.Mark;
import io.phasewise.common.marks.MarkPage;
import io.phasewise.common.marks.PauseMark;
import io.phasewise.common.marks.PendingMark;
import io.phasewise.common.marks.RecordMark;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Whose time the age of an open probe was, stage by stage. Broker 1 leads, 2 and 3 follow; each has a clock of its own.
 * All instants here are milliseconds of the canary's clock: T0 is 0, a producer had the probe at 1, and it is 900 now.
 * The leader's last page was made at 800.
 */
class OpenAccountsTest {
    private static final long MS = 1_000_000;
    private static final String TOPIC = "kPx0";
    private static final int THREAD = 4;
    private static final long NOW = 900;
    private static final long MADE = 800;

    private final MarkStore store = new MarkStore(new OwnClients(Set.of(), Set.of("")), System::nanoTime);
    private final Map<Integer, Long> sequences = new TreeMap<>();
    private final List<Account> undelivered = new ArrayList<>();
    private final Splitter splitter = new Splitter(
            new PhaseEstimator(
                    Acks.ALL, Attribution.CRITICAL_PATH, new PollLog(60_000 * MS, 1_024), new BrokerClocks()),
            Optional.of(store),
            new OwnWaits("consumer", false, 0, 500 * MS, (from, to) -> 0),
            (reason, leader) -> {},
            List.of(new TripReader() {
                @Override
                public void delivered(Trip trip, Breakdown breakdown) {}

                @Override
                public void undelivered(Trip trip, Account wait) {
                    undelivered.add(wait);
                }
            }));

    OpenAccountsTest() {
        splitter.topic(TOPIC);
        for (int broker = 1; broker <= 3; broker++) {
            store.of(broker).learn(exchange(), there(broker));
            page(broker, -200);
        }
        // All three had the record before.
        page(1, -100, committed(6, -110, Map.of(2, -106.0, 3, -105.0)));
    }

    /** One that takes no time at all: it shows the clock of a broker exactly. */
    private static ProbeEstimate exchange() {
        return new ProbeEstimate(0, 0, 0, 0, 0, 0, Acks.ALL, 0, 0, (from, to) -> 0, List.of());
    }

    private static LeaderInstants there(int broker) {
        long at = at(broker, 0);
        return new LeaderInstants(at, at, at, at, new TreeMap<>(), at, at);
    }

    private static long at(int broker, double millis) {
        return broker * 7_777_000 * MS + Math.round(millis * MS);
    }

    private static Map<Integer, Long> at(int broker, Map<Integer, Double> millis) {
        Map<Integer, Long> instants = new TreeMap<>();
        millis.forEach((follower, at) -> instants.put(follower, at(broker, at)));
        return instants;
    }

    private void page(int broker, double made, Mark... marks) {
        MarkPage page = MarkPage.second("boot" + broker, true, sequences.merge(broker, 1L, Long::sum), 0)
                .withBusy(true)
                .ofBroker(broker)
                .madeAt(at(broker, made));
        Arrays.asList(marks).forEach(page::add);
        store.add(broker, MarkPage.parse(page.toString()));
    }

    private static RecordMark committed(long offset, double appended, Map<Integer, Double> arrivals) {
        double last = arrivals.values().stream().mapToDouble(each -> each).max().orElse(appended);
        return new RecordMark(
                TOPIC,
                0,
                5,
                offset,
                offset,
                at(1, appended - 8),
                at(1, appended - 6),
                at(1, appended),
                at(1, last),
                at(1, arrivals),
                at(1, arrivals));
    }

    /** Received at 3, append begun at 5. */
    private static PendingMark appending() {
        return new PendingMark(
                TOPIC, 0, 5, 7, MarkPage.UNKNOWN, at(1, 3), at(1, 5), MarkPage.UNKNOWN, Map.of(), Map.of());
    }

    private static PendingMark appended(double received, long first, long last, Map<Integer, Double> arrivals) {
        return new PendingMark(
                TOPIC,
                0,
                5,
                first,
                last,
                at(1, received),
                at(1, received + 2),
                at(1, received + 7),
                at(1, arrivals),
                at(1, arrivals));
    }

    private static FetcherMark fetch(int leader, int follower, double received, double completed, double sent) {
        return new FetcherMark(
                follower,
                0,
                THREAD,
                at(leader, received),
                at(leader, received),
                at(leader, completed),
                at(leader, sent),
                at(leader, sent));
    }

    private static OpenProbe probe(long handedOver) {
        return new OpenProbe(0, 1, 0, handedOver * MS, Optional.empty());
    }

    private static OpenProbe acknowledged() {
        return new OpenProbe(0, 1, 0, MS, Optional.of(new SendResult(List.of(MS), 20 * MS, 1, List.of(), MS, 0, 7)));
    }

    private List<Map<String, Long>> each(OpenProbe... open) {
        List<Map<String, Long>> all = new ArrayList<>();
        splitter.open(new ArrayList<>(List.of(open)), NOW * MS, (account, leader) -> {
            assertThat(leader).isEqualTo(1);
            all.add(inMillis(account, NOW));
        });
        assertThat(all).hasSameSizeAs(open);
        return all;
    }

    private static Map<String, Long> inMillis(Account account, long age) {
        Map<String, Long> parts = Accounts.parts(account);
        assertThat(parts.values().stream().mapToLong(each -> each).sum()).isEqualTo(age * MS);
        parts.replaceAll((part, nanos) -> Math.round((double) nanos / MS));
        parts.values().removeIf(millis -> millis == 0);
        return parts;
    }

    private String account() {
        return each(probe(1)).get(0).toString();
    }

    @Test
    void aProbeOfWhichNothingIsReportedWaitsForNobodyThatIsKnown() {
        page(1, MADE);

        assertThat(account()).isEqualTo("{produce client=1, publish unknown 1=899}");
    }

    @Test
    void aProbeThatNoProducerHasYetWaitsForNobodyThatIsKnown() {
        page(1, MADE, appending());

        assertThat(each(new OpenProbe(0, 1, 0, Instants.UNKNOWN, Optional.empty()))
                        .get(0))
                .hasToString("{produce unknown 1=900}");
    }

    @Test
    void aProbeThatWaitedLongForAProducerWaitsForNobodyThatIsKnownUntilThen() {
        page(1, MADE);

        assertThat(each(probe(300)).get(0)).hasToString("{produce unknown 1=300, publish unknown 1=600}");
    }

    @Test
    void anAppendThatLastsIsTheDisksUntilThePageWasMade() {
        page(1, MADE, appending());

        assertThat(account())
                .isEqualTo("{produce client=1, publish disk 1=795, publish handlers 1=2, publish unknown 1=102}");
    }

    @Test
    void aPauseOfTheLeaderInItIsThePauses() {
        page(1, MADE, appending(), new PauseMark(at(1, 100), at(1, 700)));

        assertThat(account())
                .isEqualTo("{produce client=1, publish disk 1=195, publish handlers 1=2, publish process 1=600,"
                        + " publish unknown 1=102}");
    }

    @Test
    void aFollowerThatHasNotArrivedIsNotChargedWhileItsAgentAnswers() {
        page(1, MADE, appended(3, 7, 7, Map.of(2, 12.0)));

        assertThat(account())
                .isEqualTo("{commit unknown 1=100, commit unknown 2=1, commit unknown 3=789, produce client=1,"
                        + " publish disk 1=5, publish handlers 1=2, publish unknown 1=2}");
    }

    @Test
    void aFollowerOfWhichNobodyHearsIsChargedUntilThePageWasMade() {
        page(1, MADE, appended(3, 7, 7, Map.of(2, 12.0)));
        store.of(3).silent();

        assertThat(account())
                .isEqualTo("{commit follower 3=789, commit unknown 1=100, commit unknown 2=1, produce client=1,"
                        + " publish disk 1=5, publish handlers 1=2, publish unknown 1=2}");
    }

    @Test
    void itIsChargedOnlySinceAnotherLeaderLastHeardOfIt() {
        page(1, MADE, appended(3, 7, 7, Map.of(2, 12.0)));
        page(2, MADE, fetch(2, 3, 500, 505, 510));
        store.of(3).silent();

        assertThat(account()).contains("commit follower 3=300", "commit unknown 3=489");
    }

    @Test
    void itIsChargedOnlySinceItsOwnAgentLastAnswered() {
        page(1, MADE, appended(3, 7, 7, Map.of(2, 12.0)));
        page(3, 600);
        store.of(3).silent();

        assertThat(account()).contains("commit follower 3=200", "commit unknown 3=589");
    }

    @Test
    void aFollowerWhoseAgentNeverAnsweredIsNotCharged() {
        MarkPage page =
                MarkPage.second("boot1", true, 9, 0).withBusy(true).ofBroker(1).madeAt(at(1, MADE));
        page.add(committed(6, -110, Map.of(2, -106.0, 4, -105.0)));
        page.add(appended(3, 7, 7, Map.of(2, 12.0)));
        store.add(1, page);
        store.of(4).silent();

        assertThat(account()).doesNotContain("follower");
    }

    @Test
    void aFollowerThatTheLastCommitDidNotWaitForIsNotCharged() {
        page(1, MADE, committed(8, 400, Map.of(2, 404.0)), appended(3, 7, 7, Map.of(2, 12.0)));
        store.of(3).silent();

        assertThat(account()).doesNotContain("follower").doesNotContain("unknown 3");
    }

    @Test
    void anAnswerToAFollowerThatHasEndedIsWhoseItWas() {
        page(1, MADE, fetch(1, 3, -90, 310, 500), fetch(1, 2, -90, 11, 11), appended(3, 7, 7, Map.of(2, 12.0)));

        assertThat(account()).contains("commit handlers 1=299", "commit network_threads 1=190", "commit unknown 3=300");
    }

    /** What follower 3 did with the answer that brought record 7: 100 ms, of them 30 for appends. */
    private static FollowedMark followed() {
        return new FollowedMark(1, 0, 40, TOPIC, 0, 5, 7, 100 * MS, 30 * MS, 0);
    }

    /** Follower 3 was told of record 7 at 11, and acknowledges it at 500 only; the probe's record 8 comes after that. */
    private Map<String, Long> afterALateFetch(FetcherMark late) {
        page(
                1,
                MADE,
                fetch(1, 3, -90, 11, 11),
                late,
                committed(7, 10, Map.of(2, 12.0, 3, 500.0)),
                appended(13, 8, 8, Map.of(2, 20.0)));
        return each(probe(10)).get(0);
    }

    @Test
    void betweenTwoFetchesOfAFollowerThatHasNotArrivedItIsWhoseItsAgentTells() {
        page(3, 790, followed());

        assertThat(afterALateFetch(fetch(1, 3, 500, 505, 505)))
                .containsEntry("commit disk 3", 21L)
                .containsEntry("commit follower 3", 70L)
                .containsEntry("commit network 3", 389L)
                .containsEntry("commit handlers 1", 5L)
                .as("since the fetch that ended last")
                .containsEntry("commit unknown 3", 295L);
    }

    @Test
    void betweenTwoFetchesItIsNobodysWhileTheFollowersAgentHasNotTold() {
        page(3, 790);

        assertThat(afterALateFetch(fetch(1, 3, 500, 505, 505)))
                .containsEntry("commit unknown 3", 775L)
                .doesNotContainKeys("commit disk 3", "commit follower 3", "commit network 3");
    }

    @Test
    void betweenTwoFetchesItIsNobodysWhereOthersMayBeMissing() {
        page(3, 790, followed());
        long late = at(1, 500);
        long end = at(1, 505);

        assertThat(afterALateFetch(new FetcherMark(3, 0, THREAD, late, late, end, end, end, true, MarkPage.UNKNOWN)))
                .containsEntry("commit unknown 3", 775L)
                .doesNotContainKeys("commit disk 3", "commit follower 3", "commit network 3");
    }

    @Test
    void whatAFollowerThatHasArrivedDidIsWhoseItsAgentTells() {
        page(3, 790, followed());
        page(1, MADE, fetch(1, 3, -90, 11, 11), committed(7, 10, Map.of(2, 10.0, 3, 500.0)));

        assertThat(each(acknowledged()).get(0))
                .containsEntry("commit disk 3", 30L)
                .containsEntry("commit follower 3", 70L)
                .containsEntry("commit network 3", 389L)
                .doesNotContainKey("commit unknown 3");
    }

    @Test
    void aCommittedRecordWaitsForItsReaderWhoseTimeIsNotKnownYet() {
        page(1, MADE, committed(7, 10, Map.of(2, 14.0, 3, 16.0)));

        assertThat(each(acknowledged()).get(0))
                .hasToString("{commit unknown 2=2, commit unknown 3=4, fetch unknown 1=884, produce client=1,"
                        + " publish disk 1=6, publish handlers 1=2, publish unknown 1=1}");
    }

    @Test
    void anAcknowledgedProbeWithoutAMarkIsUnknown() {
        assertThat(each(acknowledged()).get(0))
                .hasToString("{fetch unknown 1=880, produce client=1, publish unknown 1=19}");
    }

    @Test
    void probesOfALeaderWhoseAgentIsSilentWaitForNobodyThatIsKnown() {
        store.of(1).silent();
        OpenProbe[] several = new OpenProbe[20];
        Arrays.fill(several, probe(1));

        assertThat(each(several))
                .allSatisfy(each -> assertThat(each.keySet()).containsExactly("produce client", "publish unknown 1"));
    }

    @Test
    void aLeaderThatIsGoneIsWaitedForSinceItWasHeardOfLast() {
        page(1, 300);
        page(2, 850, fetch(2, 1, -210, -205, -200));
        store.of(1).silent();

        assertThat(account()).isEqualTo("{produce client=1, publish process 1=600, publish unknown 1=299}");
    }

    @Test
    void aLeaderThatStillFetchesFromOthersIsNotGone() {
        page(2, 850, fetch(2, 1, 300, 305, 310));
        store.of(1).silent();

        assertThat(account()).isEqualTo("{produce client=1, publish unknown 1=899}");
    }

    @Test
    void aLeaderThatIsGoneIsNotWaitedForWhereAnotherTookRecordsSince() {
        page(1, -50);
        page(
                2,
                850,
                fetch(2, 1, -210, -205, -200),
                new PendingMark(TOPIC, 0, 6, 7, 7, at(2, 700), at(2, 701), at(2, 702), Map.of(), Map.of()));
        store.of(1).silent();

        assertThat(account()).isEqualTo("{produce client=1, publish unknown 1=899}");
    }

    @Test
    void probesTakeTheBatchesInOrderAsFarAsTheseHaveRoom() {
        page(1, MADE, appended(3, 7, 8, Map.of(2, 12.0)), appended(50, 9, 9, Map.of(2, 60.0)));

        List<Map<String, Long>> all = each(probe(1), probe(2), probe(45), probe(46));
        assertThat(all.subList(0, 3)).allSatisfy(each -> assertThat(each).containsEntry("publish disk 1", 5L));
        assertThat(all.get(2)).containsEntry("publish unknown 1", 5L);
        assertThat(all.get(3)).as("no batch is left").doesNotContainKey("publish disk 1");
    }

    @Test
    void aBatchThatCameLateOrBeforeIsSomebodyElses() {
        page(1, MADE, appended(3, 7, 7, Map.of(2, 12.0)), appended(250, 8, 8, Map.of(2, 260.0)));

        assertThat(each(probe(100)).get(0)).hasToString("{produce unknown 1=100, publish unknown 1=800}");
    }

    @Test
    void aProbeThatWentToAnotherBrokerTakesNoBatchOfTheFormerLeader() {
        page(1, MADE, appending());
        SendResult given = new SendResult(List.of(MS), Instants.UNKNOWN, 2, List.of(), MS, 0, SendResult.NO_OFFSET);

        assertThat(each(new OpenProbe(0, 1, 0, MS, Optional.of(given))).get(0))
                .hasToString("{produce client=1, publish unknown 2=899}");
    }

    @Test
    void aBatchOfAnotherTopicOfTheSameNameIsSomebodyElses() {
        splitter.topic("another");
        page(1, MADE, appending());

        assertThat(account()).isEqualTo("{produce client=1, publish unknown 1=899}");
    }

    @Test
    void aProbeThatDoesNotComeBackLeavesItsWaitUntilItsDeadline() {
        page(1, MADE, appending());
        SendResult given = new SendResult(List.of(MS), Instants.UNKNOWN, 1, List.of(), MS, 0, SendResult.NO_OFFSET);
        splitter.add(new Trip(0, 7, 1, 0, Outcome.SEND_FAILED, Optional.of(given), Optional.empty(), false));
        splitter.add(new Trip(0, 8, 1, 0, Outcome.LOST, Optional.empty(), Optional.empty(), false));
        splitter.turn(NOW * MS);

        assertThat(undelivered).hasSize(2);
        assertThat(inMillis(undelivered.get(0), 500))
                .hasToString("{produce client=1, publish disk 1=495, publish handlers 1=2, publish unknown 1=2}");
        assertThat(inMillis(undelivered.get(1), 500)).hasToString("{produce unknown 1=500}");
    }
}
