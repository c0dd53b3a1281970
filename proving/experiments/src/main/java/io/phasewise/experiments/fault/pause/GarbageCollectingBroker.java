/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.fault.pause;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import io.phasewise.experiments.fault.ActiveFault;
import io.phasewise.experiments.fault.Fault;
import io.phasewise.experiments.fault.FaultTarget;
import io.phasewise.experiments.fault.RepeatedAction;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.time.Duration;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/**
 * A broker whose JVM runs a full garbage collection again and again. Its threads are stopped during
 * each one, and the broker's own metrics show it.
 *
 * @param broker its id
 */
public record GarbageCollectingBroker(int broker) implements Fault {
    /** Between two collections, so that the broker gets some work done. */
    private static final Duration PAUSE = Duration.ofMillis(30);

    @Override
    public ActiveFault begin(FaultTarget target) throws IOException {
        JMXConnector connector = connect(target.cluster().broker(broker).pid());
        MemoryMXBean memory =
                ManagementFactory.getPlatformMXBean(connector.getMBeanServerConnection(), MemoryMXBean.class);
        return RepeatedAction.pausing(PAUSE, memory::gc, RepeatedAction.END_BOUND, () -> close(connector));
    }

    private static JMXConnector connect(long pid) throws IOException {
        try {
            VirtualMachine machine = VirtualMachine.attach(Long.toString(pid));
            try {
                return JMXConnectorFactory.connect(new JMXServiceURL(machine.startLocalManagementAgent()));
            } finally {
                machine.detach();
            }
        } catch (AttachNotSupportedException refused) {
            throw new IOException(refused);
        }
    }

    private static void close(JMXConnector connector) {
        try {
            connector.close();
        } catch (IOException gone) {
            // The broker has ended; there is nothing left to ask it.
            return;
        }
    }
}
