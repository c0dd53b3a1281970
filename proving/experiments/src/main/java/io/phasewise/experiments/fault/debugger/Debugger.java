/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.fault.debugger;

import com.sun.jdi.Bootstrap;
import com.sun.jdi.Location;
import com.sun.jdi.VMDisconnectedException;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.AttachingConnector;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.connect.IllegalConnectorArgumentsException;
import com.sun.jdi.event.BreakpointEvent;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.request.BreakpointRequest;
import com.sun.jdi.request.EventRequest;
import io.phasewise.experiments.fault.FaultException;
import io.phasewise.lab.process.CommandOutput;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A debugger of a JVM that was started with the option {@link #listening}. When its connection
 * ends, all threads of that JVM go on, so also when the lab is killed.
 */
public final class Debugger implements AutoCloseable {
    private static final Pattern ADDRESS = Pattern.compile("Address : (?:\\S*:)?(\\d+)");
    private static final Duration BOUND = Duration.ofSeconds(30);

    private final VirtualMachine machine;

    private Debugger(VirtualMachine machine) {
        this.machine = machine;
    }

    /**
     * The option of a JVM to which a debugger can be attached. It has no effect until {@link
     * #attach}.
     *
     * @param port to listen on from then on; must be free
     */
    public static String listening(int port) {
        return "-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,onjcmd=y,address=127.0.0.1:" + port;
    }

    /**
     * Attaches to a process.
     *
     * @throws IOException when the process was started without the option
     */
    static Debugger attach(long pid) throws IOException, InterruptedException {
        AttachingConnector sockets = Bootstrap.virtualMachineManager().attachingConnectors().stream()
                .filter(each -> each.transport().name().equals("dt_socket"))
                .findFirst()
                .orElseThrow(() -> new IOException("this JDK has no debugger"));
        Map<String, Connector.Argument> where = sockets.defaultArguments();
        where.get("hostname").setValue("127.0.0.1");
        where.get("port").setValue(Integer.toString(port(pid)));
        try {
            return new Debugger(sockets.attach(where));
        } catch (IllegalConnectorArgumentsException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static int port(long pid) throws IOException, InterruptedException {
        String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        List<String> command = List.of(jcmd, Long.toString(pid), "VM.start_java_debugging");
        String said = CommandOutput.of(command, null, BOUND).text();
        Matcher address = ADDRESS.matcher(said);
        if (!address.find()) {
            throw new IOException("process " + pid + " has no debugger: " + said);
        }
        return Integer.parseInt(address.group(1));
    }

    /** The JVM that is debugged. */
    VirtualMachine machine() {
        return machine;
    }

    /**
     * A breakpoint that, once enabled, halts each thread that enters a method.
     *
     * @param method name of a method that has no overloads
     */
    BreakpointRequest breakpoint(String type, String method) {
        Location beginning = machine.classesByName(type).get(0).methodsByName(method).stream()
                .filter(each -> !each.isAbstract())
                .findFirst()
                .orElseThrow(() -> new FaultException(type + " has no method " + method))
                .location();
        BreakpointRequest request = machine.eventRequestManager().createBreakpointRequest(beginning);
        request.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
        return request;
    }

    /** Waits until a thread is halted. The thread goes on when the returned events are resumed. */
    EventSet awaitBreakpoint() throws InterruptedException {
        while (true) {
            EventSet events = machine.eventQueue().remove();
            if (events.stream().anyMatch(BreakpointEvent.class::isInstance)) {
                return events;
            }
            events.resume();
        }
    }

    /** Lets every thread go on and removes all breakpoints. */
    @Override
    public void close() {
        try {
            machine.dispose();
        } catch (VMDisconnectedException gone) {
            // The process has ended: nothing is halted.
            return;
        }
    }
}
