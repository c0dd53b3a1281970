/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.fault.network;

import io.phasewise.experiments.declared.Allowed;
import io.phasewise.experiments.fault.ActiveFault;
import io.phasewise.experiments.fault.Fault;
import io.phasewise.experiments.fault.FaultTarget;
import io.phasewise.experiments.fault.RepeatedAction;
import io.phasewise.experiments.fault.pause.StallLog;
import io.phasewise.lab.fault.LinkDirection;
import io.phasewise.lab.net.ProcessPorts;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;

/**
 * What a leader sends to one follower is stuck for a while, again and again; what it sends to others is not. Both
 * processes run, and nothing is lost. The brokers must be behind links.
 *
 * @param leader id of the broker whose answers are stuck
 * @param follower id of the broker that they are for
 * @param standstill how long each time
 * @param period from the beginning of one time to the next, longer than the standstill
 */
public record StuckAnswers(int leader, int follower, Duration standstill, Duration period) implements Fault {
    public StuckAnswers {
        Allowed.require(leader != follower, "follower", follower, "another broker than the leader");
        Allowed.upTo("period", period, Duration.ofMinutes(1));
        Allowed.upTo("standstill", standstill, period.minusMillis(1));
    }

    @Override
    public ActiveFault begin(FaultTarget target) {
        LinkDirection answers = target.cluster().replicationLink(leader).toClient();
        long client = target.cluster().broker(follower).pid();
        StallLog log = new StallLog();
        return RepeatedAction.every(period, () -> hold(answers, client, log), answers::resume)
                .adding(log::leftMillis);
    }

    private void hold(LinkDirection answers, long client, StallLog log) throws IOException, InterruptedException {
        Set<Integer> ports = ProcessPorts.of(client);
        Instant begun = Instant.now();
        answers.pause(ports::contains);
        try {
            Thread.sleep(standstill.toMillis());
        } finally {
            answers.resume();
            log.add(begun, Instant.now());
        }
    }
}
