/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.fault;

import com.sun.jdi.VMDisconnectedException;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.event.BreakpointEvent;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.request.BreakpointRequest;
import com.sun.jdi.request.EventRequest;
import io.phasewise.experiments.measure.CanaryProcess;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A consumer that is slow by itself: a debugger halts the canary's consumer, and nothing else of
 * it, between two polls for a while, again and again, as an application that works on what it read.
 * The canary must have been started {@link Debugger#listening}.
 *
 * <p>Where the debugger's connection ends, the JVM lets the thread go on: so also when the lab is
 * killed.
 *
 * @param standstill how long it is away each time
 * @param period from one to the next, longer than the standstill
 */
public record AwayFromPoll(Duration standstill, Duration period) implements Fault {
    private static final String CONSUMER = "io.phasewise.canary.receive.ProbeConsumer";
    private static final long BOUND_SECONDS = 30;
    private static final long LOOK_MS = 100;

    public AwayFromPoll {
        new StallingProcess(standstill, period);
    }

    /** What it adds to a probe's wait in the mean, milliseconds; as with a stalling broker. */
    public double meanWaitMillis() {
        return new StallingBroker(0, standstill, period).meanWaitMillis();
    }

    @Override
    public Broken begin(FaultTarget target) throws IOException, InterruptedException {
        List<Broken> all = new ArrayList<>();
        try {
            for (CanaryProcess canary : target.canaries()) {
                all.add(begin(canary));
            }
        } finally {
            if (all.size() < target.canaries().size()) {
                new Several(all).close();
            }
        }
        Broken first = all.get(0);
        Broken every = new Several(all);
        return new Broken() {
            @Override
            public void close() throws InterruptedException {
                every.close();
            }

            @Override
            public double addedMillis(Instant due) {
                return first.addedMillis(due);
            }
        };
    }

    private Broken begin(CanaryProcess canary) throws IOException, InterruptedException {
        Debugger debugger = Debugger.attach(canary.process().pid());
        boolean begun = false;
        try {
            VirtualMachine machine = debugger.machine();
            BreakpointRequest poll =
                    machine.eventRequestManager()
                            .createBreakpointRequest(debugger.method(CONSUMER, "poll"));
            poll.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
            CountDownLatch over = new CountDownLatch(1);
            AtomicReference<RuntimeException> failure = new AtomicReference<>();
            StallLog log = new StallLog();
            Thread halter =
                    new Thread(
                            () -> {
                                try {
                                    halt(machine, poll, over, log);
                                } catch (RuntimeException broken) {
                                    failure.set(broken);
                                }
                            },
                            "halter");
            halter.start();
            begun = true;
            return log.of(
                    () -> {
                        RuntimeException early = failure.getAndSet(null);
                        over.countDown();
                        try {
                            halter.join(TimeUnit.SECONDS.toMillis(BOUND_SECONDS));
                        } finally {
                            debugger.close();
                        }
                        if (early != null) {
                            throw FaultException.endedEarly(early);
                        }
                    });
        } finally {
            if (!begun) {
                debugger.close();
            }
        }
    }

    /**
     * Until it is over; not interrupted: a debugger's commands forget that they were.
     *
     * @throws VMDisconnectedException when the canary ends before
     */
    private void halt(
            VirtualMachine machine, BreakpointRequest poll, CountDownLatch over, StallLog log) {
        try {
            long next = System.nanoTime();
            while (!over.await(next - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                next += period.toNanos();
                poll.enable();
                Optional<EventSet> reached = awaitPoll(machine, over);
                poll.disable();
                Instant begun = Instant.now();
                try {
                    over.await(standstill.toMillis(), TimeUnit.MILLISECONDS);
                } finally {
                    reached.ifPresent(EventSet::resume);
                    log.add(begun, Instant.now());
                }
            }
        } catch (InterruptedException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Empty when it is over. */
    private static Optional<EventSet> awaitPoll(VirtualMachine machine, CountDownLatch over)
            throws InterruptedException {
        while (over.getCount() > 0) {
            EventSet events = machine.eventQueue().remove(LOOK_MS);
            if (events == null) {
                continue;
            }
            if (events.stream().anyMatch(BreakpointEvent.class::isInstance)) {
                return Optional.of(events);
            }
            events.resume();
        }
        return Optional.empty();
    }
}
