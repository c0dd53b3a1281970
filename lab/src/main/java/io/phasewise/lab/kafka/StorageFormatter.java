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
 * <p>The tool is run inside this JVM, in a class loader that sees the broker's jars and nothing of
 * ours: three JVM starts less than running it once for each broker.
 */
final class StorageFormatter {

    private static final String TOOL = "kafka.tools.StorageTool";

    private final List<Path> classPath;

    StorageFormatter(List<Path> classPath) {
        this.classPath = classPath;
    }

    /**
     * Formats each broker whose storage is not yet; what is formatted keeps its data. An
     * interruption is not answered before the tool is done, and kept.
     *
     * @param clusterId of a new cluster; a cluster that has one keeps it
     * @throws IOException when the tool refuses; the message holds what it said
     */
    void format(List<BrokerPlan> brokers, String clusterId, List<String> scramCredentials) throws IOException {
        List<BrokerPlan> unformatted =
                brokers.stream().filter(broker -> !isFormatted(broker)).toList();
        if (unformatted.isEmpty()) {
            return;
        }
        // Else it would wait for the end of this JVM, and complain where that has begun.
        System.setProperty("log4j.shutdownHookEnabled", "false");
        try (URLClassLoader loader = new URLClassLoader(urls(), ClassLoader.getPlatformClassLoader())) {
            // On a thread that nobody interrupts: the tool's logging answers that with a stack
            // trace. It takes seconds, and whoever waits here is still interrupted afterwards.
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
            status = loader.loadClass(TOOL)
                    .getMethod("execute", String[].class, PrintStream.class)
                    .invoke(null, arguments.toArray(String[]::new), out);
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
