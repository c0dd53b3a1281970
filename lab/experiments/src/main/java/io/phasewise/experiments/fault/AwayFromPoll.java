/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.fault;

import com.sun.jdi.Bootstrap;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.VMDisconnectedException;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.AttachingConnector;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.connect.IllegalConnectorArgumentsException;
import com.sun.jdi.event.BreakpointEvent;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.request.BreakpointRequest;
import com.sun.jdi.request.EventRequest;
import io.phasewise.experiments.measure.CanaryProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A consumer that is slow by itself: a debugger halts the canary's consumer, and nothing else of
 * it, between two polls for a while, again and again, as an application that works on what it read.
 * The canary must have been started {@link #listening}.
 *
 * <p>Where the debugger's connection ends, the JVM lets the thread go on: so also when the lab is
 * killed.
 *
 * @param standstill how long it is away each time
 * @param period from one to the next, longer than the standstill
 */
public record AwayFromPoll(Duration standstill, Duration period) {
    private static final String CONSUMER = "io.phasewise.canary.receive.ProbeConsumer";
    private static final Pattern ADDRESS = Pattern.compile("Address : (?:\\S*:)?(\\d+)");
    private static final long BOUND_SECONDS = 30;
    private static final long LOOK_MS = 100;

    /**
     * The option of a JVM that a debugger can halt. It does nothing until that is asked for.
     *
     * @param port to listen on then; free until then
     */
    public static String listening(int port) {
        return "-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,onjcmd=y,address=127.0.0.1:"
                + port;
    }

    /** What it adds to a probe's wait in the mean, milliseconds; as with a stalling broker. */
    public double meanWaitMillis() {
        return new StallingBroker(0, standstill, period).meanWaitMillis();
    }

    /**
     * Begins.
     *
     * @throws IOException when the canary cannot be attached to
     * @throws InterruptedException when interrupted; nothing is halted then
     */
    public Fault.Broken begin(CanaryProcess canary) throws IOException, InterruptedException {
        VirtualMachine machine = attach(port(canary.process().pid()));
        boolean begun = false;
        try {
            ReferenceType consumer = machine.classesByName(CONSUMER).get(0);
            BreakpointRequest poll =
                    machine.eventRequestManager()
                            .createBreakpointRequest(
                                    consumer.methodsByName("poll").get(0).location());
            poll.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
            CountDownLatch over = new CountDownLatch(1);
            AtomicReference<RuntimeException> failure = new AtomicReference<>();
            Thread halter =
                    new Thread(
                            () -> {
                                try {
                                    halt(machine, poll, over);
                                } catch (RuntimeException broken) {
                                    failure.set(broken);
                                }
                            },
                            "halter");
            halter.start();
            begun = true;
            return () -> {
                RuntimeException early = failure.getAndSet(null);
                over.countDown();
                try {
                    halter.join(TimeUnit.SECONDS.toMillis(BOUND_SECONDS));
                } finally {
                    dispose(machine);
                }
                if (early != null) {
                    throw FaultException.endedEarly(early);
                }
            };
        } finally {
            if (!begun) {
                dispose(machine);
            }
        }
    }

    /**
     * Until it is over; not interrupted: a debugger's commands forget that they were.
     *
     * @throws VMDisconnectedException when the canary ends before
     */
    private void halt(VirtualMachine machine, BreakpointRequest poll, CountDownLatch over) {
        try {
            long next = System.nanoTime();
            while (!over.await(next - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                next += period.toNanos();
                poll.enable();
                Optional<EventSet> reached = awaitPoll(machine, over);
                poll.disable();
                try {
                    over.await(standstill.toMillis(), TimeUnit.MILLISECONDS);
                } finally {
                    reached.ifPresent(EventSet::resume);
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

    /** Lets every thread go on and forgets what was asked for. */
    private static void dispose(VirtualMachine machine) {
        try {
            machine.dispose();
        } catch (VMDisconnectedException gone) {
            // The canary has ended, or was closed: nothing is halted.
            return;
        }
    }

    private static int port(long pid) throws IOException, InterruptedException {
        Process jcmd =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                                Long.toString(pid),
                                "VM.start_java_debugging")
                        .redirectErrorStream(true)
                        .start();
        try {
            String said = new String(jcmd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            jcmd.waitFor(BOUND_SECONDS, TimeUnit.SECONDS);
            Matcher address = ADDRESS.matcher(said);
            if (!address.find()) {
                throw new IOException("the canary listens to no debugger: " + said.strip());
            }
            return Integer.parseInt(address.group(1));
        } finally {
            jcmd.destroyForcibly();
        }
    }

    private static VirtualMachine attach(int port) throws IOException {
        AttachingConnector sockets =
                Bootstrap.virtualMachineManager().attachingConnectors().stream()
                        .filter(each -> each.transport().name().equals("dt_socket"))
                        .findFirst()
                        .orElseThrow(() -> new IOException("this JDK has no debugger"));
        Map<String, Connector.Argument> where = sockets.defaultArguments();
        where.get("hostname").setValue("127.0.0.1");
        where.get("port").setValue(Integer.toString(port));
        try {
            return sockets.attach(where);
        } catch (IllegalConnectorArgumentsException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
