/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.kafka;

import io.phasewise.lab.kafka.ClusterPlan.BrokerPlan;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Formats the brokers' storage with Kafka's own storage tool, all brokers in one go.
 *
 * <p>The tool runs inside this JVM, in a class loader that sees the broker's jars and none of ours.
 * That saves a JVM start for each broker.
 */
final class StorageFormatter {

    private static final String TOOL = "kafka.tools.StorageTool";

    private final List<Path> classPath;

    StorageFormatter(List<Path> classPath) {
        this.classPath = classPath;
    }

    /**
     * Formats the storage of each broker that is not formatted yet; other brokers keep their data.
     * An interrupt does not end the tool; the interrupt flag stays set.
     *
     * @param clusterId for brokers that are formatted now
     * @throws IOException when the tool fails; the message has its output
     */
    void format(List<BrokerPlan> brokers, String clusterId, List<String> scramCredentials) throws IOException {
        List<BrokerPlan> unformatted =
                brokers.stream().filter(broker -> !isFormatted(broker)).toList();
        if (unformatted.isEmpty()) {
            return;
        }
        // Otherwise its logging installs a shutdown hook, and complains when this JVM is already
        // ending.
        System.setProperty("log4j.shutdownHookEnabled", "false");
        try (URLClassLoader loader = new URLClassLoader(urls(), ClassLoader.getPlatformClassLoader())) {
            // // On a thread that nobody interrupts, as the tool's logging prints a stack trace
            // then. It takes seconds; the caller stays interrupted.
            CompletableFuture.runAsync(
                            () -> {
                                for (BrokerPlan broker : unformatted) {
                                    run(loader, arguments(broker, clusterId, scramCredentials));
                                }
                            },
                            tool -> {
                                Thread thread = new Thread(tool, "storage-tool");
                                thread.setContextClassLoader(loader);
                                thread.start();
                            })
                    .join();
        } catch (CompletionException failed) {
            if (failed.getCause() instanceof UncheckedIOException refused) {
                throw refused.getCause();
            }
            throw failed;
        }
    }

    private static boolean isFormatted(BrokerPlan broker) {
        return Files.exists(broker.dataDirectory().resolve("meta.properties"));
    }

    private static List<String> arguments(BrokerPlan broker, String clusterId, List<String> scramCredentials) {
        String configuration = broker.configuration().toString();
        List<String> arguments = new ArrayList<>();
        arguments.addAll(List.of("format", "--config", configuration, "--cluster-id", clusterId));
        scramCredentials.forEach(each -> arguments.addAll(List.of("--add-scram", each)));
        return arguments;
    }

    private static void run(ClassLoader loader, List<String> arguments) {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        Object status;
        try (PrintStream out = new PrintStream(said, true, StandardCharsets.UTF_8)) {
            status = execute(loader.loadClass(TOOL), arguments.toArray(String[]::new), out);
        } catch (InvocationTargetException refused) {
            throw failure("cannot format storage: " + refused.getCause(), refused.getCause());
        } catch (ReflectiveOperationException otherShape) {
            throw failure("this Kafka has no " + TOOL + " that can be run", otherShape);
        }
        if (!Integer.valueOf(0).equals(status)) {
            throw failure(
                    "cannot format storage: "
                            + said.toString(StandardCharsets.UTF_8).strip(),
                    null);
        }
    }

    /** That of 3.7 prints to standard output. */
    private static Object execute(Class<?> tool, String[] arguments, PrintStream out)
            throws ReflectiveOperationException {
        try {
            return tool.getMethod("execute", String[].class, PrintStream.class).invoke(null, arguments, out);
        } catch (NoSuchMethodException older) {
            return tool.getMethod("execute", String[].class).invoke(null, (Object) arguments);
        }
    }

    private static UncheckedIOException failure(String message, Throwable cause) {
        return new UncheckedIOException(new IOException(message, cause));
    }

    private URL[] urls() throws IOException {
        URL[] urls = new URL[classPath.size()];
        for (int i = 0; i < urls.length; i++) {
            urls[i] = classPath.get(i).toUri().toURL();
        }
        return urls;
    }
}
