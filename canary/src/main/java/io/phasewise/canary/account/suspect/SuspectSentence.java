/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.account.suspect;

import io.phasewise.canary.account.Account;
import io.phasewise.common.phase.Phase;
import io.phasewise.common.phase.Role;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Says in plain English who is suspected: the one place that makes this sentence. Pages, tiles and reports show it as it
 * is.
 */
public final class SuspectSentence {
    /** What is said when nobody is suspected. */
    public static final String NOBODY = "Nobody is suspected: no probes wait longer than usual for a broker.";

    /** What is said when nobody can be suspected. */
    public static final String NOT_KNOWN =
            "Whether anybody is suspected is not known: no probe has been judged in the last minute.";

    private static final int MOST_LEADERS = 4;
    private static final int MOST_SUSPECTS = 3;

    private SuspectSentence() {}

    /**
     * One sentence for each suspect, three at most; {@link #NOBODY} where there is none.
     *
     * @param suspects longest wait first
     */
    public static String of(List<Suspect> suspects) {
        if (suspects.isEmpty()) {
            return NOBODY;
        }
        String said =
                suspects.stream().limit(MOST_SUSPECTS).map(SuspectSentence::of).collect(Collectors.joining(" "));
        int more = suspects.size() - MOST_SUSPECTS;
        return more <= 0 ? said : said + " And " + more + " more.";
    }

    /**
     * The same; {@link #NOT_KNOWN} where there is none and could be none.
     *
     * @param judged whether probes have been judged lately
     */
    public static String of(List<Suspect> suspects, boolean judged) {
        return suspects.isEmpty() && !judged ? NOT_KNOWN : of(suspects);
    }

    private static String of(Suspect suspect) {
        List<String> phases =
                suspect.phases().keySet().stream().map(Phase::label).toList();
        boolean several = suspect.leaders().size() > 1;
        return "%s: probes of %s wait %s%s longer than usual in %s."
                .formatted(
                        who(suspect.broker(), suspect.role()),
                        leaders(suspect.leaders()),
                        several ? "up to " : "",
                        duration(suspect.seconds()),
                        list(phases));
    }

    /**
     * Who it is, in words: the same for the same broker and role, whatever else is known of them.
     *
     * @param broker its id, or {@link Account#NO_BROKER}
     * @param role any but unknown, which is never named
     */
    public static String who(int broker, Role role) {
        boolean none = broker == Account.NO_BROKER;
        String of = "Broker " + broker + ", ";
        return switch (role) {
            case CLIENT -> "The canary itself";
            case NETWORK -> none ? "The canary's own network path" : of + "the network path to it";
            case CONTROLLER -> "The controller";
            case HANDLERS -> of + "its request handlers";
            case DISK -> of + "its disk";
            case PROCESS -> of + "its process, paused or gone";
            case NETWORK_THREADS -> of + "its network threads";
            case FOLLOWER -> of + "as a follower";
            case UNKNOWN -> throw new IllegalArgumentException("unknown is never named");
        };
    }

    private static String leaders(List<Integer> leaders) {
        if (leaders.size() > MOST_LEADERS) {
            return leaders.size() + " leaders";
        }
        return (leaders.size() == 1 ? "leader " : "leaders ")
                + list(leaders.stream().map(String::valueOf).toList());
    }

    private static String list(List<String> words) {
        int last = words.size() - 1;
        return last == 0 ? words.get(0) : String.join(", ", words.subList(0, last)) + " and " + words.get(last);
    }

    /** Two digits that count, as a reader needs no more. */
    static String duration(double seconds) {
        return seconds < 0.9995
                ? Math.round(seconds * 1000) + " ms"
                : String.format(Locale.ROOT, seconds < 9.95 ? "%.1f s" : "%.0f s", seconds);
    }
}
