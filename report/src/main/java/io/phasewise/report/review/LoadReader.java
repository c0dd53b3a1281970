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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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
        this.queries = Queries.of(question);
        this.steps = steps;
        this.reader = new BlockReader(server, steps);
    }

    Load read(Measured measured) throws SourceException, InterruptedException {
        Window window = measured.window();
        Form form = measured.form();
        LoadAnalysis analysis = new LoadAnalysis(measured, question.zone());
        List<Quantity> quantities = new ArrayList<>();
        var bytes = reader.values(queries.blocks("bytes.in", window, form), window, STEP);
        var records = reader.values(queries.blocks("records.in", window, form), window, STEP);
        var requests = reader.values(queries.blocks("requests", window, form), window, STEP);
        var connections = reader.values(queries.blocks("connections", window, form), window, STEP);
        var replicas = reader.values(queries.blocks("replicas", window, form), window, STEP);
        analysis.quantity("Bytes in", true, true, bytes).ifPresent(quantities::add);
        analysis.quantity("Records in", false, true, records).ifPresent(quantities::add);
        analysis.quantity("Produce and consumers' fetch requests", false, true, requests)
                .ifPresent(quantities::add);
        analysis.quantity("Connections", false, false, connections).ifPresent(quantities::add);
        analysis.quantity("Replicas", false, false, replicas).ifPresent(quantities::add);
        var handlers = byBroker("busy.handlers", window, form);
        var network = byBroker("busy.network", window, form);
        List<Resource> resources = new ArrayList<>();
        analysis.resource("request handlers", handlers).ifPresent(resources::add);
        analysis.resource("network threads", network).ifPresent(resources::add);
        resources.sort(Comparator.comparingDouble(Resource::busy).reversed());
        HandlerPool pool =
                LoadAnalysis.pool(
                        threads(window),
                        byBroker("processors", window, form),
                        handlers,
                        byBroker("processor.time", window, form));
        Load load =
                analysis.load(
                        quantities,
                        resources,
                        pool,
                        analysis.latencies(handlers),
                        bytes,
                        balance(window.coarse(), form));
        steps.over(STEP, quantities.size() + " quantities");
        return load;
    }

    /** How many request handlers each broker was last started with; absent where not known. */
    private SortedMap<String, Integer> threads(Window window)
            throws SourceException, InterruptedException {
        SortedMap<String, Integer> threads = new TreeMap<>();
        SortedMap<String, Instant> seen = new TreeMap<>();
        for (Series each : reader.series(queries.selector("handler.threads"), window, STEP)) {
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
        Map<String, String> asked = new LinkedHashMap<>();
        asked.put("Leaders", "leaders");
        asked.put("Replicas", "replicas");
        asked.put("Bytes in", "bytes.in");
        asked.put("Bytes out", "bytes.out");
        asked.put("Replication bytes in", "replicated");
        List<Balance> all = new ArrayList<>();
        for (Map.Entry<String, String> each : asked.entrySet()) {
            boolean bytes = each.getKey().toLowerCase(Locale.ROOT).contains("bytes");
            var values = byBroker("by.broker." + each.getValue(), window, form);
            LoadAnalysis.balance(each.getKey(), bytes, values).ifPresent(all::add);
        }
        return all;
    }

    private SortedMap<String, SortedMap<Instant, Double>> byBroker(
            String name, Window window, Form form) throws SourceException, InterruptedException {
        return reader.values(queries.blocks(name, window, form), "broker", window, STEP);
    }
}
