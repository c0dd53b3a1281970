/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.status;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.phasewise.canary.account.Account;
import io.phasewise.canary.account.suspect.Suspect;
import io.phasewise.canary.account.suspect.SuspectSentence;
import io.phasewise.canary.account.suspect.Suspects;
import io.phasewise.common.phase.Phase;
import io.phasewise.common.phase.Role;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;

/**
 * Who is suspected in one cluster, by all of its profiles.
 *
 * @param cluster its name
 * @param suspects longest wait first; empty where nobody is
 * @param sentence the same in words
 * @param judged whether a probe was judged in the last minute; otherwise nobody can be suspected
 * @param learnedMinutes minutes that are known of the leader that least is known of, 0 to {@code minutesToLearn}
 * @param minutesToLearn so many are needed before the network and the canary itself can be named
 */
public record ClusterSuspects(
        String cluster, List<Named> suspects, String sentence, boolean judged, int learnedMinutes, int minutesToLearn) {
    /**
     * Whom probes wait for.
     *
     * @param broker its id; null for the canary itself, its own network path, or a controller that is not known
     * @param role what of it
     * @param who broker and role in words
     * @param phases in which they wait, in their order
     * @param seconds that a probe waits in excess of what is usual, all phases together
     * @param leaders whose probes wait, ascending
     * @param since when the excess began
     * @param excess the seconds by phase
     */
    public record Named(
            Integer broker,
            Role role,
            String who,
            List<Phase> phases,
            double seconds,
            List<Integer> leaders,
            Instant since,
            @JsonIgnore Map<Phase, Double> excess) {}

    /**
     * What the canary names.
     *
     * @param suspects longest wait first
     * @param judged whether a probe was judged in the last minute
     * @param dates the time of day at an instant of the monotonic clock
     */
    public static ClusterSuspects of(
            String cluster, List<Suspect> suspects, boolean judged, int learnedMinutes, LongFunction<Instant> dates) {
        List<Named> named = suspects.stream()
                .map(each -> new Named(
                        each.broker() == Account.NO_BROKER ? null : each.broker(),
                        each.role(),
                        SuspectSentence.who(each.broker(), each.role()),
                        List.copyOf(each.phases().keySet()),
                        each.seconds(),
                        each.leaders(),
                        dates.apply(each.sinceNanos()),
                        each.phases()))
                .toList();
        return new ClusterSuspects(
                cluster,
                named,
                SuspectSentence.of(suspects, judged),
                judged,
                learnedMinutes,
                Suspects.MINUTES_TO_LEARN);
    }
}
