/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.host;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Where a process runs.
 *
 * @param address at which others reach it
 * @param enter what stands before a command, so that it runs there; the process keeps its pid
 */
public record Host(String address, List<String> enter) {
    /** This machine, reached by its loopback. */
    public static final Host THIS = new Host("127.0.0.1", List.of());

    /** Copies its list. */
    public Host {
        enter = List.copyOf(enter);
    }

    /**
     * The same with other clocks.
     *
     * @param up how much longer it seems to have run, by its monotonic clock, which is what {@code
     *     System.nanoTime} reads; whole seconds
     * @param environment of each process, for instance that of a false wall clock
     */
    public Host withClocks(Duration up, Map<String, String> environment) {
        String seconds = Long.toString(up.toSeconds());
        List<String> all = new ArrayList<>(enter);
        all.addAll(List.of("unshare", "--time", "--monotonic", seconds, "--boottime", seconds, "--", "env"));
        environment.forEach((name, value) -> all.add(name + "=" + value));
        return new Host(address, all);
    }

    /** The command as it runs there. */
    public List<String> command(List<String> command) {
        List<String> all = new ArrayList<>(enter);
        all.addAll(command);
        return all;
    }
}
