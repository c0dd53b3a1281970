/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.status;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;

/**
 * How a cluster's objective is being met, as far as this process remembers; alerts, which must not
 * forget, are left to Prometheus.
 *
 * @param targetSeconds a probe delivered within this is good
 * @param objectiveRatio the share of probes that should be good, between 0 and 1
 * @param recent the last five minutes
 * @param hour the last hour
 */
public record SloStatus(
        double targetSeconds,
        double objectiveRatio,
        @JsonIgnore VerdictHistory.Verdicts recent,
        @JsonIgnore VerdictHistory.Verdicts hour) {

    /** What a reader should make of it. */
    public enum State {
        /** No probe was judged in the last five minutes. */
        UNKNOWN,
        /** The objective is met, in the last five minutes and in the last hour. */
        MET,
        /** It is met by the last five minutes, but not by the last hour. */
        RECOVERING,
        /** The last five minutes do not meet it. */
        MISSED
    }

    /** What a reader should make of it. */
    @JsonProperty
    public State state() {
        if (recent.judged() == 0) {
            return State.UNKNOWN;
        }
        if (burnRate(recent) > 1) {
            return State.MISSED;
        }
        return burnRate(hour) > 1 ? State.RECOVERING : State.MET;
    }

    /**
     * The share of bad probes over the share that the objective allows (the SRE workbook's burn
     * rate): at 1 the error budget lasts exactly as long as it should.
     *
     * @param verdicts of some time
     * @return 0 or more; NaN where no probe was judged
     */
    public double burnRate(VerdictHistory.Verdicts verdicts) {
        return verdicts.judged() == 0 ? Double.NaN : (double) verdicts.bad() / verdicts.judged() / (1 - objectiveRatio);
    }

    /** What was judged, and how much of the error budget that burned; as the reader is shown it. */
    private record Burned(@JsonUnwrapped VerdictHistory.Verdicts judged, double burnRate) {}

    @JsonProperty("fiveMinutes")
    private Burned burnedRecently() {
        return new Burned(recent, burnRate(recent));
    }

    @JsonProperty("hour")
    private Burned burnedInTheHour() {
        return new Burned(hour, burnRate(hour));
    }
}
