/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.cli;

import io.phasewise.lab.stack.LaunchException;
import io.phasewise.lab.stack.RunningComponent;
import io.phasewise.lab.stack.StackState;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Collectors;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which cluster a command is about, and how to reach it. */
final class ClusterOption {

    @Option(
            names = {"--bootstrap-server", "--bootstrap"},
            paramLabel = "HOST:PORT",
            description = "Of your cluster; the local stack unless said.")
    private String bootstrap;

    @Option(
            names = "--command-config",
            paramLabel = "FILE",
            description = "Properties of the client, for clusters with security.")
    private Path properties;

    @Mixin private StateDirectoryOption stateDirectory;

    /**
     * Properties of a client of it.
     *
     * @param clientId unless the file says another
     * @throws LaunchException when the file cannot be read or there is no such cluster
     */
    Map<String, Object> clientProperties(Context context, String clientId)
            throws LaunchException, InterruptedException {
        Map<String, Object> client = new HashMap<>();
        if (properties != null) {
            Properties read = new Properties();
            try (Reader reader =
                    Files.newBufferedReader(context.workingDirectory().resolve(properties))) {
                read.load(reader);
            } catch (IOException | IllegalArgumentException unreadable) {
                throw LaunchException.usage("--command-config: cannot read " + unreadable);
            }
            read.stringPropertyNames().forEach(key -> client.put(key, read.getProperty(key)));
        }
        if (bootstrap != null) {
            client.put("bootstrap.servers", bootstrap);
        } else if (!client.containsKey("bootstrap.servers")) {
            client.put("bootstrap.servers", localStack(context));
        }
        client.putIfAbsent("client.id", clientId);
        return client;
    }

    private String localStack(Context context) throws LaunchException, InterruptedException {
        List<RunningComponent> components =
                stateDirectory
                        .resolve(context)
                        .read()
                        .map(StackState::components)
                        .orElse(List.of());
        String addresses =
                components.stream()
                        .map(component -> component.component().bootstrap())
                        .flatMap(Optional::stream)
                        .collect(Collectors.joining(","));
        if (addresses.isEmpty()) {
            throw LaunchException.usage(
                    "no local stack runs: say --bootstrap-server HOST:PORT, or start one with up");
        }
        return addresses;
    }
}
