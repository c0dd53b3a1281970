/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.fault.host;

import io.phasewise.experiments.declared.Allowed;
import io.phasewise.experiments.fault.ActiveFault;
import io.phasewise.experiments.fault.Fault;
import io.phasewise.experiments.fault.FaultTarget;
import io.phasewise.lab.fault.AdjustableClock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * The clock of one broker steps ahead, and back again when it is mended.
 *
 * @param ahead by how much
 */
public record SteppedClock(Duration ahead) implements Fault {
    public SteppedClock {
        Allowed.upTo("ahead", ahead, Duration.ofHours(24));
    }

    @Override
    public Set<Need> needs() {
        return Set.of(Need.CLOCK);
    }

    @Override
    public Optional<String> obstacle(Path data) {
        return AdjustableClock.library().isPresent()
                ? Optional.empty()
                : Optional.of("libfaketime is not installed (Debian: faketime)");
    }

    @Override
    public ActiveFault begin(FaultTarget target) {
        AdjustableClock clock = target.clock().orElseThrow();
        clock.set(ahead);
        return () -> clock.set(Duration.ZERO);
    }
}
