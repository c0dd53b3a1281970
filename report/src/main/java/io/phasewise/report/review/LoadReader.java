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
import io.phasewise.report.stats.QueueCurve.Point;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Reads load, utilisation and balance from the brokers' metrics; what they amount to is left to
 * {@link LoadAnalysis}.
 */
final class LoadReader {

    private static final String STEP = "load";

    private final Server server;
    private final Question question;
    private final Steps steps;

    LoadReader(Server server, Question question, Steps steps) {
        this.server = server;
        this.question = question;
        this.steps = steps;
    }

    Load read(Measured measured) throws SourceException, InterruptedException {
        Window window = measured.window();
        String range = LatencyReader.promDuration(window.block());
        String counters = LatencyReader.counterRange(window, measured.form());
        LoadAnalysis analysis = new LoadAnalysis(measured, question.zone());
        List<Quantity> quantities = new ArrayList<>();
        SortedMap<Instant, Double> bytes =
                sum(rate("kafka_server_brokertopicmetrics_bytesin_total", "", counters), window);
        analysis.quantity("Bytes in", true, true, bytes).ifPresent(quantities::add);
        analysis.quantity(
                        "Records in",
                        false,
                        true,
                        sum(
                                rate(
                                        "kafka_server_brokertopicmetrics_messagesin_total",
                                        "",
                                        counters),
                                window))
                .ifPresent(quantities::add);
        analysis.quantity(
                        "Produce and consumers' fetch requests",
                        false,
                        true,
                        sum(
                                rate(
                                        "kafka_network_requestmetrics_requests_total",
                                        ",request=~\"Produce|FetchConsumer\"",
                                        counters),
                                window))
                .ifPresent(quantities::add);
        analysis.quantity(
                        "Connections",
                        false,
                        false,
                        sum(
                                "kafka_server_socket_server_metrics_connection_count{"
                                        + question.brokers()
                                        + "}",
                                window))
                .ifPresent(quantities::add);
        analysis.quantity(
                        "Replicas",
                        false,
                        false,
                        sum(
                                "kafka_server_replicamanager_partitioncount{"
                                        + question.brokers()
                                        + "}",
                                window))
                .ifPresent(quantities::add);
        SortedMap<String, SortedMap<Instant, Double>> handlers =
                busy("request_handlers", range, window);
        List<Resource> resources = new ArrayList<>();
        analysis.resource("request handlers", handlers).ifPresent(resources::add);
        analysis.resource("network threads", busy("network_processors", range, window))
                .ifPresent(resources::add);
        resources.sort(Comparator.comparingDouble(Resource::busy).reversed());
        HandlerPool pool =
                LoadAnalysis.pool(
                        threads(window),
                        byBroker(
                                "min by (broker) (jvm_available_processors{"
                                        + question.brokers()
                                        + "})",
                                window),
                        handlers,
                        byBroker(
                                "sum by (broker) ("
                                        + rate("process_cpu_seconds_total", "", counters)
                                        + ")",
                                window));
        List<Point> points = analysis.latencies(handlers);
        Load load =
                analysis.load(
                        quantities,
                        resources,
                        pool,
                        points,
                        bytes,
                        balance(window, measured.form()));
        steps.over(STEP, quantities.size() + " quantities");
        return load;
    }

    /** How many request handlers each broker was last started with; absent where not known. */
    private SortedMap<String, Integer> threads(Window window)
            throws SourceException, InterruptedException {
        SortedMap<String, Integer> threads = new TreeMap<>();
        SortedMap<String, Instant> seen = new TreeMap<>();
        for (Series each :
                range(
                        "count by (broker, num_io_threads) (kafka_broker_config_info{"
                                + question.brokers()
                                + "})",
                        window)) {
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
        Window coarse = window.coarse();
        String range = LatencyReader.counterRange(coarse, form);
        List<Balance> all = new ArrayList<>();
        LoadAnalysis.balance(
                        "Leaders",
                        false,
                        byBroker(
                                "max by (broker) (kafka_server_replicamanager_leadercount{"
                                        + question.brokers()
                                        + "})",
                                coarse))
                .ifPresent(all::add);
        LoadAnalysis.balance(
                        "Replicas",
                        false,
                        byBroker(
                                "max by (broker) (kafka_server_replicamanager_partitioncount{"
                                        + question.brokers()
                                        + "})",
                                coarse))
                .ifPresent(all::add);
        for (Map.Entry<String, String> each :
                Map.of(
                                "Bytes in", "bytesin_total",
                                "Bytes out", "bytesout_total",
                                "Replication bytes in", "replicationbytesin_total")
                        .entrySet()
                        .stream()
                        .sorted(Map.Entry.comparingByKey())
                        .toList()) {
            LoadAnalysis.balance(
                            each.getKey(),
                            true,
                            byBroker(
                                    "sum by (broker) ("
                                            + rate(
                                                    "kafka_server_brokertopicmetrics_"
                                                            + each.getValue(),
                                                    "",
                                                    range)
                                            + ")",
                                    coarse))
                    .ifPresent(all::add);
        }
        return all;
    }

    private SortedMap<String, SortedMap<Instant, Double>> busy(
            String resource, String range, Window window)
            throws SourceException, InterruptedException {
        return byBroker(
                "max by (broker) (avg_over_time(kafka_broker:saturation:ratio5m{"
                        + question.brokers()
                        + ",resource=\""
                        + resource
                        + "\"}["
                        + range
                        + "]))",
                window);
    }

    private String rate(String metric, String matchers, String range) {
        return "rate(" + metric + "{" + question.brokers() + matchers + "}[" + range + "])";
    }

    private SortedMap<Instant, Double> sum(String expression, Window window)
            throws SourceException, InterruptedException {
        List<Series> answer = range("sum(" + expression + ")", window);
        return answer.isEmpty() ? new TreeMap<>() : answer.get(0).values();
    }

    private SortedMap<String, SortedMap<Instant, Double>> byBroker(String expression, Window window)
            throws SourceException, InterruptedException {
        SortedMap<String, SortedMap<Instant, Double>> all = new TreeMap<>();
        for (Series each : range(expression, window)) {
            all.put(each.label("broker"), each.values());
        }
        return all;
    }

    private List<Series> range(String expression, Window window)
            throws SourceException, InterruptedException {
        return server.range(
                expression,
                window.firstEnd(),
                window.to(),
                window.block(),
                (int) Math.max(1, Duration.ofDays(4).dividedBy(window.block())),
                (done, of) -> steps.at(STEP, done, of));
    }
}
