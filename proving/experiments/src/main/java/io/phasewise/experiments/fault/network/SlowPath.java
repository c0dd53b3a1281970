/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.fault.network;

import io.phasewise.experiments.declared.Allowed;
import io.phasewise.experiments.fault.ActiveFault;
import io.phasewise.experiments.fault.Fault;
import io.phasewise.experiments.fault.FaultTarget;
import io.phasewise.lab.fault.FaultyLink;
import io.phasewise.lab.fault.LinkDirection;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A path to or from brokers with more delay or less bandwidth. The brokers must be behind links.
 *
 * @param brokers their ids
 * @param path who uses it: clients, or other brokers
 * @param direction as seen from the broker
 * @param delay of all data on it; absent: none
 * @param bytesPerSecond the bandwidth; absent: no limit
 */
public record SlowPath(
        List<Integer> brokers, Path path, Direction direction, Optional<Duration> delay, Optional<Long> bytesPerSecond)
        implements Fault {
    /** Who uses a path. */
    public enum Path {
        CLIENTS,
        BROKERS
    }

    /** Which way data goes. */
    public enum Direction {
        TO_BROKER,
        FROM_BROKER
    }

    public SlowPath {
        Allowed.ids("brokers", brokers);
        Allowed.require(path != null, "path", path, "clients, brokers");
        Allowed.require(direction != null, "direction", direction, "to-broker, from-broker");
        delay.ifPresent(time -> Allowed.upTo("delay", time, Duration.ofMinutes(1)));
        bytesPerSecond.ifPresent(rate -> Allowed.range("bytes-per-second", rate, 1, 1e12));
        Allowed.require(
                delay.isPresent() != bytesPerSecond.isPresent(), "delay", delay, "either delay or bytes-per-second");
    }

    @Override
    public ActiveFault begin(FaultTarget target) {
        List<LinkDirection> slowed =
                brokers.stream().map(id -> linkDirection(target, id)).toList();
        slowed.forEach(each -> {
            delay.ifPresent(each::delay);
            bytesPerSecond.ifPresent(each::narrow);
        });
        double added = delay.map(time -> time.toNanos() / 1e6).orElse(Double.NaN);
        ActiveFault slow = () -> {
            slowed.forEach(each -> each.delay(Duration.ZERO));
            slowed.forEach(each -> each.narrow(LinkDirection.UNBOUNDED));
        };
        return slow.adding(due -> added);
    }

    private LinkDirection linkDirection(FaultTarget target, int broker) {
        FaultyLink link = path == Path.CLIENTS
                ? target.cluster().clientLink(broker)
                : target.cluster().replicationLink(broker);
        return direction == Direction.TO_BROKER ? link.toServer() : link.toClient();
    }
}
