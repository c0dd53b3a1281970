/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.stack;

import io.phasewise.lab.process.ProcessSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Starts the stack's own JVMs, the canary and the receiver, sized for a laptop. */
final class JvmsStart {

    private static final Duration CANARY_BOUND = Duration.ofSeconds(120);
    private static final Duration RECEIVER_BOUND = Duration.ofSeconds(90);

    private final Installation installation;
    private final StateDirectory directory;
    private final StackPorts ports;
    private final ComponentStarter starter;

    JvmsStart(
            Installation installation,
            StateDirectory directory,
            StackPorts ports,
            ComponentStarter starter) {
        this.installation = installation;
        this.directory = directory;
        this.ports = ports;
        this.starter = starter;
    }

    /**
     * Returns when a probe went all the way round for every broker; does nothing unless the canary
     * is absent.
     */
    void startCanary(Map<String, Component> absent) throws LaunchException, InterruptedException {
        Component canary = absent.get("canary");
        if (canary == null) {
            return;
        }
        Path configuration = directory.home("canary").resolve("canary.yml");
        try {
            Files.createDirectories(configuration.getParent());
            Files.writeString(configuration, CanaryConfiguration.of(ports, directory.pauseFile()));
        } catch (IOException unwritable) {
            throw LaunchException.failed(
                    "cannot write " + configuration + ": " + unwritable, unwritable);
        }
        ProcessSpec spec =
                spec(
                        "canary",
                        CanaryJvm.options(Runtime.version().feature()),
                        installation.canaryJar(),
                        List.of("--config", configuration.toString()));
        starter.start(canary, spec, CANARY_BOUND);
    }

    /** Returns when the receiver answers; does nothing unless it is absent. */
    void startReceiver(Map<String, Component> absent) throws LaunchException, InterruptedException {
        Component receiver = absent.get("receiver");
        if (receiver == null) {
            return;
        }
        ProcessSpec spec =
                spec(
                        "receiver",
                        List.of("-Xms8m", "-Xmx32m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"),
                        installation.labJar(),
                        List.of(
                                "receiver",
                                "--port",
                                Integer.toString(ports.receiver()),
                                "--runbooks",
                                installation.alerting().resolve("runbooks").toString()));
        starter.start(receiver, spec, RECEIVER_BOUND);
    }

    private ProcessSpec spec(String name, List<String> options, Path jar, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.add("-XX:+ExitOnOutOfMemoryError");
        command.add("-Djava.awt.headless=true");
        command.add("-jar");
        command.add(jar.toString());
        command.addAll(arguments);
        return new ProcessSpec(name, command, Map.of(), directory.home(name), directory.log(name));
    }
}
