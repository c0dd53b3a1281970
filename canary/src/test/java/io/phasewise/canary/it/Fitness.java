/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import io.phasewise.canary.it.KernelSample.Processors;
import io.phasewise.canary.it.KernelSample.ThreadId;
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
 * one that waits longest counts. Without {@code schedstat}, a request meets a queue each time with
 * the probability of CPU pressure ("some", Documentation/accounting/psi.rst), and waits for one
 * time slice. On top comes what the hypervisor withheld: a processor that is taken away for a share
 * of the time is back within one period of its bandwidth control, 100 ms.
 *
 * @param ability whether the machine was fit
 * @param reason in words and figures
 */
record Fitness(Ability ability, String reason) {
    /** A base slice of the fair scheduler on eight processors or more; on fewer it is shorter. */
    private static final double SLICE_MS = 3;

    /** Default period of the kernel's bandwidth control. */
    private static final double PERIOD_MS = 100;

    /** What the kernel's counters say. */
    public enum Ability {
        /** The machine explains no more than allowed. */
        FIT,
        /** The machine explains more than allowed. */
        UNFIT,
        /** The kernel does not say enough. */
        UNKNOWN
    }

    /**
     * Threads of one kind that a request passes.
     *
     * @param name for the reason, for instance "producer"
     * @param prefix of the threads' names; at most seven characters, as newer JVMs shorten the rest
     * @param passes how often one request passes a thread of this kind, at most
     */
    public record Role(String name, String prefix, int passes) {}

    /**
     * Judges the time between two samples.
     *
     * @param path what each request passes; every role has to have run
     * @param allowedMs how much of a request's latency the machine may explain, milliseconds
     */
    public static Fitness between(
            KernelSample from, KernelSample to, List<Role> path, double allowedMs) {
        if (from.processors().isEmpty() || to.processors().isEmpty()) {
            return new Fitness(Ability.UNKNOWN, "cannot judge: no processor times in /proc/stat");
        }
        Processors all = to.processors().get().minus(from.processors().get());
        double steal = all.share(all.steal());
        List<String> figures = new ArrayList<>();
        double explained = steal * PERIOD_MS;
        figures.add(text("%.1f ms by the hypervisor (steal %.1f %%)", explained, steal * 100));
        Map<String, Map<String, Waits>> waits = waits(from, to);
        if (!waits.isEmpty()) {
            for (Role role : path) {
                if (!waits.containsKey(role.name())) {
                    return new Fitness(
                            Ability.UNKNOWN,
                            "cannot judge: by schedstat no thread of the "
                                    + role.name()
                                    + " ran ("
                                    + role.prefix()
                                    + "...)");
                }
                Map.Entry<String, Waits> worst =
                        waits.get(role.name()).entrySet().stream()
                                .max(Map.Entry.comparingByValue())
                                .orElseThrow();
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
        } else if (from.pressureMicros().isPresent() && to.pressureMicros().isPresent()) {
            int passes = path.stream().mapToInt(Role::passes).sum();
            double queue = pressure(from, to) * passes * SLICE_MS;
            explained += queue;
            figures.add(
                    text(
                            "%.1f ms in %d waits of a time slice, at the probability of CPU"
                                    + " pressure",
                            queue, passes));
        } else {
            return new Fitness(
                    Ability.UNKNOWN,
                    "cannot judge: neither /proc/pressure/cpu nor schedstat of the threads");
        }
        boolean fit = explained <= allowedMs;
        return new Fitness(
                fit ? Ability.FIT : Ability.UNFIT,
                text(
                        "the machine explains %.1f ms of a request's latency, allowed are %.1f: %s;"
                                + " processors %.0f %% idle, %s",
                        explained,
                        allowedMs,
                        String.join(", ", figures),
                        all.share(all.idle()) * 100,
                        from.pressureMicros().isPresent() && to.pressureMicros().isPresent()
                                ? text("CPU pressure %.0f %%", pressure(from, to) * 100)
                                : "CPU pressure unknown"));
    }

    private static double pressure(KernelSample from, KernelSample to) {
        return (to.pressureMicros().getAsLong() - from.pressureMicros().getAsLong())
                * 1e3
                / (to.atNanos() - from.atNanos());
    }

    /** By role, by process; those that never ran are left out. */
    private static Map<String, Map<String, Waits>> waits(KernelSample from, KernelSample to) {
        Map<String, Map<String, Waits>> waits = new HashMap<>();
        for (Map.Entry<ThreadId, Waits> thread : to.threads().entrySet()) {
            ThreadId id = thread.getKey();
            Waits before = from.threads().getOrDefault(id, Waits.NONE);
            Waits since = thread.getValue().minus(before);
            if (since.runs() > 0) {
                waits.computeIfAbsent(id.role(), role -> new HashMap<>())
                        .merge(id.process(), since, Waits::plus);
            }
        }
        return waits;
    }

    private static String text(String format, Object... arguments) {
        return String.format(Locale.ROOT, format, arguments);
    }
}
