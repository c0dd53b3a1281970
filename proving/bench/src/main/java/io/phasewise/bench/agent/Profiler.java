/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.agent;

import com.sun.tools.attach.AgentInitializationException;
import com.sun.tools.attach.AgentLoadException;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Samples the processor time of running JVMs with async-profiler, every {@value #PERIOD_MICROS} us
 * of a thread's time. It uses the kernel's clock, so that code without a safepoint is sampled too.
 */
final class Profiler {
    /**
     * Options of a JVM that is to be sampled, so that samples are attributed to the right method.
     */
    static final List<String> JVM_OPTIONS = List.of("-XX:+UnlockDiagnosticVMOptions", "-XX:+DebugNonSafepoints");

    /** Processor time of a thread between two samples. */
    static final double PERIOD_MICROS = 500;

    private final Path library;

    /**
     * @param directory for the profiler's library
     * @throws IOException when it cannot be written
     */
    Profiler(Path directory) throws IOException {
        boolean arm = System.getProperty("os.arch").equals("aarch64");
        String name = (arm ? "linux-arm64" : "linux-x64") + "/libasyncProfiler.so";
        library = directory.resolve("libasyncProfiler.so");
        try (InputStream bytes = Profiler.class.getClassLoader().getResourceAsStream(name)) {
            if (bytes == null) {
                throw new IOException("the profiler has no library " + name);
            }
            Files.copy(bytes, library);
        }
    }

    void start(long pid) throws IOException {
        tell(pid, "start,event=cpu-clock,threads,interval=%.0fus".formatted(PERIOD_MICROS));
    }

    /** Ends sampling. */
    HookSamples stop(long pid) throws IOException {
        Path stacks = library.resolveSibling(pid + ".collapsed");
        tell(pid, "stop,threads,collapsed,file=" + stacks);
        try (Stream<String> lines = Files.lines(stacks)) {
            return HookSamples.of(lines);
        }
    }

    private void tell(long pid, String options) throws IOException {
        try {
            VirtualMachine broker = VirtualMachine.attach(Long.toString(pid));
            try {
                broker.loadAgentPath(library.toString(), options);
            } finally {
                broker.detach();
            }
        } catch (AttachNotSupportedException | AgentLoadException | AgentInitializationException e) {
            throw new IOException("cannot sample process " + pid + ": " + e.getMessage(), e);
        }
    }
}
