/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.fault.debugger;

import com.sun.jdi.ThreadReference;
import com.sun.jdi.request.BreakpointRequest;
import io.phasewise.experiments.fault.ActiveFault;
import io.phasewise.experiments.fault.Fault;
import io.phasewise.experiments.fault.FaultTarget;
import java.io.IOException;
import java.util.List;

/**
 * A broker whose log is stuck while its heartbeats go on, as with a volume that hangs. A debugger
 * halts every request handler and every replica fetcher that appends to a log segment, while the
 * thread holds the log's lock. The broker must have been started with {@link Debugger#listening}.
 *
 * @param broker its id
 */
public record HungLogDirectory(int broker) implements Fault {
    private static final String LOG = "org.apache.kafka.storage.internals.log.LogSegment";

    /** Not the threads of the quorum's own log, in a broker that is a controller too. */
    private static final List<String> THREADS = List.of("data-plane-kafka-request-handler-", "ReplicaFetcherThread-");

    @Override
    public ActiveFault begin(FaultTarget target) throws IOException, InterruptedException {
        Debugger debugger = Debugger.attach(target.cluster().broker(broker).pid());
        return ActiveFault.after(() -> haltWriters(debugger), debugger::close);
    }

    private void haltWriters(Debugger debugger) throws IOException {
        List<ThreadReference> writers = debugger.machine().allThreads().stream()
                .filter(thread -> THREADS.stream().anyMatch(thread.name()::startsWith))
                .toList();
        if (writers.isEmpty()) {
            throw new IOException("broker " + broker + " has no thread that appends");
        }
        for (ThreadReference writer : writers) {
            // Leaders and followers append by the same method.
            BreakpointRequest stuck = debugger.breakpoint(LOG, "append");
            stuck.addThreadFilter(writer);
            stuck.enable();
        }
    }
}
