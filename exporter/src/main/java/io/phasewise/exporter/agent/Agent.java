/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.agent;

import io.phasewise.exporter.instrument.AgentLog;
import java.lang.instrument.Instrumentation;
import java.time.Clock;

/**
 * The JVM calls this class before the broker's main. It starts the exporter on a thread of its own,
 * so that nothing here delays the broker or throws into it.
 */
public final class Agent {

    private Agent() {}

    /**
     * Called by the JVM.
     *
     * @param arguments see {@link AgentArguments}
     * @param instrumentation of this JVM
     */
    public static void premain(String arguments, Instrumentation instrumentation) {
        AgentLog log = new AgentLog(System.err, Clock.systemUTC());
        try {
            Thread starter = new Thread(() -> new Exporter(log).run(arguments, instrumentation), "phasewise-exporter");
            starter.setDaemon(true);
            starter.start();
        } catch (Throwable e) {
            // Even where there is no memory for a thread, the broker must go on.
            log.error("not started: " + AgentLog.words(e));
        }
    }
}
