/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.acceptance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.phasewise.lab.net.PortLease;
import io.phasewise.lab.net.Ports;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Drives {@code ./phasewise} from outside, as a user does, on ports and in a directory of its own.
 * The ports stay its own until it is closed.
 *
 * @param stateDirectory where its stack keeps its state
 * @param portOffset by which the ports of the contract are moved
 * @param environment variables that differ from this process's own
 * @param environmentOfUp further ones of {@code up}
 */
record Launcher(
        Path stateDirectory,
        int portOffset,
        PortLease ports,
        Map<String, String> environment,
        Map<String, String> environmentOfUp)
        implements AutoCloseable {
    /** What {@code up} listens on at offset 0; the launcher's contract. */
    private static final int[] PORTS = {
        19092, 19093, 19094, 19095, 19096, 19097, 7071, 7072, 7073, 9470, 9090, 9093, 3000, 9095,
        9100
    };

    private static final ObjectMapper JSON = new ObjectMapper();

    /**
     * On the ports of the contract moved by a multiple of ten, at which all are free. The search
     * starts at a random place and stays below 900: above that lie the ports that other tests lease
     * and those that the system gives to clients.
     *
     * @param stateDirectory where this stack keeps its state
     * @param environment variables that differ from this process's own
     */
    static Launcher onFreePorts(Path stateDirectory, Map<String, String> environment) {
        List<Integer> offsets =
                new ArrayList<>(IntStream.range(10, 90).map(n -> n * 10).boxed().toList());
        Collections.shuffle(offsets);
        for (int offset : offsets) {
            Optional<PortLease> lease =
                    PortLease.of(IntStream.of(PORTS).map(p -> p + offset).boxed().toList());
            if (lease.isPresent()) {
                return new Launcher(stateDirectory, offset, lease.get(), environment, Map.of());
            }
        }
        throw new IllegalStateException("no port offset from 100 to 890 is free");
    }

    /** On the ports of another one, in a directory of its own. */
    Launcher onTheSamePorts(Path otherStateDirectory) {
        return new Launcher(otherStateDirectory, portOffset, ports, environment, environmentOfUp);
    }

    /**
     * For a stack of a few minutes: the JVMs that {@code up} starts compile quickly, not well, as
     * the other tests' brokers do. Java says on standard error that it was told so, which is why no
     * other command is.
     */
    Launcher shortLived() {
        return new Launcher(
                stateDirectory,
                portOffset,
                ports,
                environment,
                Map.of("JDK_JAVA_OPTIONS", "-XX:TieredStopAtLevel=1"));
    }

    /** Gives the ports back; what runs on them is left alone. */
    @Override
    public void close() {
        ports.close();
    }

    int port(int defaultPort) {
        return defaultPort + portOffset;
    }

    /** Runs a command to its end, at most {@code limit}. */
    Command.Result run(Duration limit, String... arguments) {
        return command(arguments).run(limit);
    }

    /** Starts the stack on its ports and leaves it running. */
    Command.Result up(Duration limit) {
        return run(limit, "up", "--detach", "--port-offset", String.valueOf(portOffset));
    }

    /** A command of the launcher for this stack. */
    Command command(String... arguments) {
        // A test run in the background of a script ignores SIGINT, and so would its children.
        Command command =
                Command.of("env", "--default-signal=INT", Repository.path("phasewise"))
                        .and((Object[]) arguments)
                        .with(environment)
                        .with("PHASEWISE_STATE_DIR", stateDirectory.toString())
                        // Maven has just built everything; a second build would race with it.
                        .with("PHASEWISE_NO_BUILD", "1");
        return arguments[0].equals("up") ? command.with(environmentOfUp) : command;
    }

    /** The parsed answer of {@code status --json}. */
    JsonNode status() {
        Command.Result result = run(Duration.ofSeconds(30), "status", "--json");
        try {
            return JSON.readTree(result.output());
        } catch (IOException e) {
            throw new AssertionError("status --json printed: " + result.output(), e);
        }
    }

    /** One entry of {@code status --json}, or null. */
    JsonNode component(String name) {
        for (JsonNode component : status().path("components")) {
            if (component.path("name").asText().equals(name)) {
                return component;
            }
        }
        return null;
    }

    /** Every port of the contract that something listens on. */
    List<Integer> portsInUse() {
        return IntStream.of(PORTS)
                .map(this::port)
                .filter(port -> !Ports.isFree(port))
                .boxed()
                .toList();
    }

    /** Pids of all processes whose command line names this stack's state directory. */
    List<Long> processes() {
        return ProcessHandle.allProcesses()
                .filter(handle -> mentionsStateDirectory(handle.pid()))
                .map(ProcessHandle::pid)
                .toList();
    }

    private boolean mentionsStateDirectory(long pid) {
        try {
            byte[] commandLine = Files.readAllBytes(Path.of("/proc/" + pid + "/cmdline"));
            return new String(commandLine, StandardCharsets.UTF_8)
                    .contains(stateDirectory.toString());
        } catch (IOException e) {
            return false; // It has ended meanwhile.
        }
    }
}
