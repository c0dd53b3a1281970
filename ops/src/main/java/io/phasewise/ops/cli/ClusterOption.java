/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.ops.cli;

import io.phasewise.common.cli.StackOption;
import io.phasewise.common.cli.UsageException;
import io.phasewise.common.stack.LocalStack;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which cluster a command is about, and how to reach it. */
final class ClusterOption {

    @Option(
            names = {"--bootstrap-server", "--bootstrap"},
            paramLabel = "HOST:PORT")
    private String bootstrap;

    @Option(names = "--command-config", paramLabel = "FILE")
    private Path properties;

    @Mixin
    private StackOption stack;

    /**
     * Properties of a client of it.
     *
     * @param clientId unless the file says another
     * @throws UsageException when the file cannot be read or there is no such cluster
     * @throws IOException when what the local stack left cannot be read
     */
    Map<String, Object> clientProperties(Context context, String clientId) throws IOException {
        Map<String, Object> client = new HashMap<>();
        if (properties != null) {
            Properties read = new Properties();
            try (Reader reader =
                    Files.newBufferedReader(context.workingDirectory().resolve(properties))) {
                read.load(reader);
            } catch (IOException | IllegalArgumentException unreadable) {
                throw new UsageException("--command-config: cannot read " + unreadable);
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

    /** As it was said on the command line. */
    List<String> words() {
        List<String> words = new ArrayList<>();
        if (bootstrap != null) {
            words.addAll(List.of("--bootstrap-server", bootstrap));
        }
        if (properties != null) {
            words.addAll(List.of("--command-config", properties.toString()));
        }
        words.addAll(stack.words());
        return words;
    }

    /** The local stack, when the cluster is that one's. */
    Optional<LocalStack> local(Context context) {
        return bootstrap == null && properties == null ? Optional.of(context.stack(stack)) : Optional.empty();
    }

    private String localStack(Context context) throws IOException {
        String none = "no local stack runs: say --bootstrap-server HOST:PORT, or start one with up";
        return context.stack(stack).bootstrap().orElseThrow(() -> new UsageException(none));
    }
}
