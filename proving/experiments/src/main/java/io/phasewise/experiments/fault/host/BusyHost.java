/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.fault.host;

import io.phasewise.experiments.declared.Allowed;
import io.phasewise.experiments.fault.ActiveFault;
import io.phasewise.experiments.fault.Fault;
import io.phasewise.experiments.fault.FaultTarget;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Other work on the machine that all brokers and the canary share: it keeps processors busy, at the same priority.
 *
 * @param threads that compute without a pause
 */
public record BusyHost(int threads) implements Fault {
    public BusyHost {
        Allowed.range("threads", threads, 1, 64);
    }

    @Override
    public ActiveFault begin(FaultTarget target) {
        AtomicBoolean ended = new AtomicBoolean();
        for (int i = 0; i < threads; i++) {
            Thread work = new Thread(
                    () -> {
                        while (!ended.get()) {
                            Thread.onSpinWait();
                        }
                    },
                    "busy-host-" + i);
            work.setDaemon(true);
            work.start();
        }
        return () -> ended.set(true);
    }
}
