/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.corpus;

import io.phasewise.canary.account.Account;
import io.phasewise.common.phase.Phase;
import io.phasewise.common.phase.Role;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeSet;

/**
 * How a case was named.
 *
 * @param of the case
 * @param rightly whether one that must be named was named while the fault lasted or shortly after it
 * @param wrong who was named and may not be, at any time, with the second since the fault began
 * @param delay seconds from the begin of the fault until the first right name; empty where there is none
 * @param unknown share of what the fault added to probes that came back of which nobody knows whose time it was; empty
 *     where it added little
 * @param parts what the fault added, for people
 */
record Verdict(
        Case of, boolean rightly, List<String> wrong, OptionalDouble delay, OptionalDouble unknown, String parts) {
    /** Less than that is no sum to have a share of, seconds of all probes. */
    private static final double LITTLE = 2;

    /** Of what a fault added so much may be unknown. */
    private static final double MOST_UNKNOWN = 0.05;

    private static final int MOST_PARTS = 8;

    static Verdict of(Case declared, Replay.Result result) {
        TreeSet<String> right = new TreeSet<>(declared.named());
        TreeSet<String> allowed = new TreeSet<>(declared.besides());
        allowed.addAll(right);
        List<String> wrong = new ArrayList<>();
        TreeSet<String> said = new TreeSet<>();
        OptionalDouble delay = OptionalDouble.empty();
        for (Replay.Named second : result.named()) {
            double at = (second.at() - result.begins()) / 1e9;
            for (String who : second.who()) {
                boolean within = at >= 0 || declared.isPlacebo();
                if ((!allowed.contains(who) || !within) && said.add(who)) {
                    wrong.add(String.format(Locale.ROOT, "%s (%.0f s)", who, at));
                }
                if (within && right.contains(who) && delay.isEmpty()) {
                    delay = OptionalDouble.of(at);
                }
            }
        }
        Growth growth = new Growth(result);
        return new Verdict(declared, delay.isPresent(), wrong, delay, growth.unknown(), growth.parts());
    }

    /** In one word. */
    String word() {
        if (!wrong.isEmpty()) {
            return of.isPlacebo() ? "placebo named" : isOfTheSameBroker() ? "other role, too" : "wrong";
        }
        return of.isPlacebo() ? "nobody named" : rightly ? "named rightly" : "missed";
    }

    /** Whether all that was named wrongly are other roles of the broker that had to be named, beside the right one. */
    private boolean isOfTheSameBroker() {
        return rightly
                && wrong.stream()
                        .allMatch(who -> of.named().stream()
                                .anyMatch(right -> who.startsWith(right.substring(0, right.indexOf(' ') + 1))));
    }

    /** Whether more is unknown than may be. */
    boolean isTooMuchUnknown() {
        return unknown.isPresent() && unknown.getAsDouble() > MOST_UNKNOWN;
    }

    /** Whether it was not named as declared. */
    boolean isRed() {
        return !wrong.isEmpty() || !rightly && !of.isPlacebo();
    }

    /** What probes that were due while the fault lasted waited for longer than those before it, seconds of all. */
    private static final class Growth {
        private record Part(Phase phase, int broker, Role role) {}

        private final Map<Part, Double> seconds = new HashMap<>();

        Growth(Replay.Result result) {
            long quiet = count(result, result.judged(), result.begins());
            long broken = count(result, result.begins(), result.ends());
            add(result, result.judged(), result.begins(), -(double) broken / quiet);
            add(result, result.begins(), result.ends(), 1);
        }

        private static long count(Replay.Result of, long from, long to) {
            return of.split().stream().filter(each -> isDue(each, from, to)).count();
        }

        private static boolean isDue(Replay.Split probe, long from, long to) {
            return probe.trip().dueNanos() - from >= 0 && probe.trip().dueNanos() - to < 0;
        }

        private void add(Replay.Result of, long from, long to, double weight) {
            for (Replay.Split each : of.split()) {
                if (isDue(each, from, to)) {
                    Account account = each.breakdown().account();
                    for (int i = 0; i < account.size(); i++) {
                        seconds.merge(
                                new Part(account.phase(i), account.broker(i), account.role(i)),
                                weight * account.nanos(i) / 1e9,
                                Double::sum);
                    }
                }
            }
        }

        OptionalDouble unknown() {
            double all = seconds.values().stream().mapToDouble(each -> each).sum();
            double unknown = seconds.entrySet().stream()
                    .filter(each -> each.getKey().role == Role.UNKNOWN)
                    .mapToDouble(Map.Entry::getValue)
                    .sum();
            return all < LITTLE ? OptionalDouble.empty() : OptionalDouble.of(Math.max(0, unknown / all));
        }

        String parts() {
            List<String> largest = new ArrayList<>();
            seconds.entrySet().stream()
                    .sorted(Map.Entry.<Part, Double>comparingByValue().reversed())
                    .limit(MOST_PARTS)
                    .filter(each -> each.getValue() > 0.05)
                    .forEach(each -> largest.add(String.format(
                            Locale.ROOT,
                            "%s.%s.%s=%.2fs",
                            each.getKey().phase.label(),
                            Case.label(each.getKey().role),
                            each.getKey().broker,
                            each.getValue())));
            return String.join(" ", largest);
        }
    }
}
