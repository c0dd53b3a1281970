/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.phase;

import io.phasewise.common.file.JarResource;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The five phases of a probe's end-to-end latency, in the order in which the probe passes them.
 *
 * <p>Where publish ends and commit begins (T2, appended) depends on who says so. By the leader's
 * mark T2 is when the append has returned: the leader's own write is part of publish. Where T2 is
 * estimated it is LogAppendTime, which Kafka stamps just before it writes: the leader's own write is
 * part of commit. {@code kafka_canary_phase_source} says which of the two applies.
 *
 * <p>Order and colours are those of {@code phases.csv} beside this class, which the dashboards, the
 * rules and the canary's page are tested against.
 */
public enum Phase {
    /** From due to handed to the network client for the first time. */
    PRODUCE,
    /**
     * Until the leader has appended it (T2): network, queues, failed attempts, the wait for the
     * lock of the log. The leader's own write too, where its mark reports T2.
     */
    PUBLISH,
    /**
     * Until every in-sync replica has it (T3). The leader's own write too, where T2 is estimated.
     */
    COMMIT,
    /** The consumer was not yet there: away from poll(), or still reading earlier records. */
    CATCH_UP,
    /** The consumer was waiting for it: the wait, and the way back. */
    FETCH;

    private static final Map<String, String> COLOURS = colours();

    /** The value of the metrics' {@code phase} label. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * The colour it has in every drawing, as {@code #rrggbb}; distinguishable for readers with any
     * colour vision (Okabe and Ito 2008, two of theirs made lighter or darker).
     */
    public String colour() {
        return COLOURS.get(label());
    }

    private static Map<String, String> colours() {
        return JarResource.text(Phase.class, "phases.csv")
                .lines()
                .skip(1)
                .map(line -> line.split(","))
                .collect(Collectors.toUnmodifiableMap(row -> row[0], row -> row[1]));
    }
}
