/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import io.phasewise.canary.it.KernelSample.Waits;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Decides, from what the kernel counted before and after, whether a machine was fit to measure a
 * latency: how many milliseconds of each request's latency the machine itself could explain. Pure;
 * {@link KernelReader} reads the counters. Nothing here comes from the program that is tested.
 *
 * <p>A request waits for a processor once for each thread that it passes, as long as that thread
 * waits on average each time that it wants to run: {@code run_delay / pcount} of {@code schedstat}
 * (kernel: Documentation/scheduler/sched-stats.rst). Where several processes have such threads, the
 * one that waits longest counts. On top comes what the hypervisor withheld: a processor that is
 * taken away for a share of the time is back within one period of its bandwidth control, 100 ms.
 *
 * @param fit whether the machine explains no more than allowed
 * @param reason in words and figures
 */
record Fitness(boolean fit, String reason) {
    /** Default period of the kernel's bandwidth control. */
    private static final double PERIOD_MS = 100;

    /**
     * Threads of one kind that a request passes.
     *
     * @param name for the reason, for instance "producer"
     * @param prefix of the threads' names; at most seven characters, as newer JVMs shorten the rest
     * @param passes how often one request passes a thread of this kind, at most
     */
    record Role(String name, String prefix, int passes) {}

    /**
     * Judges the time between two samples.
     *
     * @param path what each request passes
     * @param allowedMs how much of a request's latency the machine may explain, milliseconds
     * @throws AssertionError when the kernel says too little: of a role no thread has run
     */
    static Fitness between(KernelSample from, KernelSample to, List<Role> path, double allowedMs) {
        double explained = to.stolenSince(from) * PERIOD_MS;
        List<String> figures = new ArrayList<>();
        figures.add(text("%.1f ms by the hypervisor", explained));
        for (Role role : path) {
            Map<String, Waits> waits = to.waitsSince(from, role);
            if (waits.isEmpty()) {
                throw new AssertionError(
                        "cannot judge: by schedstat no thread of the " + role.name() + " ran");
            }
            String worst =
                    Collections.max(
                            waits.keySet(),
                            Comparator.comparingDouble(process -> waits.get(process).eachMs()));
            double each = waits.get(worst).eachMs();
            explained += role.passes() * each;
            figures.add(
                    text(
                            "%.1f ms in %d waits for a processor of the %s (%.2f ms each, %s)",
                            role.passes() * each, role.passes(), role.name(), each, worst));
        }
        String reason =
                text(
                        "the machine explains %.1f ms of a request's latency, allowed are %.1f: %s",
                        explained, allowedMs, String.join(", ", figures));
        return new Fitness(explained <= allowedMs, reason);
    }

    private static String text(String format, Object... arguments) {
        return String.format(Locale.ROOT, format, arguments);
    }
}
