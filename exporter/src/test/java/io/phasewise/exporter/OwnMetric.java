/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter;

import io.phasewise.exporter.telemetry.DocumentedSignals;
import java.util.List;
import java.util.stream.Stream;

/**
 * A metric that the agent itself brings, beside what the rules make of beans. {@link #ALL} is
 * printed into the README; a broker under the agent may export no other.
 *
 * @param name of the series; of a histogram without its suffixes
 * @param type as Prometheus' text format has it
 * @param labels as a list in one line
 * @param meaning what it counts
 */
record OwnMetric(String name, String type, String labels, String meaning) {

    /** Those of clients that push, printed into docs/client-telemetry.md. */
    static final List<OwnMetric> CLIENTS =
            Stream.concat(
                            DocumentedSignals.map(
                                    (name, type, meaning) ->
                                            new OwnMetric(name, type, "`clients.labels`", meaning))
                                    .stream(),
                            Stream.of(
                                    new OwnMetric(
                                            "kafka_client_instances",
                                            "gauge",
                                            "`clients.labels`",
                                            "clients that push to this broker"),
                                    new OwnMetric(
                                            "kafka_exporter_client_telemetry_active",
                                            "gauge",
                                            "",
                                            "1 once the broker hands over what clients push"),
                                    new OwnMetric(
                                            "kafka_exporter_client_pushes_total",
                                            "counter",
                                            "result",
                                            "pushes that were `accepted`, or refused: `malformed`,"
                                                    + " `too_large`, `dropped` (more than could be"
                                                    + " kept up with), `failed`"),
                                    new OwnMetric(
                                            "kafka_exporter_client_push_bytes_total",
                                            "counter",
                                            "",
                                            "bytes of those accepted, decompressed")))
                    .toList();

    private static final String TOPIC = "kafka_server_brokertopicmetrics_topic_";

    static final List<OwnMetric> ALL =
            List.of(
                    new OwnMetric(
                            "kafka_request_phase_seconds",
                            "histogram",
                            "phase, request",
                            "time of requests by phase, native and classic buckets, from"
                                    + " nanoseconds; the remote phase of FetchConsumer is mostly"
                                    + " waiting for data"),
                    new OwnMetric(
                            "kafka_canary_request_phase_seconds",
                            "histogram",
                            "phase, request",
                            "the same of the canary's own requests"),
                    new OwnMetric("kafka_requests_total", "counter", "api", "requests answered"),
                    new OwnMetric(
                            "kafka_request_errors_total",
                            "counter",
                            "api, error",
                            "errors in responses; a response can carry several"),
                    new OwnMetric(
                            "kafka_broker_config_info",
                            "gauge",
                            "version, rack, num_io_threads, num_network_threads,"
                                    + " num_replica_fetchers, replica_lag_time_max_ms",
                            "1; settings that bear on latency, as the broker was started; empty"
                                    + " where not known"),
                    new OwnMetric(
                            TOPIC + "messagesin_total",
                            "counter",
                            "topic",
                            "records appended; as all of these, of the `topics.top` topics with"
                                    + " the most bytes in and out"),
                    new OwnMetric(
                            TOPIC + "bytesin_total", "counter", "topic", "bytes from producers"),
                    new OwnMetric(
                            TOPIC + "bytesout_total", "counter", "topic", "bytes to consumers"),
                    new OwnMetric(
                            TOPIC + "totalproducerequests_total",
                            "counter",
                            "topic",
                            "produce requests, one for each partition in them"),
                    new OwnMetric(
                            TOPIC + "totalfetchrequests_total",
                            "counter",
                            "topic",
                            "fetch requests, one for each partition in them"),
                    new OwnMetric(
                            TOPIC + "failedproducerequests_total",
                            "counter",
                            "topic",
                            "those that failed"),
                    new OwnMetric(
                            TOPIC + "failedfetchrequests_total",
                            "counter",
                            "topic",
                            "those that failed"),
                    new OwnMetric(
                            "kafka_log_log_size_bytes",
                            "gauge",
                            "",
                            "size of all logs here, summed up every `topics.interval`"),
                    new OwnMetric(
                            "kafka_exporter_request_timing_active",
                            "gauge",
                            "kafka_version",
                            "1 while requests are timed"),
                    new OwnMetric(
                            "kafka_exporter_config_error",
                            "gauge",
                            "",
                            "1 when the configuration file has a fault"),
                    new OwnMetric(
                            "jvm_available_processors",
                            "gauge",
                            "",
                            "processors that the JVM may use"),
                    new OwnMetric("kafka_exporter_scrapes_total", "counter", "", "scrapes"),
                    new OwnMetric(
                            "kafka_exporter_scrape_errors_total",
                            "counter",
                            "",
                            "scrapes from which something is missing"),
                    new OwnMetric(
                            "kafka_exporter_last_scrape_duration_seconds",
                            "gauge",
                            "",
                            "how long the scrape before this one took"),
                    new OwnMetric(
                            "kafka_exporter_last_scrape_series",
                            "gauge",
                            "",
                            "data points in the scrape before this one; a histogram is one"));
}
