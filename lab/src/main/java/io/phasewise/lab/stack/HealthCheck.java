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
 * Looks at components from outside, all at the same time and within a bound; starting and stopping
 * them is left to others.
 */
public final class HealthCheck {

    // On a machine that is very busy an answer takes a second or two, and the exit code of `status` must not be wrong
    // by that.
    private static final Duration REQUEST_BOUND = Duration.ofSeconds(4);
    private static final Duration TOTAL_BOUND = Duration.ofSeconds(6);
    private static final String LATE = "no answer in time";

    private final HttpClient client;
    private final Duration requestBound;
    private final Duration totalBound;

    /**
     * For somebody who waits: takes little more than six seconds in all.
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

    /** One each, which nobody waits for when time is over. */
    private static void onThread(Runnable look) {
        Thread thread = new Thread(look, "health");
        thread.setDaemon(true);
        thread.start();
    }

    /**
     * @param known what counts where time is over before all has been looked at
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
        // A canary that waits for a broker is itself in good health, and so is one that does not say so in time.
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
