/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.fault.host;

import io.phasewise.experiments.declared.Allowed;
import io.phasewise.experiments.fault.ActiveFault;
import io.phasewise.experiments.fault.Fault;
import io.phasewise.experiments.fault.FaultTarget;
import io.phasewise.lab.fault.SlowDisk;
import io.phasewise.lab.kafka.KafkaBroker;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A broker whose writes to its disk are limited to a rate. Probes feel it only where brokers force
 * records to disk.
 *
 * @param broker its id
 * @param writesPerSecond from 1
 */
public record SlowBrokerDisk(int broker, int writesPerSecond) implements Fault {
    public SlowBrokerDisk {
        Allowed.range("writes-per-second", writesPerSecond, 1, 1_000_000);
    }

    @Override
    public Optional<String> obstacle(Path data) {
        return SlowDisk.obstacle(data);
    }

    @Override
    public ActiveFault begin(FaultTarget target) throws IOException {
        KafkaBroker slow = target.cluster().broker(broker);
        SlowDisk disk = SlowDisk.begin(slow.pid(), slow.dataDirectory(), writesPerSecond);
        return disk::close;
    }
}
