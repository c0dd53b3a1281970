/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.fault;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import io.phasewise.lab.kafka.KafkaCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.time.Duration;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/**
 * A broker whose JVM collects all of its heap, again and again: its threads are stopped for every
 * collection, by its own doing and told by its own metrics.
 *
 * @param broker its id
 */
public record CollectingBroker(int broker) implements Fault {
    private static final Duration END_BOUND = Duration.ofSeconds(30);

    /** Between two collections, so that something else is done too. */
    private static final Duration PAUSE = Duration.ofMillis(30);

    @Override
    public Broken begin(FaultTarget target) {
        KafkaCluster cluster = target.cluster();
        try {
            JMXConnector connector = connect(cluster.broker(broker).pid());
            boolean begun = false;
            try {
                MemoryMXBean memory =
                        ManagementFactory.newPlatformMXBeanProxy(
                                connector.getMBeanServerConnection(),
                                ManagementFactory.MEMORY_MXBEAN_NAME,
                                MemoryMXBean.class);
                begun = true;
                return Recurring.pausing(PAUSE, memory::gc, END_BOUND, () -> close(connector));
            } finally {
                if (!begun) {
                    close(connector);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot ask broker " + broker + " to collect", e);
        }
    }

    private static JMXConnector connect(long pid) throws IOException {
        try {
            VirtualMachine machine = VirtualMachine.attach(Long.toString(pid));
            try {
                return JMXConnectorFactory.connect(
                        new JMXServiceURL(machine.startLocalManagementAgent()));
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
