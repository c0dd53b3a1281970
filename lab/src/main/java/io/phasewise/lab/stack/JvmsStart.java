/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.stack;

import io.phasewise.lab.process.ProcessSpec;
import io.phasewise.lab.process.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Starts the stack's own JVMs, the canary and the receiver, sized for a laptop. */
final class JvmsStart {

    private static final Duration CANARY_BOUND = Duration.ofSeconds(120);
    private static final Duration RECEIVER_BOUND = Duration.ofSeconds(90);

    private final Start start;

    JvmsStart(Start start) {
        this.start = start;
    }

    /**
     * Returns when a probe went all the way round for every broker; does nothing unless the canary
     * is absent.
     */
    void startCanary() throws LaunchException, InterruptedException {
        Optional<Component> canary = start.absent(ComponentKind.CANARY);
        if (canary.isEmpty()) {
            return;
        }
        StateDirectory directory = start.directory();
        Path configuration = directory.home("canary").resolve("canary.yml");
        try {
            Files.createDirectories(configuration.getParent());
            Files.writeString(configuration, configuration(start.ports(), directory.pauseFile()));
        } catch (IOException unwritable) {
            throw LaunchException.failed(
                    "cannot write " + configuration + ": " + unwritable, unwritable);
        }
        start(
                canary.get(),
                CanaryJvm.options(),
                start.installation().canaryJar(),
                List.of("--config", configuration.toString()),
                CANARY_BOUND);
    }

    /** What the keys mean is documented with the canary. */
    private static String configuration(StackPorts ports, Path pauseFile) {
        return """
        # Written by the launcher at each start.
        canary:
          pause-file: "%s"
          http:
            host: 127.0.0.1
            port: %d
          clusters:
            local:
              bootstrap-servers: %s
              exporters:
                addresses: { %s }
              topic:
                name: phasewise-canary
                replication-factor: 3
                min-insync-replicas: 2
        """
                .formatted(
                        pauseFile,
                        ports.of(ComponentKind.CANARY),
                        ports.bootstrap(),
                        IntStream.rangeClosed(1, StackPorts.BROKERS)
                                .mapToObj(id -> id + ": \"127.0.0.1:" + ports.exporter(id) + "\"")
                                .collect(Collectors.joining(", ")));
    }

    /** Returns when the receiver answers; does nothing unless it is absent. */
    void startReceiver() throws LaunchException, InterruptedException {
        Optional<Component> receiver = start.absent(ComponentKind.RECEIVER);
        if (receiver.isPresent()) {
            start(
                    receiver.get(),
                    List.of("-Xms8m", "-Xmx32m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"),
                    start.installation().labJar(),
                    List.of(
                            "receiver",
                            "--port",
                            Integer.toString(receiver.get().port()),
                            "--runbooks",
                            start.installation().alerting().resolve("runbooks").toString()),
                    RECEIVER_BOUND);
        }
    }

    private void start(
            Component component,
            List<String> options,
            Path jar,
            List<String> arguments,
            Duration bound)
            throws LaunchException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(Programs.java()));
        command.addAll(options);
        command.addAll(List.of("-XX:+ExitOnOutOfMemoryError", "-Djava.awt.headless=true", "-jar"));
        command.add(jar.toString());
        command.addAll(arguments);
        String name = component.name();
        Path home = start.directory().home(name);
        start.run(
                component,
                new ProcessSpec(name, command, Map.of(), home, start.log(component)),
                bound);
    }
}
