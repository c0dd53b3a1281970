/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import io.phasewise.canary.it.KernelSample.Processors;
import io.phasewise.canary.it.KernelSample.Waits;
import java.util.ArrayList;
import java.util.HashMap;
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
        Processors all = to.processors().minus(from.processors());
        double explained = all.share(all.steal()) * PERIOD_MS;
        List<String> figures = new ArrayList<>();
        figures.add(text("%.1f ms by the hypervisor", explained));
        Map<String, Map<String, Waits>> waits = waits(from, to);
        for (Role role : path) {
            Map.Entry<String, Waits> worst =
                    waits.getOrDefault(role.name(), Map.of()).entrySet().stream()
                            .max(Map.Entry.comparingByValue())
                            .orElseThrow(
                                    () ->
                                            new AssertionError(
                                                    "cannot judge: by schedstat no thread of the "
                                                            + role.name()
                                                            + " ran"));
            double each = worst.getValue().eachMs();
            explained += role.passes() * each;
            figures.add(
                    text(
                            "%.1f ms in %d waits for a processor of the %s (%.2f ms each, %s)",
                            role.passes() * each,
                            role.passes(),
                            role.name(),
                            each,
                            worst.getKey()));
        }
        return new Fitness(
                explained <= allowedMs,
                text(
                        "the machine explains %.1f ms of a request's latency, allowed are %.1f: %s;"
                                + " processors %.0f %% idle",
                        explained,
                        allowedMs,
                        String.join(", ", figures),
                        all.share(all.idle()) * 100));
    }

    /** By role, by process; those that never ran are left out. */
    private static Map<String, Map<String, Waits>> waits(KernelSample from, KernelSample to) {
        Map<String, Map<String, Waits>> waits = new HashMap<>();
        to.threads()
                .forEach(
                        (id, counted) -> {
                            Waits since =
                                    counted.minus(from.threads().getOrDefault(id, Waits.NONE));
                            if (since.runs() > 0) {
                                waits.computeIfAbsent(id.role(), role -> new HashMap<>())
                                        .merge(id.process(), since, Waits::plus);
                            }
                        });
        return waits;
    }

    private static String text(String format, Object... arguments) {
        return String.format(Locale.ROOT, format, arguments);
    }
}
