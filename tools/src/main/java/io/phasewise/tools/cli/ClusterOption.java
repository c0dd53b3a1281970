/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.tools.cli;

import io.phasewise.common.cli.MissingException;
import io.phasewise.common.cli.StackOption;
import io.phasewise.common.cli.UsageException;
import io.phasewise.common.stack.LocalStack;
import io.phasewise.kafka.BootstrapFault;
import io.phasewise.kafka.ConnectionTimes;
import io.phasewise.kafka.PortLook;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which cluster a command is about, and how to reach it. */
final class ClusterOption {

    private static final String BOOTSTRAP = "bootstrap.servers";

    @Option(
            names = {"--bootstrap-server", "--bootstrap"},
            paramLabel = "HOST:PORT")
    private String bootstrap;

    @Option(names = "--command-config", paramLabel = "FILE")
    private Path properties;

    @Mixin
    private StackOption stack;

    private String servers = "";

    /**
     * Opens a client of it.
     *
     * @param clientId unless the file says another
     * @throws UsageException when the file cannot be read, or what it or an option says is not
     *     allowed
     * @throws MissingException when no cluster is said and no local stack runs
     * @throws IOException when what the local stack left cannot be read
     * @throws io.phasewise.kafka.WrongPortException where the servers speak something else than the
     *     client is set to, such as TLS
     */
    Admin open(Context context, String clientId) throws IOException {
        Map<String, Object> client = clientProperties(context, clientId);
        servers = String.valueOf(client.get(BOOTSTRAP));
        new PortLook(context.nanoClock()).check(client, "");
        try {
            return Admin.create(client);
        } catch (KafkaException refused) {
            throw refused(refused, servers);
        }
    }

    /** Kafka's own message says only that there is no client. Its causes say why. */
    private static RuntimeException refused(KafkaException refused, String bootstrap) {
        Optional<BootstrapFault> fault = BootstrapFault.of(refused, bootstrap);
        if (fault.isPresent()) {
            String text = "--bootstrap-server: " + fault.get().text();
            return fault.get().isUnknownHost() ? new KafkaException(text, refused) : new UsageException(text);
        }
        Throwable cause = refused;
        List<String> reasons = new ArrayList<>();
        while (cause.getCause() != null && cause.getCause() != cause) {
            cause = cause.getCause();
            reasons.add(String.valueOf(cause.getMessage()));
        }
        String why = reasons.isEmpty() ? refused.getMessage() : String.join(": ", reasons);
        return new UsageException("no client can be made of --command-config: " + why);
    }

    /** The properties of the client that {@link #open} makes. */
    Map<String, Object> clientProperties(Context context, String clientId) throws IOException {
        Map<String, Object> client = new HashMap<>();
        if (properties != null) {
            Properties read = new Properties();
            try (Reader reader =
                    Files.newBufferedReader(context.workingDirectory().resolve(properties))) {
                read.load(reader);
            } catch (NoSuchFileException none) {
                throw new UsageException("--command-config: there is no file " + properties);
            } catch (AccessDeniedException denied) {
                throw new UsageException("--command-config: " + properties + " may not be read by this user");
            } catch (IOException | IllegalArgumentException unreadable) {
                throw new UsageException("--command-config: " + properties + " is not a file of properties: "
                        + unreadable.getClass().getSimpleName());
            }
            read.stringPropertyNames().forEach(key -> client.put(key, read.getProperty(key)));
        }
        if (bootstrap != null) {
            client.put(BOOTSTRAP, bootstrap);
        } else if (!client.containsKey(BOOTSTRAP)) {
            client.put(BOOTSTRAP, localStack(context));
        }
        client.putIfAbsent("client.id", clientId);
        ConnectionTimes.bound(client);
        ConnectionTimes.endSilent(client);
        return client;
    }

    /** The addresses that the client connects to first, to be named in messages; known once it was opened. */
    String servers() {
        return servers;
    }

    /** Whether a failure is that the brokers did not answer in time: Kafka's client says so, or who waited for it. */
    static boolean isSilence(Throwable failure) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (each instanceof org.apache.kafka.common.errors.TimeoutException || each instanceof TimeoutException) {
                return true;
            }
        }
        return false;
    }

    /** The options as they were given on the command line. */
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

    /** The local stack, where the cluster is its cluster. */
    Optional<LocalStack> local(Context context) {
        return bootstrap == null && properties == null ? Optional.of(context.stack(stack)) : Optional.empty();
    }

    private String localStack(Context context) throws IOException {
        return context.stack(stack)
                .bootstrap()
                .orElseThrow(() -> new MissingException(
                        "no local stack runs", "say --bootstrap-server HOST:PORT, or start one with `./phasewise up`"));
    }
}
