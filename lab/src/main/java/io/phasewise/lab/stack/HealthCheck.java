/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.stack;

import io.phasewise.lab.net.Ports;
import io.phasewise.lab.net.ReadinessChecks;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Checks the health of components from outside, all at the same time and within a bound.
 */
public final class HealthCheck {

    // // On a very busy machine an answer takes a second or two; the exit status of `status` must
    // still be right.
    private static final Duration REQUEST_BOUND = Duration.ofSeconds(4);
    private static final Duration TOTAL_BOUND = Duration.ofSeconds(6);
    private static final String LATE = "no answer in time";

    private final HttpClient client;
    private final Duration requestBound;
    private final Duration totalBound;

    /**
     * With the usual bounds: it takes little more than six seconds in all.
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
     * Checks each component.
     *
     * @return by name, in the order given
     */
    public Map<String, Health> of(List<RunningComponent> components) {
        Map<String, CompletableFuture<Health>> looks = new LinkedHashMap<>();
        for (RunningComponent running : components) {
            AtomicReference<Health> known = new AtomicReference<>(Health.bad(LATE));
            CompletableFuture<Health> look =
                    CompletableFuture.supplyAsync(() -> look(running, known), HealthCheck::onThread);
            CompletableFuture.delayedExecutor(totalBound.toMillis(), TimeUnit.MILLISECONDS)
                    .execute(() -> look.complete(known.get()));
            looks.put(running.name(), look);
        }
        Map<String, Health> healths = new LinkedHashMap<>();
        looks.forEach((name, look) -> healths.put(name, look.join()));
        return healths;
    }

    /** A daemon thread for each check: nobody waits for it after the bound. */
    private static void onThread(Runnable look) {
        Thread thread = new Thread(look, "health");
        thread.setDaemon(true);
        thread.start();
    }

    /**
     * @param known gets the result that counts if time is over before the check has ended
     */
    private Health look(RunningComponent running, AtomicReference<Health> known) {
        if (!running.alive()) {
            return Health.bad("its process is gone");
        }
        Component component = running.component();
        ComponentKind kind = component.kind();
        if (kind.isNode() && !Ports.accepts(component.port())) {
            return Health.bad("port " + component.port() + " refuses connections");
        }
        Health health = get(component.at(kind.liveness()));
        if (!health.healthy() || kind.readiness().equals(kind.liveness())) {
            return health;
        }
        // A canary that is not ready is healthy all the same: it may wait for a broker. So is one
        // that does not answer this in time.
        known.set(new Health(true, "not ready: " + LATE));
        Health ready = get(component.at(kind.readiness()));
        return ready.healthy() ? health : new Health(true, "not ready: " + ready.note());
    }

    private Health get(String url) {
        URI uri = URI.create(url);
        try {
            return ReadinessChecks.answers(client, uri, requestBound)
                    .missing()
                    .map(Health::bad)
                    .orElse(Health.GOOD);
        } catch (HttpTimeoutException slow) {
            return Health.bad(uri + " does not answer in time");
        } catch (Exception refused) {
            return Health.bad(uri + " does not answer");
        }
    }
}
