/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.fault.network;

import io.phasewise.experiments.declared.Allowed;
import io.phasewise.experiments.fault.ActiveFault;
import io.phasewise.experiments.fault.Fault;
import io.phasewise.experiments.fault.FaultTarget;
import io.phasewise.lab.fault.PacketLoss;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Packets to a broker are lost, so that TCP sends them again.
 *
 * @param broker its id
 * @param share of the packets that are lost, 0.01 to 0.9
 */
public record LostPackets(int broker, double share) implements Fault {
    public LostPackets {
        Allowed.range("share", share, 0.01, 0.9);
    }

    @Override
    public Optional<String> obstacle(Path data) throws InterruptedException {
        return PacketLoss.obstacle();
    }

    @Override
    public ActiveFault begin(FaultTarget target) throws IOException, InterruptedException {
        PacketLoss loss = PacketLoss.begin(target.cluster().broker(broker).ownPort(), share);
        return loss::close;
    }
}
