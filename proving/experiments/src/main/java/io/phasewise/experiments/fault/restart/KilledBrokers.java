/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.fault.restart;

import io.phasewise.experiments.declared.Allowed;
import io.phasewise.experiments.fault.ActiveFault;
import io.phasewise.experiments.fault.ActiveFaults;
import io.phasewise.experiments.fault.Fault;
import io.phasewise.experiments.fault.FaultTarget;
import io.phasewise.lab.kafka.KafkaBroker;
import java.io.IOException;
import java.util.List;

/**
 * Brokers are killed (SIGKILL), or paused (SIGSTOP), and brought back later.
 *
 * @param brokers their ids
 * @param paused true: they are only paused, so that connections stay open and nothing answers
 */
public record KilledBrokers(List<Integer> brokers, boolean paused) implements Fault {
    public KilledBrokers {
        Allowed.ids("brokers", brokers);
    }

    @Override
    public ActiveFault begin(FaultTarget target) throws IOException, InterruptedException {
        List<KafkaBroker> victims =
                brokers.stream().map(target.cluster()::broker).toList();
        if (paused) {
            return ActiveFaults.begin(victims, victim -> ActiveFault.after(victim::pause, victim::resume));
        }
        return ActiveFault.after(
                () -> {
                    for (KafkaBroker victim : victims) {
                        victim.kill();
                    }
                },
                () -> {
                    // All at once: there is no quorum before most of them run.
                    target.cluster().launch();
                    target.cluster().awaitReady();
                });
    }
}
