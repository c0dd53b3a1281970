/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.review;

import io.phasewise.report.review.Load.Balance;
import io.phasewise.report.review.Load.Quantity;
import io.phasewise.report.review.Load.Resource;
import io.phasewise.report.source.Series;
import io.phasewise.report.source.Server;
import io.phasewise.report.source.SourceException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Reads load, utilisation and balance from the brokers' metrics; what they amount to is left to
 * {@link LoadAnalysis}.
 */
final class LoadReader {

    private static final String STEP = "load";

    private final Question question;
    private final Queries queries;
    private final Steps steps;
    private final BlockReader reader;

    LoadReader(Server server, Question question, Steps steps) {
        this.question = question;
        this.queries = new Queries(question);
        this.steps = steps;
        this.reader = new BlockReader(server, steps);
    }

    Load read(Measured measured) throws SourceException, InterruptedException {
        Window window = measured.window();
        String counters = Queries.counterRange(window, measured.form());
        LoadAnalysis analysis = new LoadAnalysis(measured, question.zone());
        List<Quantity> quantities = new ArrayList<>();
        var bytes = reader.values(queries.bytesIn(counters), window, STEP);
        var records = reader.values(queries.recordsIn(counters), window, STEP);
        var requests = reader.values(queries.requests(counters), window, STEP);
        var connections = reader.values(queries.connections(), window, STEP);
        var replicas = reader.values(queries.replicas(), window, STEP);
        analysis.quantity("Bytes in", true, true, bytes).ifPresent(quantities::add);
        analysis.quantity("Records in", false, true, records).ifPresent(quantities::add);
        analysis.quantity("Produce and consumers' fetch requests", false, true, requests)
                .ifPresent(quantities::add);
        analysis.quantity("Connections", false, false, connections).ifPresent(quantities::add);
        analysis.quantity("Replicas", false, false, replicas).ifPresent(quantities::add);
        var handlers = byBroker(queries.saturation("request_handlers", window), window);
        var network = byBroker(queries.saturation("network_processors", window), window);
        List<Resource> resources = new ArrayList<>();
        analysis.resource("request handlers", handlers).ifPresent(resources::add);
        analysis.resource("network threads", network).ifPresent(resources::add);
        resources.sort(Comparator.comparingDouble(Resource::busy).reversed());
        HandlerPool pool =
                LoadAnalysis.pool(
                        threads(window),
                        byBroker(queries.processors(), window),
                        handlers,
                        byBroker(queries.processorTime(counters), window));
        Load load =
                analysis.load(
                        quantities,
                        resources,
                        pool,
                        analysis.latencies(handlers),
                        bytes,
                        balance(window.coarse(), measured.form()));
        steps.over(STEP, quantities.size() + " quantities");
        return load;
    }

    /** How many request handlers each broker was last started with; absent where not known. */
    private SortedMap<String, Integer> threads(Window window)
            throws SourceException, InterruptedException {
        SortedMap<String, Integer> threads = new TreeMap<>();
        SortedMap<String, Instant> seen = new TreeMap<>();
        for (Series each : reader.series(queries.handlerThreads(), window, STEP)) {
            String broker = each.label("broker");
            String told = each.label("num_io_threads");
            if (told.matches("[1-9]\\d{0,4}") && !each.values().isEmpty()) {
                Instant last = each.values().lastKey();
                if (!last.isBefore(seen.getOrDefault(broker, last))) {
                    seen.put(broker, last);
                    threads.put(broker, Integer.parseInt(told));
                }
            }
        }
        return threads;
    }

    private List<Balance> balance(Window window, Form form)
            throws SourceException, InterruptedException {
        String counters = Queries.counterRange(window, form);
        List<Balance> all = new ArrayList<>();
        balance(all, "Leaders", false, queries.leadersByBroker(), window);
        balance(all, "Replicas", false, queries.replicasByBroker(), window);
        balance(all, "Bytes in", true, queries.bytesByBroker("bytesin", counters), window);
        balance(all, "Bytes out", true, queries.bytesByBroker("bytesout", counters), window);
        String replicated = queries.bytesByBroker("replicationbytesin", counters);
        balance(all, "Replication bytes in", true, replicated, window);
        return all;
    }

    private void balance(List<Balance> all, String name, boolean bytes, String query, Window window)
            throws SourceException, InterruptedException {
        LoadAnalysis.balance(name, bytes, byBroker(query, window)).ifPresent(all::add);
    }

    private SortedMap<String, SortedMap<Instant, Double>> byBroker(String query, Window window)
            throws SourceException, InterruptedException {
        return reader.values(query, "broker", window, STEP);
    }
}
