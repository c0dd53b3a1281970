/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.slow;

import com.fasterxml.jackson.annotation.JsonValue;
import io.phasewise.canary.account.Account;
import io.phasewise.canary.phases.Breakdown;
import io.phasewise.canary.phases.Instants;
import io.phasewise.canary.probe.ProbeId;
import io.phasewise.canary.trip.Trip;
import io.phasewise.common.phase.Phase;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A trip as people are shown it: under the probe's name and with its date, in the log, at /status and in traces.
 *
 * @param source whose probe it is
 * @param due T0 by the canary's wall clock
 * @param trip all that was seen of it
 * @param breakdown its instants and phases; empty where it did not come back, and so has none
 * @param stalledNanos how long the canary's own process was paused on its way; 0 where it did not come back
 */
public record ProbeReport(
        ProbeSource source, Instant due, Trip trip, Optional<Breakdown> breakdown, long stalledNanos) {
    /** Shorter waits are not in the log, nanoseconds. */
    private static final long LEAST_LOGGED = 1_000_000;

    /** See {@link ProbeId}. */
    public String id() {
        return ProbeId.of(source.instance(), trip.partition(), trip.sequence());
    }

    /** As the status shows it, by the names there. */
    @JsonValue
    Map<String, Object> shown() {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("id", id());
        shown.put("leader", trip.leader());
        shown.put("partition", trip.partition());
        shown.put("outcome", trip.outcome());
        shown.put("due", due);
        if (breakdown.isPresent()) {
            addWayBack(shown, breakdown.get());
        } else {
            shown.put("dispatchedNanosSinceDue", trip.dispatchedNanos());
            shown.put("acknowledgedNanosSinceDue", trip.acknowledgedNanos());
        }
        return shown;
    }

    private void addWayBack(Map<String, Object> shown, Breakdown split) {
        Map<String, Object> sinceDue = new LinkedHashMap<>();
        sinceDue.put("scheduled", 0);
        sinceDue.putAll(split.instants().steps());
        sinceDue.put("delivered", trip.latencyNanos());
        sinceDue.put("acknowledged", trip.acknowledgedNanos());
        Map<String, Long> phaseNanos = new LinkedHashMap<>();
        for (Phase phase : Phase.values()) {
            phaseNanos.put(phase.label(), split.phases().of(phase));
        }
        split.marked().ifPresent(by -> {
            sinceDue.putAll(by.leaderInstants().since(trip.dueNanos()));
            shown.put("uncertaintyNanos", by.uncertaintyNanos());
        });
        shown.put("offset", trip.delivery().offset());
        shown.put("endToEndNanos", trip.latencyNanos());
        shown.put("nanosSinceDue", sinceDue);
        shown.put("phaseSource", split.marked().isPresent() ? "broker" : "estimate");
        shown.put("phaseNanos", phaseNanos);
        shown.put("waits", waits(split.account()));
        shown.put("waitedNanos", trip.waitedNanos());
        shown.put("stalled", stalledNanos > 0);
        shown.put("stalledNanos", stalledNanos);
    }

    /** Whose time it was: part by part, as a metric's labels say it. */
    private static List<Map<String, Object>> waits(Account account) {
        List<Map<String, Object>> waits = new ArrayList<>();
        for (int part = 0; part < account.size(); part++) {
            Map<String, Object> wait = new LinkedHashMap<>();
            wait.put("phase", account.phase(part).label());
            if (account.broker(part) != Account.NO_BROKER) {
                wait.put("broker", account.broker(part));
            }
            wait.put("role", account.role(part).label());
            wait.put("nanos", account.nanos(part));
            waits.add(wait);
        }
        return waits;
    }

    /**
     * As the log shows it: what happened, then key=value pairs that a log store can take apart (logfmt). Durations carry
     * their unit; instants after T0 are counted from it. What is called dispatched is T1 of a probe that came back, and
     * the last known request of one that did not.
     */
    String line() {
        boolean cameBack = breakdown.isPresent();
        StringBuilder line = new StringBuilder(400)
                .append(cameBack ? "slow" : "undelivered")
                .append(" probe id=%s %s leader=%s partition=%s"
                        .formatted(id(), source.named(), trip.leader(), trip.partition()));
        if (cameBack) {
            line.append(" offset=").append(trip.delivery().offset());
        }
        line.append(" outcome=").append(trip.outcome().label()).append(" due=").append(due);
        if (cameBack) {
            addWayBack(line, breakdown.get());
        } else {
            add(line, "dispatched", trip.dispatchedNanos());
            add(line, "acknowledged", trip.acknowledgedNanos());
        }
        return line.toString();
    }

    private void addWayBack(StringBuilder line, Breakdown split) {
        Instants at = split.instants();
        add(line, "end_to_end", trip.latencyNanos());
        for (Phase phase : Phase.values()) {
            add(line, phase.label(), split.phases().of(phase));
        }
        at.steps().forEach((step, nanos) -> add(line, step, (long) nanos));
        add(line, "acknowledged", trip.acknowledgedNanos());
        add(line, "waited", trip.waitedNanos());
        split.marked().ifPresent(by -> {
            by.leaderInstants().since(at.t0()).forEach((step, nanos) -> add(line, step, (long) nanos));
            add(line, "uncertainty", by.uncertaintyNanos());
        });
        addWaits(line, split.account());
        line.append(" stalled=").append(stalledNanos > 0);
        add(line, "stalled_for", stalledNanos);
    }

    /** Those of a millisecond or more: commit.disk.2=80.000ms is what the commit waited for the disk of broker 2. */
    private static void addWaits(StringBuilder line, Account account) {
        for (int part = 0; part < account.size(); part++) {
            if (account.nanos(part) >= LEAST_LOGGED) {
                int broker = account.broker(part);
                String whose =
                        account.phase(part).label() + "." + account.role(part).label();
                add(line, broker == Account.NO_BROKER ? whose : whose + "." + broker, account.nanos(part));
            }
        }
    }

    private static void add(StringBuilder line, String key, OptionalLong nanos) {
        if (nanos.isPresent()) {
            add(line, key, nanos.getAsLong());
        } else {
            line.append(' ').append(key).append("=never");
        }
    }

    private static void add(StringBuilder line, String key, long nanos) {
        line.append(String.format(Locale.ROOT, " %s=%.3fms", key, nanos / 1e6));
    }
}
