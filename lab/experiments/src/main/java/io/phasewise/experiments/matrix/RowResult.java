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
 * @param falseDeliveries probes counted as delivered of which no latency was recorded
 * @param duplicates records that came twice (a retry makes them; they are counted, not hidden)
 * @param stalled probes that the canary's own standstill touched
 * @param clockSteps of brokers' clocks that the canary counted
 * @param injected milliseconds that the fault adds to a probe by arithmetic, by phase; empty where
 *     that is not known
 * @param added milliseconds that each phase's mean grew by while it lasted, against before and
 *     after
 * @param told what a broker's own metrics showed while it lasted, mean milliseconds
 * @param alerts that fired in the row, with the seconds after the fault began
 * @param inhibited alerts that were held back because of others
 * @param alertsWatched whether a Prometheus watched at all
 * @param recoverySeconds from the mending until the canary was ready and most probes good
 * @param threadsBefore of the canary
 * @param threadsAfter of the canary
 * @param heapMebibytesBefore used by the canary
 * @param heapMebibytesAfter used by the canary, not collected beforehand
 * @param logLines that the canary wrote in the row
 */
public record RowResult(
        String name,
        String about,
        List<String> faults,
        String skipped,
        long scheduled,
        Map<String, Long> outcomes,
        long inFlight,
        long falseDeliveries,
        long duplicates,
        long stalled,
        long clockSteps,
        Map<String, Double> injected,
        Map<String, Double> added,
        Map<String, Double> told,
        Map<String, Double> alerts,
        List<String> inhibited,
        boolean alertsWatched,
        double recoverySeconds,
        long threadsBefore,
        long threadsAfter,
        long heapMebibytesBefore,
        long heapMebibytesAfter,
        long logLines) {

    /** Documents of before that figure have none. */
    public RowResult {
        told = told == null ? Map.of() : told;
    }

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
                0,
                0,
                0,
                Map.of(),
                Map.of(),
                Map.of(),
                Map.of(),
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
