/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.plan;

import io.phasewise.common.cli.UsageException;
import io.phasewise.common.file.JarResource;
import io.phasewise.experiments.declared.Declaration;
import java.time.Duration;
import java.util.List;

/**
 * How long and how often an experiment measures: parameters that every experiment has.
 *
 * @param repeats how many turns every variant has
 * @param settle how long each variant runs before the first turn, without its fault: new JVMs
 *     are slow, for about two minutes in all
 * @param warmUp start of every turn that is not measured
 * @param measured part of every turn, after the warm-up
 * @param rate probes per second to each broker
 * @param block length of a block for resampling
 * @param seed of the resampling and of the canary's arrivals
 */
public record Pace(
        int repeats, Duration settle, Duration warmUp, Duration measured, double rate, Duration block, long seed) {

    /** The parameters that set the pace. */
    public static final List<Parameter> PARAMETERS =
            List.of(Declaration.read("pace.yml", JarResource.text(Pace.class, "/pace.yml"), Parameter[].class));

    /**
     * By experience: brokers start and stop; a canary starts; the last probes of a turn come back.
     */
    private static final Duration BROKERS = Duration.ofSeconds(40);

    private static final Duration CANARY = Duration.ofSeconds(7);
    private static final Duration END_OF_TURN = Duration.ofSeconds(1);

    /** About how long a run takes on an idle machine. */
    public Duration estimate(Plan plan) {
        int variants = plan.variants().size();
        long canaries = plan.variants().stream().map(Variant::canary).distinct().count();
        Duration turn = warmUp.plus(measured).plus(END_OF_TURN);
        Duration all = BROKERS.plus(CANARY)
                .plus(settle.multipliedBy(variants))
                .plus(turn.multipliedBy((long) repeats * variants));
        return canaries == 1 ? all : all.plus(CANARY.multipliedBy((repeats + 1L) * variants - 1));
    }

    /**
     * Reads the pace from the parameters.
     *
     * @throws UsageException when a turn has fewer than two blocks: then hardly a permutation
     *     differs from what was measured, and no difference could be shown
     */
    public static Pace of(Parameters parameters) {
        boolean two = parameters.number("block") <= parameters.number("seconds") / 2;
        parameters.require(two, "block", "at most half of", "seconds");
        return new Pace(
                parameters.whole("repeats"),
                seconds(parameters.number("settle")),
                seconds(parameters.number("warm-up")),
                seconds(parameters.number("seconds")),
                parameters.number("rate"),
                seconds(parameters.number("block")),
                (long) parameters.number("seed"));
    }

    private static Duration seconds(double seconds) {
        return Duration.ofMillis(Math.round(seconds * 1_000));
    }
}
