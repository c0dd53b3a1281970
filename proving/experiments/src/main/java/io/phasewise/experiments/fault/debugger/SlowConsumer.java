/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.fault.debugger;

import com.sun.jdi.event.EventSet;
import com.sun.jdi.request.BreakpointRequest;
import io.phasewise.experiments.fault.ActiveFault;
import io.phasewise.experiments.fault.ActiveFaults;
import io.phasewise.experiments.fault.Fault;
import io.phasewise.experiments.fault.FaultTarget;
import io.phasewise.experiments.fault.RepeatedAction;
import io.phasewise.experiments.fault.pause.StallLog;
import io.phasewise.experiments.fault.pause.StallingProcess;
import io.phasewise.experiments.measure.CanaryProcess;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;

/**
 * A slow consumer. A debugger halts the canary's consumer thread, and no other, between two polls
 * for a while, again and again. It then behaves like an application that is busy with what it read.
 * The canary must have been started with {@link Debugger#listening}.
 *
 * <p>When the debugger's connection ends, the thread goes on, so also when the lab is killed.
 *
 * @param standstill how long the thread is halted each time
 * @param period from the beginning of one halt to the next, longer than the standstill
 */
public record SlowConsumer(Duration standstill, Duration period) implements Fault {
    private static final String CONSUMER = "io.phasewise.canary.receive.ProbeConsumer";

    public SlowConsumer {
        new StallingProcess(standstill, period);
    }

    @Override
    public ActiveFault begin(FaultTarget target) throws IOException, InterruptedException {
        ActiveFaults all = ActiveFaults.begin(target.canaries(), this::begin);
        // Each canary's probes wait for its own consumer. Only those of the first canary are
        // judged.
        return all.adding(all.all().get(0)::addedMillis);
    }

    private ActiveFault begin(CanaryProcess canary) throws IOException, InterruptedException {
        Debugger debugger = Debugger.attach(canary.process().pid());
        StallLog log = new StallLog();
        return RepeatedAction.every(period, () -> halt(debugger, log), debugger::close)
                .adding(log::leftMillis);
    }

    /** Halts it at its next poll. Calls of a debugger may clear the thread's interrupt. */
    private void halt(Debugger debugger, StallLog log) throws InterruptedException {
        BreakpointRequest poll = debugger.breakpoint(CONSUMER, "poll");
        poll.enable();
        EventSet reached = debugger.awaitBreakpoint();
        poll.disable();
        Instant begun = Instant.now();
        try {
            Thread.sleep(standstill.toMillis());
        } finally {
            reached.resume();
            log.add(begun, Instant.now());
        }
    }
}
