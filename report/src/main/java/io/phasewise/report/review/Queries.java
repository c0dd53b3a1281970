/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.review;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/**
 * All PromQL of a review. Rates and increases are of one block each, evaluated at the block's end.
 */
final class Queries {

    /** A label matcher: any series by which a canary's cluster, profile and leaders are known. */
    static final String ANY =
            "__name__=~\"kafka_canary_end_to_end_latency_seconds(_bucket|_count)?"
                    + "|kafka_canary_probes_total"
                    + "|kafka_canary:end_to_end_latency_seconds_by_leader:rate5m\"";

    /** The same of what is scraped, which alone has the site of a canary. */
    private static final String SCRAPED =
            "__name__=~\"kafka_canary_end_to_end_latency_seconds(_bucket|_count)?"
                    + "|kafka_canary_probes_total\"";

    /** The series by which a broker is known. */
    static final String LEADERS = "kafka_server_replicamanager_leadercount";

    private static final String FIRING =
            "count by (alertname) (count_over_time(ALERTS{alertstate=\"firing\",$cluster}[%s]))";
    private static final String TOPICS = "kafka_server_brokertopicmetrics_";
    private static final String NOT_SENT_OR_LOST = "outcome=~\"lost|send_failed\"";

    /** How often a counter is read where there is very much to read. */
    private static final Duration SELDOM = Duration.ofMinutes(30);

    private final String cluster;
    private final String profile;
    private final String canary;

    Queries(Question question) {
        this.cluster = "cluster=" + quoted(question.cluster());
        this.profile = cluster + ",profile=" + quoted(question.profile());
        this.canary = profile + question.site().map(name -> ",site=" + quoted(name)).orElse("");
    }

    /** A string literal of PromQL. */
    static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + '"';
    }

    static String duration(Duration duration) {
        return duration.toSeconds() + "s";
    }

    /**
     * The range over which a counter's rate is that of a block. For long windows of many brokers
     * the counter is sampled every 30 minutes, from the block's begin to its end. After a reset, up
     * to 30 minutes of increase are missed.
     */
    static String counterRange(Window window, Form form) {
        Duration block = window.block();
        if (!form.recorded()) {
            return duration(block);
        }
        Duration step = block.compareTo(SELDOM) < 0 ? block : SELDOM;
        // A second less: Prometheus 2 would read one value more.
        return duration(block.plus(step).minusSeconds(1)) + ":" + duration(step);
    }

    // What there is

    String anyOfCluster() {
        return filled("{" + ANY + ",$cluster}");
    }

    String anyOfCanary() {
        return filled("{" + ANY + ",$canary}");
    }

    String scraped() {
        return "{" + SCRAPED + "," + profile + "}";
    }

    String scrapedWithoutSite() {
        return "{" + SCRAPED + "," + profile + ",site=\"\"}";
    }

    String stored(Form form) {
        String le = form.isNative() ? "le=\"\"" : "le!=\"\"";
        return filled("{__name__=\"%s\",$canary,%s}".formatted(form.series("end_to_end"), le));
    }

    /** The series that each canary has one of, without labels of its own. */
    String target() {
        return filled("kafka_canary_slo_target_seconds{$canary}");
    }

    String objective() {
        return filled("max(kafka_canary_slo_objective_ratio{$canary})");
    }

    // Latencies

    /**
     * How many probes fell into each bucket within a block. What is recorded are rates of five
     * minutes: those at every fifth minute follow each other without gap or overlap.
     *
     * @param what end_to_end, phase or mirror, any of them
     * @param by the label to keep, may be empty
     */
    String histograms(Form form, List<String> what, String by, Window window) {
        String labels = form.isNative() ? by : by.isEmpty() ? "le" : by + ", le";
        String sum = labels.isEmpty() ? "sum(%s)" : "sum by (" + labels + ") (%s)";
        return what.stream()
                .map(
                        each -> {
                            String name = form.series(each) + "{$canary}";
                            return sum.formatted(
                                    form.recorded()
                                            ? recorded(
                                                    by.equals("leader") ? name : whole(name),
                                                    window)
                                            : "increase(%s[%s])"
                                                    .formatted(name, duration(window.block())));
                        })
                .map(this::filled)
                .collect(Collectors.joining(" or "));
    }

    private static String whole(String byLeader) {
        return byLeader.replace("_by_leader:", "_by_cluster:");
    }

    private static String recorded(String rate, Window window) {
        // A second less: Prometheus 2 would count the rate at the block's begin as well.
        String range = duration(window.block().minusSeconds(1));
        return "300 * sum_over_time(%s[%s:5m])".formatted(rate, range);
    }

    /** Probes that ended, of which the objective counts; or those that missed it. */
    String probes(Form form, Window window, boolean bad) {
        return form.recorded()
                ? slo(bad ? "slo_bad_probes" : "slo_probes", "latency", window)
                : total(verdict(bad), window, duration(window.block()));
    }

    String lost(Form form, Window window) {
        return form.recorded()
                ? slo("slo_bad_probes", "availability", window)
                : total(outcome(), window, duration(window.block()));
    }

    /** How much a counter of the canary without labels that matter grew. */
    String counted(String name, Form form, Window window) {
        return total(counter(name), window, counterRange(window, form));
    }

    String probesByLeader(Form form, Window window, boolean bad) {
        return grown("leader", verdict(bad), form, window);
    }

    String lostByLeader(Form form, Window window) {
        return grown("leader", outcome(), form, window);
    }

    String resurfacedByLeader(Form form, Window window) {
        return grown("leader", counter("resurfaced"), form, window);
    }

    /** Seconds that probes that missed the target spent in each phase, and in the mirror. */
    String slow(Form form, Window window) {
        return grown("phase", counter("slow_probes_phase_seconds"), form, window)
                + " or "
                + grown("phase", counter("slow_probes_mirror_seconds"), form, window);
    }

    private static String verdict(boolean bad) {
        String only = bad ? ",verdict=\"bad\"" : "";
        return "kafka_canary_slo_probes_total{$canary" + only + "}";
    }

    private static String outcome() {
        return "kafka_canary_probes_total{$canary," + NOT_SENT_OR_LOST + "}";
    }

    private static String counter(String name) {
        return "kafka_canary_" + name + "_total{$canary}";
    }

    private String slo(String what, String slo, Window window) {
        String rate = "kafka_canary:%s:rate5m{$canary,slo=\"%s\"}".formatted(what, slo);
        return filled("sum(" + recorded(rate, window) + ")");
    }

    private String total(String selector, Window window, String range) {
        long seconds = window.block().toSeconds();
        return filled("sum(%d * rate(%s[%s]))".formatted(seconds, selector, range));
    }

    private String grown(String by, String selector, Form form, Window window) {
        long seconds = window.block().toSeconds();
        String range = counterRange(window, form);
        return filled("sum by (%s) (%d * rate(%s[%s]))".formatted(by, seconds, selector, range));
    }

    // Load

    String bytesIn(String counters) {
        return ofTopics("bytesin", counters);
    }

    String recordsIn(String counters) {
        return ofTopics("messagesin", counters);
    }

    private String ofTopics(String what, String counters) {
        return filled("sum(rate(" + TOPICS + what + "_total{$brokers}[" + counters + "]))");
    }

    String requests(String counters) {
        return filled(
                "sum(rate(kafka_network_requestmetrics_requests_total"
                        + "{$brokers,request=~\"Produce|FetchConsumer\"}[%s]))"
                                .formatted(counters));
    }

    String connections() {
        return filled("sum(kafka_server_socket_server_metrics_connection_count{$brokers})");
    }

    String replicas() {
        return filled("sum(kafka_server_replicamanager_partitioncount{$brokers})");
    }

    /** How busy a resource of each broker was. */
    String saturation(String resource, Window window) {
        return filled(
                "max by (broker) (avg_over_time(kafka_broker:saturation:ratio5m"
                        + "{$brokers,resource=\"%s\"}[%s]))"
                                .formatted(resource, duration(window.block())));
    }

    String handlerThreads() {
        return filled("count by (broker, num_io_threads) (kafka_broker_config_info{$brokers})");
    }

    String processors() {
        return filled("min by (broker) (jvm_available_processors{$brokers})");
    }

    String processorTime(String counters) {
        return filled(
                "sum by (broker) (rate(process_cpu_seconds_total{$brokers}[" + counters + "]))");
    }

    String leadersByBroker() {
        return filled("max by (broker) (" + LEADERS + "{$brokers})");
    }

    String replicasByBroker() {
        return filled("max by (broker) (kafka_server_replicamanager_partitioncount{$brokers})");
    }

    /**
     * @param what bytesin, bytesout or replicationbytesin
     */
    String bytesByBroker(String what, String counters) {
        return filled(
                "sum by (broker) (rate(" + TOPICS + what + "_total{$brokers}[" + counters + "]))");
    }

    // Facts

    String canarySettings() {
        return filled("kafka_canary_config_info{$canary}");
    }

    String brokerSettings() {
        return filled("kafka_broker_config_info{$brokers}");
    }

    /** Has the labels of a broker's target and no others. */
    String brokersTarget() {
        return filled("process_start_time_seconds{$brokers}");
    }

    String versions() {
        return filled("count by (version) (kafka_server_app_info_version{$brokers})");
    }

    String clockUncertainty() {
        return filled("max(kafka_canary_clock_uncertainty_seconds{$canary})");
    }

    String oneWayDelay() {
        return filled("max(kafka_canary_network_one_way_delay_seconds{$canary})");
    }

    // Incidents

    /** Probes, or bad ones, of five minutes. */
    String fiveMinutes(Form form, boolean bad) {
        return filled(
                form.recorded()
                        ? "max(kafka_canary:%s:increase5m{$canary,slo=\"latency\"})"
                                .formatted(bad ? "slo_bad_probes" : "slo_probes")
                        : "sum(increase(" + verdict(bad) + "[5m]))");
    }

    /** Mean of each part of the path, by leader. */
    String means(Form form, String range) {
        String mean =
                form.recorded()
                        ? "avg by (leader, phase)"
                              + " (avg_over_time(kafka_canary:%1$s_latency_seconds_by_leader:mean1m%2$s))"
                        : form.isNative()
                                ? "histogram_avg(sum by (leader, phase)"
                                        + " (rate(kafka_canary_%1$s_latency_seconds%2$s)))"
                                : "sum by (leader, phase)"
                                        + " (rate(kafka_canary_%1$s_latency_seconds_sum%2$s)) / sum"
                                        + " by (leader, phase)"
                                        + " (rate(kafka_canary_%1$s_latency_seconds_count%2$s))";
        String of = "{$canary}[" + range + "]";
        return filled(mean.formatted("phase", of) + " or " + mean.formatted("mirror", of));
    }

    String lostIn(String range) {
        return filled("sum by (leader) (increase(" + outcome() + "[" + range + "]))");
    }

    String alerts(String range) {
        return filled(FIRING.formatted(range));
    }

    String restarts(String range) {
        return filled(
                "sum by (broker) (changes(process_start_time_seconds{$brokers}[%s])) > 0"
                        .formatted(range));
    }

    /** How many of the canary's partitions changed their leader. */
    String moves(String range) {
        return filled(
                "sum(count by (partition) (count by (partition, leader)"
                        + " (count_over_time(kafka_canary_partition_leader_info{$canary}[%s]))) - 1)"
                                .formatted(range));
    }

    /** Whom the rules named, the more the longer and the more probes waited for it. */
    String suspects(String range) {
        return filled(
                "sum by (broker, role, phase, source) (sum_over_time(kafka_suspect{$cluster}[%s]))"
                        .formatted(range));
    }

    // Fleet

    /** Label matchers of all series of the clusters of a fleet. */
    static String clusters(FleetQuestion question) {
        return "cluster!=\"\",cluster=~" + quoted(question.pattern());
    }

    private static String leaders(FleetQuestion question) {
        return "max by (cluster, broker) (%s{broker!=\"\",%s})"
                .formatted(LEADERS, clusters(question));
    }

    static String brokers(FleetQuestion question) {
        return "count by (cluster) (" + leaders(question) + ")";
    }

    static String partitions(FleetQuestion question) {
        return "sum by (cluster) (" + leaders(question) + ")";
    }

    /**
     * @param what bytesin or messagesin
     */
    static String throughput(String what, FleetQuestion question) {
        return "sum by (cluster) (rate(%s%s_total{broker!=\"\",%s}[%s]))"
                .formatted(TOPICS, what, clusters(question), duration(question.window().block()));
    }

    private String filled(String query) {
        return query.replace("$canary", canary)
                .replace("$brokers", cluster + ",broker!=\"\"")
                .replace("$cluster", cluster);
    }
}
