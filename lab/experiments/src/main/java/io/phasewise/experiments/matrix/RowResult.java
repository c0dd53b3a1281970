/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix;

import java.util.List;
import java.util.Map;

/**
 * What was seen of one fault; written to JSON as it is, and the document is made of that.
 *
 * @param name of the row
 * @param about what was broken
 * @param faults what was not as it must be; empty when all was
 * @param skipped why it was not run or could not be judged; empty when it was
 * @param scheduled probes scheduled in the row
 * @param outcomes how they ended, by the canary's labels
 * @param inFlight more probes under way at its end than at its start
 * @param windowSeconds how long the fault lasted, from just before it was begun until its mending
 * @param window how probes ended that were due in that time, by the canary's labels
 * @param falseDeliveries probes counted as delivered that are not in the log of the topic, or of
 *     which no latency was recorded
 * @param duplicates records that came twice (a retry makes them; they are counted, not hidden)
 * @param stalled probes that the canary's own standstill touched
 * @param clockSteps of brokers' clocks that the canary counted
 * @param injected milliseconds that the fault adds to a probe by arithmetic, by phase; empty where
 *     that is not known
 * @param added milliseconds that each phase's mean grew by while it lasted, against before and
 *     after
 * @param wander milliseconds that the mean without the fault may be off by: half of what before and
 *     after differ by; absent where that is not known
 * @param told what a broker's own metrics showed while it lasted, mean milliseconds
 * @param alerts that fired in the row, with the seconds after the fault began
 * @param inhibited alerts that were held back because of others
 * @param standing alerts that were pending, firing or held back before it; they are not its own
 * @param alertsWatched whether a Prometheus watched at all
 * @param recoverySeconds from the beginning of the mending until probes were as good as before; see
 *     {@link Fates#recovered}
 * @param threadsBefore of the canary
 * @param threadsAfter of the canary
 * @param heapMebibytesBefore used by the canary
 * @param heapMebibytesAfter used by the canary, not collected beforehand
 * @param logLines that the canary wrote in the row, but for those of single probes
 */
public record RowResult(
        String name,
        String about,
        List<String> faults,
        String skipped,
        long scheduled,
        Map<String, Long> outcomes,
        long inFlight,
        double windowSeconds,
        Map<String, Long> window,
        long falseDeliveries,
        long duplicates,
        long stalled,
        long clockSteps,
        Map<String, Double> injected,
        Map<String, Double> added,
        Double wander,
        Map<String, Double> told,
        Map<String, Double> alerts,
        List<String> inhibited,
        List<String> standing,
        boolean alertsWatched,
        double recoverySeconds,
        long threadsBefore,
        long threadsAfter,
        long heapMebibytesBefore,
        long heapMebibytesAfter,
        long logLines) {

    /** A row that was not run. */
    public static RowResult skipped(Row row, String why) {
        return unmeasured(row, List.of(), why);
    }

    /** A row that broke down before it could be judged. */
    public static RowResult brokenOff(Row row, Exception why) {
        return unmeasured(row, List.of("broken off: " + why), "");
    }

    private static RowResult unmeasured(Row row, List<String> faults, String skipped) {
        return new RowResult(
                row.name(),
                row.about(),
                faults,
                skipped,
                0,
                Map.of(),
                0,
                0,
                Map.of(),
                0,
                0,
                0,
                0,
                Map.of(),
                Map.of(),
                null,
                Map.of(),
                Map.of(),
                List.of(),
                List.of(),
                false,
                0,
                0,
                0,
                0,
                0,
                0);
    }

    /** Whether all was as it must be, as far as it could be judged. */
    public boolean good() {
        return faults.isEmpty();
    }
}
