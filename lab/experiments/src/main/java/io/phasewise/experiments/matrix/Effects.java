/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix;

import io.phasewise.experiments.measure.ProbeRecord;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Judges what a fault did to outcomes; pure. Amounts are left to {@link Verdict}. */
final class Effects {
    /** So many more probes gone than before, at least, are a fault's; fewer are anybody's. */
    static final int FELT_PROBES = 3;

    /** The same, of those that were due: where many were, a few go by themselves. */
    static final double FELT_SHARE = 0.02;

    private Effects() {}

    /**
     * What is not as the row's effect must be.
     *
     * @param outcomes of the whole row, by the canary's labels
     * @param during probes of the row's leaders that were due while the fault lasted
     * @param before theirs that were due before it
     */
    static List<String> faults(
            Row row,
            Map<String, Long> outcomes,
            List<ProbeRecord> during,
            List<ProbeRecord> before,
            Verdict verdict) {
        long unseen = outcomes.get("lost") + outcomes.get("send_failed");
        return switch (row.effect()) {
            case MOVES_PHASES -> List.of();
            case LOSES_NOTHING ->
                    unseen == 0 ? List.of() : List.of(unseen + " probes lost or not sent");
            case MOVES_NO_PHASE ->
                    unseen == 0 && verdict.moved() < Verdict.MOVES_MS
                            ? List.of()
                            : List.of(
                                    String.format(
                                            Locale.ROOT,
                                            "%d probes lost or not sent, phases moved by %.0f ms",
                                            unseen,
                                            verdict.moved()));
            case IS_FELT -> felt(during, before, verdict) ? List.of() : List.of("no probe felt it");
        };
    }

    /** Probes of its own time were slower, or clearly more of them were late or gone. */
    private static boolean felt(
            List<ProbeRecord> during, List<ProbeRecord> before, Verdict verdict) {
        long gone = during.stream().filter(ProbeRecord::gone).count();
        double more = gone - Fates.share(before, ProbeRecord::gone) * during.size();
        return verdict.slower() || more >= Math.max(FELT_PROBES, FELT_SHARE * during.size());
    }
}
