/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.commands;

import io.phasewise.canary.cluster.access.ConnectionProblems;
import io.phasewise.canary.config.ClusterConfig;
import io.phasewise.canary.supervise.Problem;
import io.phasewise.canary.topic.Failures;
import io.phasewise.kafka.BootstrapFault;
import io.phasewise.kafka.PortLook;
import io.phasewise.kafka.WrongPortException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.errors.AuthenticationException;

/**
 * Connects to each cluster of a configuration and says what the canary may do there; what to ask
 * is left to {@link ClusterCheck}. A cluster that does not answer keeps nobody waiting longer than
 * the limit, and the others are asked all the same.
 */
public final class Preflight {
    /** How long one cluster may take, whatever it does. */
    public static final Duration LIMIT = Duration.ofSeconds(30);

    /** Clusters asked at the same time: each takes threads, connections and buffers. */
    private static final int AT_ONCE = 8;

    private final Function<Map<String, Object>, Admin> clients;
    private final Duration limit;
    private final PreflightText text;
    private final LongSupplier nanoClock;

    private record Asked(String title, ClusterConfig first, FutureTask<List<Finding>> answer, Thread thread) {}

    /**
     * @param clients makes an admin client of its properties
     * @param limit how long one cluster may take
     * @param text takes what was found
     * @param nanoClock monotonic nanoseconds
     */
    public Preflight(
            Function<Map<String, Object>, Admin> clients, Duration limit, PreflightText text, LongSupplier nanoClock) {
        this.clients = clients;
        this.limit = limit;
        this.text = text;
        this.nanoClock = nanoClock;
    }

    /**
     * Asks every cluster.
     *
     * @param clusters profiles by the cluster's name
     * @return whether each answered, and nothing needed is missing
     */
    public boolean check(SortedMap<String, List<ClusterConfig>> clusters) throws InterruptedException {
        boolean isSound = true;
        List<Map.Entry<String, List<ClusterConfig>>> all = List.copyOf(clusters.entrySet());
        for (int from = 0; from < all.size(); from += AT_ONCE) {
            long start = nanoClock.getAsLong();
            List<Asked> asked = new ArrayList<>();
            for (Map.Entry<String, List<ClusterConfig>> cluster :
                    all.subList(from, Math.min(all.size(), from + AT_ONCE))) {
                asked.add(ask(cluster.getKey(), cluster.getValue()));
            }
            for (Asked each : asked) {
                List<Finding> findings = answer(each, start);
                text.print(each.title(), findings);
                isSound &= findings.stream().noneMatch(Finding::isBlocking);
            }
        }
        return isSound;
    }

    private Asked ask(String name, List<ClusterConfig> profiles) {
        FutureTask<List<Finding>> answer = new FutureTask<>(() -> look(profiles));
        Thread thread = new Thread(answer, "check-" + name);
        thread.setDaemon(true); // a thread that hangs in the look-up of a host name cannot be interrupted
        thread.start();
        ClusterConfig first = profiles.get(0);
        return new Asked("cluster " + name + ", at " + first.kafka().bootstrapServers(), first, answer, thread);
    }

    private List<Finding> look(List<ClusterConfig> profiles) throws InterruptedException {
        ClusterConfig first = profiles.get(0);
        Map<String, Object> properties = first.kafka().adminProperties(first.id());
        new PortLook(nanoClock).check(properties, "client.");
        Admin admin = clients.apply(properties);
        try {
            return new ClusterCheck(admin, nanoClock).look(profiles);
        } finally {
            admin.close(Duration.ZERO);
        }
    }

    private List<Finding> answer(Asked asked, long start) throws InterruptedException {
        try {
            long left = limit.toNanos() - (nanoClock.getAsLong() - start);
            return asked.answer().get(Math.max(0, left), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            asked.answer().cancel(true);
            return List.of(Finding.blocking("not asked: it did not answer within " + limit.toSeconds() + " s"));
        } catch (ExecutionException e) {
            return List.of(Finding.blocking("not asked: " + why(e.getCause(), asked.first())));
        }
    }

    private static String why(Throwable failure, ClusterConfig config) {
        if (failure instanceof WrongPortException) {
            return failure.getMessage();
        }
        if (failure instanceof AuthenticationException refused) {
            Problem problem = ConnectionProblems.explain(refused, config, false);
            return problem.key() + ": " + problem.message();
        }
        return BootstrapFault.of(failure, config.kafka().bootstrapServers())
                .map(BootstrapFault::text)
                .orElseGet(() -> Failures.describe(failure));
    }
}
