/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import io.phasewise.canary.it.Fitness.Role;
import io.phasewise.canary.it.KernelReader.Subject;
import io.phasewise.lab.kafka.KafkaBroker;
import io.phasewise.lab.kafka.KafkaCluster;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Asks the kernel whether the machine let the probes of an embedded canary pass in time; which
 * threads a probe passes is known here, how that is judged to {@link Fitness}. Nothing of the
 * canary's own is asked.
 */
final class Referee {
    private static final Role REQUESTS = new Role("brokers' requests", "data-pl", 6);
    private static final Role FOLLOWERS = new Role("followers", "Replica", 2);

    private final List<Role> path = new ArrayList<>();
    private final KernelReader kernel;
    private final double allowedMs;

    /**
     * @param links whether the brokers are reached through links, which are threads here
     * @param injectedMs the least that is injected into a phase; the machine must not be able to
     *     explain as much of a probe's latency as that phase may be off by
     */
    Referee(KafkaCluster cluster, boolean links, double injectedMs) {
        allowedMs = Growth.TOLERANCE * injectedMs;
        path.add(new Role("scheduler", "schedul", 1));
        path.add(new Role("producer", "kafka-p", 2));
        path.add(new Role("consumer", "consume", 1));
        if (links) {
            // Each way reads in one thread and writes in another: to the leader, to its follower
            // and back, to the consumer.
            path.add(new Role("links", "link-", 8));
        }
        List<Subject> subjects = new ArrayList<>();
        subjects.add(new Subject("canary", ProcessHandle.current().pid(), List.copyOf(path)));
        for (KafkaBroker broker : cluster.brokers()) {
            subjects.add(
                    new Subject(
                            "broker " + broker.id(), broker.pid(), List.of(REQUESTS, FOLLOWERS)));
        }
        path.addAll(List.of(REQUESTS, FOLLOWERS));
        kernel = new KernelReader(Path.of("/proc"), subjects);
    }

    /** From now on; asked, whether the machine was fit until then. */
    Supplier<Fitness> watch() {
        KernelSample begin = kernel.read();
        return () -> Fitness.between(begin, kernel.read(), path, allowedMs);
    }
}
