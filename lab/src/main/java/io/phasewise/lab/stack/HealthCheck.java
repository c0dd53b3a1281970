/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.stack;

import io.phasewise.lab.net.Ports;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Looks at components from outside, all at the same time and within a bound; starting and stopping
 * them is left to others.
 */
public final class HealthCheck {

    private static final Duration REQUEST_BOUND = Duration.ofMillis(1500);
    private static final Duration TOTAL_BOUND = Duration.ofMillis(2500);

    private final HttpClient client;
    private final Duration requestBound;
    private final Duration totalBound;

    /**
     * For somebody who waits: takes less than three seconds in all.
     *
     * @param client should have a connect time-out of its own
     */
    public HealthCheck(HttpClient client) {
        this(client, REQUEST_BOUND, TOTAL_BOUND);
    }

    /**
     * @param requestBound for each answer
     * @param totalBound for all of them together
     */
    HealthCheck(HttpClient client, Duration requestBound, Duration totalBound) {
        this.client = client;
        this.requestBound = requestBound;
        this.totalBound = totalBound;
    }

    /**
     * Looks at each component.
     *
     * @return by name, in the order given
     */
    public Map<String, Health> of(List<RunningComponent> components) throws InterruptedException {
        ExecutorService threads =
                Executors.newFixedThreadPool(
                        Math.max(1, components.size()),
                        task -> {
                            Thread thread = new Thread(task, "health");
                            thread.setDaemon(true);
                            return thread;
                        });
        try {
            Map<String, CompletableFuture<Health>> looks = new LinkedHashMap<>();
            for (RunningComponent running : components) {
                looks.put(
                        running.name(),
                        CompletableFuture.supplyAsync(() -> look(running), threads));
            }
            long deadline = System.nanoTime() + totalBound.toNanos();
            Map<String, Health> healths = new LinkedHashMap<>();
            for (Map.Entry<String, CompletableFuture<Health>> look : looks.entrySet()) {
                healths.put(look.getKey(), await(look.getValue(), deadline));
            }
            return healths;
        } finally {
            threads.shutdownNow();
        }
    }

    private static Health await(CompletableFuture<Health> look, long deadline)
            throws InterruptedException {
        try {
            return look.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (TimeoutException slow) {
            return Health.bad("no answer in time");
        } catch (ExecutionException failed) {
            return Health.bad(String.valueOf(failed.getCause().getMessage()));
        }
    }

    private Health look(RunningComponent running) {
        if (!running.alive()) {
            return Health.bad("its process is gone");
        }
        Component component = running.component();
        if (component.isNode() && !Ports.accepts(component.port())) {
            return Health.bad("port " + component.port() + " refuses connections");
        }
        Health health = get(liveness(component));
        if (component.kind() != ComponentKind.CANARY || !health.healthy()) {
            return health;
        }
        // A canary that waits for a broker is itself in good health.
        Health ready = get(readiness(component));
        return ready.healthy() ? health : new Health(true, "not ready: " + ready.note());
    }

    /** Where a component says that it is alive; cheap to answer, unlike a broker's metrics. */
    private static URI liveness(Component component) {
        return switch (component.kind()) {
            case BROKER, CONTROLLER ->
                    URI.create(component.metricsUrl().orElseThrow()).resolve("/-/healthy");
            case CANARY, RECEIVER -> local(component, "/-/healthy");
            case PROMETHEUS, ALERTMANAGER -> local(component, "/-/ready");
            case GRAFANA -> local(component, "/api/health");
            case NODE_EXPORTER -> local(component, "/");
        };
    }

    /** Where a component says that it is fit for work. */
    static URI readiness(Component component) {
        return component.kind() == ComponentKind.CANARY
                ? local(component, "/-/ready")
                : liveness(component);
    }

    private static URI local(Component component, String path) {
        return URI.create("http://127.0.0.1:" + component.port() + path);
    }

    private Health get(URI uri) {
        try {
            HttpResponse<String> response =
                    client.send(
                            HttpRequest.newBuilder(uri).timeout(requestBound).build(),
                            HttpResponse.BodyHandlers.ofString());
            if (response.statusCode() / 100 == 2) {
                return Health.GOOD;
            }
            String body = response.body().lines().findFirst().orElse("").strip();
            String text = body.length() > 120 ? body.substring(0, 120) + "..." : body;
            return Health.bad(
                    uri.getPath()
                            + " answers "
                            + response.statusCode()
                            + (text.isEmpty() ? "" : ": " + text));
        } catch (HttpTimeoutException slow) {
            return Health.bad(uri.getPath() + " does not answer in time");
        } catch (IOException refused) {
            return Health.bad(uri.getAuthority() + " does not answer");
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return Health.bad("not looked at");
        }
    }
}
