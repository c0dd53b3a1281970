/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.load;

import io.phasewise.report.latency.WindowData;
import io.phasewise.report.load.Load.Balance;
import io.phasewise.report.load.Load.Quantity;
import io.phasewise.report.load.Load.Resource;
import io.phasewise.report.query.BlockReader;
import io.phasewise.report.query.Form;
import io.phasewise.report.query.Queries;
import io.phasewise.report.query.Question;
import io.phasewise.report.query.Steps;
import io.phasewise.report.query.Window;
import io.phasewise.report.source.PrometheusReader;
import io.phasewise.report.source.Series;
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
public final class LoadReader {

    private static final String STEP = "load";

    private final Question question;
    private final BlockReader reader;

    public LoadReader(PrometheusReader server, Question question, Steps steps) {
        this.question = question;
        this.reader = new BlockReader(server, Queries.of(question), steps);
    }

    public Load read(WindowData measured) throws SourceException, InterruptedException {
        Window window = measured.window();
        Form form = measured.form();
        LoadAnalysis analysis = new LoadAnalysis(measured, question.zone());
        List<Quantity> quantities = new ArrayList<>();
        var bytes = reader.values("bytes.in", window, form, STEP);
        var records = reader.values("records.in", window, form, STEP);
        var requests = reader.values("requests", window, form, STEP);
        var connections = reader.values("connections", window, form, STEP);
        var replicas = reader.values("replicas", window, form, STEP);
        analysis.quantity("Bytes in", "B/s", bytes).ifPresent(quantities::add);
        analysis.quantity("Records in", "/s", records).ifPresent(quantities::add);
        analysis.quantity("Produce and consumers' fetch requests", "/s", requests)
                .ifPresent(quantities::add);
        analysis.quantity("Connections", "", connections).ifPresent(quantities::add);
        analysis.quantity("Replicas", "", replicas).ifPresent(quantities::add);
        var handlers = byBroker("busy.handlers", window, form);
        var network = byBroker("busy.network", window, form);
        List<Resource> resources = new ArrayList<>();
        analysis.resource("request handlers", handlers).ifPresent(resources::add);
        analysis.resource("network threads", network).ifPresent(resources::add);
        resources.sort(Comparator.comparingDouble(Resource::busy).reversed());
        HandlerPool pool = LoadAnalysis.pool(
                threads(window, form),
                byBroker("processors", window, form),
                handlers,
                byBroker("processor.time", window, form));
        Load load = analysis.load(
                quantities, resources, pool, analysis.latencies(handlers), bytes, balance(window.coarse(), form));
        reader.steps().over(STEP, quantities.size() + " quantities");
        return load;
    }

    /**
     * How many request handlers each broker was last started with. A broker is absent where that is
     * not known.
     */
    private SortedMap<String, Integer> threads(Window window, Form form) throws SourceException, InterruptedException {
        SortedMap<String, Integer> threads = new TreeMap<>();
        SortedMap<String, Instant> seen = new TreeMap<>();
        for (Series each : reader.series("handler.threads", window, form, STEP)) {
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

    private List<Balance> balance(Window window, Form form) throws SourceException, InterruptedException {
        List<Balance> all = new ArrayList<>();
        balance("Leaders", "", "leaders", window, form, all);
        balance("Replicas", "", "replicas", window, form, all);
        balance("Bytes in", "B/s", "bytes.in", window, form, all);
        balance("Bytes out", "B/s", "bytes.out", window, form, all);
        balance("Replication bytes in", "B/s", "replicated", window, form, all);
        return all;
    }

    private void balance(String name, String unit, String query, Window window, Form form, List<Balance> all)
            throws SourceException, InterruptedException {
        var values = byBroker("by.broker." + query, window, form);
        LoadAnalysis.balance(name, unit, values).ifPresent(all::add);
    }

    private SortedMap<String, SortedMap<Instant, Double>> byBroker(String name, Window window, Form form)
            throws SourceException, InterruptedException {
        return reader.by("broker", name, window, form, STEP);
    }
}
