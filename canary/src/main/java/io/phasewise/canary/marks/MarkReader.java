/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.marks;

import io.phasewise.canary.config.ExportersConfig;
import io.phasewise.canary.supervise.SupervisedThread;
import io.phasewise.canary.supervise.Supervisor;
import io.phasewise.canary.topic.TopicState.Broker;
import io.phasewise.common.file.ConfiguredFile;
import io.phasewise.common.file.UnusableFileException;
import io.phasewise.common.marks.MarkPage;
import io.phasewise.common.prometheus.Access;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import javax.net.ssl.SSLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that asks the brokers' exporters of one cluster for marks, once a second and all at
 * the same time. One that does not answer is asked again the next time; that it does not is logged
 * once.
 */
public final class MarkReader {
    private static final Logger LOG = LoggerFactory.getLogger(MarkReader.class);
    private static final Duration PERIOD = Duration.ofSeconds(1);
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private final String name;
    private final ExportersConfig config;
    private final MarkStore marks;
    private final Runnable roundDone;
    private final SupervisedThread thread;
    private final Map<Integer, String> failures = new TreeMap<>();
    private volatile List<Broker> brokers = List.of();
    private HttpClient http;

    /**
     * @param supervisor starts the thread
     * @param name of the cluster
     * @param config where the exporters are
     * @param marks takes what they report
     * @param roundDone called after each round
     * @param faults counts what is thrown; the thread goes on
     */
    public MarkReader(
            Supervisor supervisor,
            String name,
            ExportersConfig config,
            MarkStore marks,
            Runnable roundDone,
            Consumer<Throwable> faults) {
        this.name = name;
        this.config = config;
        this.marks = marks;
        this.roundDone = roundDone;
        this.thread = supervisor.loop("marks-" + name, faults, this::turn);
    }

    /** Starts to ask. */
    public void start() {
        thread.start();
    }

    /** Sets which brokers there are. */
    public void setBrokers(List<Broker> at) {
        brokers = at;
    }

    /** Asks no more; does not wait. */
    public void stop() {
        thread.interrupt();
    }

    private void turn() throws InterruptedException {
        Map<Integer, CompletableFuture<HttpResponse<String>>> asked = new HashMap<>();
        for (Broker broker : brokers) {
            config.address(broker.id(), broker.host())
                    .ifPresent(address -> asked.put(broker.id(), ask(broker.id(), address)));
        }
        for (Map.Entry<Integer, CompletableFuture<HttpResponse<String>>> each : asked.entrySet()) {
            take(each.getKey(), each.getValue());
        }
        roundDone.run();
        thread.pause(PERIOD);
    }

    private CompletableFuture<HttpResponse<String>> ask(int broker, String address) {
        try {
            if (http == null) {
                http = client();
            }
            URI uri = URI.create((config.tls() ? "https://" : "http://")
                    + address
                    + "/marks?after="
                    + marks.of(broker).sequence());
            HttpRequest.Builder request = HttpRequest.newBuilder(uri).timeout(TIMEOUT);
            if (config.username().isPresent()) {
                String password = ConfiguredFile.text(
                        "exporters.password-file", config.passwordFile().orElseThrow());
                request.header("Authorization", Access.basic(config.username().get(), password.strip()));
            }
            return http.sendAsync(request.build(), BodyHandlers.ofString());
        } catch (UnusableFileException e) {
            return CompletableFuture.failedFuture(new IOException(e.key() + " " + e.getMessage()));
        } catch (GeneralSecurityException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private HttpClient client() throws UnusableFileException, GeneralSecurityException {
        try {
            return Access.client(config.ca(), Optional.empty(), "");
        } catch (UnusableFileException e) {
            throw new UnusableFileException("exporters.ca", e.getMessage());
        }
    }

    private void take(int broker, CompletableFuture<HttpResponse<String>> answer) throws InterruptedException {
        String failure = null;
        try {
            HttpResponse<String> response = answer.get();
            if (response.statusCode() == 200) {
                marks.of(broker).add(MarkPage.parse(response.body()));
            } else {
                failure = "it answers " + response.statusCode();
            }
        } catch (IllegalArgumentException e) {
            failure = e.getMessage();
        } catch (ExecutionException e) {
            failure = e.getCause().toString();
            if (e.getCause() instanceof SSLException) {
                http = null; // the authorities' file may have been renewed
            }
        }
        if (failure != null) {
            marks.of(broker).silent();
            if (failures.put(broker, failure) == null) {
                LOG.warn(
                        "cluster {}: the exporter of broker {} reports no marks, so phases of its"
                                + " probes are estimated: {}",
                        name,
                        broker,
                        failure);
            }
        } else if (failures.remove(broker) != null) {
            LOG.info("cluster {}: the exporter of broker {} reports marks again", name, broker);
        }
    }
}
