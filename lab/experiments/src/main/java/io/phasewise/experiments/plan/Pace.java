/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.plan;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * How long and how often: parameters that every experiment has.
 *
 * @param repeats how often every variant has its turn
 * @param settle of every variant before the first turn, without its fault: new JVMs are slow, for
 *     about two minutes in all
 * @param warmUp cut from the start of every turn
 * @param measured of every turn after that
 * @param rate probes a second to each broker
 * @param block length of a block for resampling
 * @param seed of the resampling and of the canary's schedule
 */
public record Pace(
        int repeats,
        Duration settle,
        Duration warmUp,
        Duration measured,
        double rate,
        Duration block,
        long seed) {

    /** What a canary certainly logs, 5,625 probes a minute, is 31 a second to each of three. */
    public static final List<Parameter> PARAMETERS =
            List.of(
                    parameter("repeats", "turns of every variant", 6, 2, 100, true),
                    parameter(
                            "settle",
                            "seconds of every variant before the first turn, without its fault",
                            60,
                            0,
                            3_600,
                            false),
                    parameter("warm-up", "seconds cut from each turn", 10, 0, 3_600, false),
                    parameter("seconds", "measured in each turn", 15, 5, 3_600, false),
                    parameter("rate", "probes a second to each broker", 20, 1, 31, false),
                    parameter("block", "seconds of a block for resampling", 2, 0.5, 60, false),
                    parameter("seed", "of resampling and schedule", 1, 0, 1e9, true));

    /** Brokers start and stop; a canary starts; probes of a turn's end come back. By experience. */
    private static final Duration BROKERS = Duration.ofSeconds(40);

    private static final Duration CANARY = Duration.ofSeconds(7);
    private static final Duration END_OF_TURN = Duration.ofSeconds(1);

    /** About how long a run takes, on an idle machine. */
    public Duration estimate(Plan plan) {
        int variants = plan.variants().size();
        long canaries = plan.variants().stream().map(Variant::canary).distinct().count();
        Duration all = BROKERS.plus(CANARY).plus(settle.multipliedBy(variants));
        all =
                all.plus(
                        warmUp.plus(measured)
                                .plus(END_OF_TURN)
                                .multipliedBy((long) repeats * variants));
        return canaries == 1 ? all : all.plus(CANARY.multipliedBy((repeats + 1L) * variants - 1));
    }

    /**
     * As the parameters say.
     *
     * @throws UsageException when a turn has fewer than two blocks: hardly a deal of them would
     *     differ from what was found, so that no difference could be shown
     */
    public static Pace of(Parameters parameters) throws UsageException {
        parameters.requireHalf("block", "seconds");
        return new Pace(
                parameters.whole("repeats"),
                seconds(parameters.number("settle")),
                seconds(parameters.number("warm-up")),
                seconds(parameters.number("seconds")),
                parameters.number("rate"),
                seconds(parameters.number("block")),
                (long) parameters.number("seed"));
    }

    private static Parameter parameter(
            String name, String about, double value, double least, double most, boolean whole) {
        return new Parameter(name, about, value, least, most, whole, Optional.empty());
    }

    private static Duration seconds(double seconds) {
        return Duration.ofMillis(Math.round(seconds * 1_000));
    }
}
