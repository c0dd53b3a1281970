/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter;

import java.util.List;
import java.util.regex.Pattern;

/**
 * The unit of a metric and what to do when it is high (or, for an idle share, low): the columns of
 * the reference that follow from the name.
 */
final class Advice {

    private record Rule(Pattern name, String text) {
        static Rule of(String name, String text) {
            return new Rule(Pattern.compile(name), text);
        }
    }

    private static final List<Rule> UNITS =
            List.of(
                    Rule.of("_info$|_version$|current_state$", "-"),
                    Rule.of("timems_count$|andtimems_count$", "requests or events"),
                    Rule.of(
                            "timems|time_ms|agems|lagms|lag_ms|_run_ms|latency_(avg|max)$|computationtime$|_timestamp$|load_time_max$",
                            "ms"),
                    Rule.of("_seconds|_secs$", "s"),
                    Rule.of(
                            "idle_?percent$|idle_percent$|blocked_percent$|idle_?ratio|idleratio",
                            "share"),
                    Rule.of("_percent$", "%"),
                    Rule.of("bytes", "bytes"),
                    Rule.of("_rate$", "1/s"),
                    Rule.of("offset|high_watermark", "offset"),
                    Rule.of("(controllerid|current_leader|current_vote)$", "node id"),
                    Rule.of("", "count"));

    private static final List<Rule> ACTIONS =
            List.of(
                    Rule.of("config_error|scrape_error", "the log of the broker says why"),
                    Rule.of(
                            "requestqueuetimems|requestqueuesize",
                            "handlers are busy: look at handler idleness and local time, then more"
                                    + " `num.io.threads` or brokers"),
                    Rule.of(
                            "responsequeue|processor_idlepercent|networkprocessoravgidle",
                            "network threads are busy: more `num.network.threads`, fewer"
                                    + " connections, larger batches"),
                    Rule.of(
                            "localtimems|logflush",
                            "disk or page cache: look at flushes, disk latency, memory"),
                    Rule.of(
                            "remotetimems",
                            "Produce: a slow follower, look at max lag; a fetch: normal"),
                    Rule.of("throttletimems", "a client is over its quota"),
                    Rule.of("responsesend", "slow clients or network"),
                    Rule.of("totaltimems|request_phase_seconds", "see which phase it is"),
                    Rule.of(
                            "requesthandleravgidle",
                            "low: add `num.io.threads`, or spread leaders"),
                    Rule.of(
                            "underreplicated|underminisr|isrshrinks|maxlag",
                            "find the broker that lags: disk, network, replica fetchers"),
                    Rule.of(
                            "offlinepartitions|offlinereplica|offlinelogdirectory|uncleanleader",
                            "at once: a broker or a disk is gone"),
                    Rule.of(
                            "deadthreadcount|failedpartitionscount",
                            "a thread died: its error is in the broker's log; restart the broker"),
                    Rule.of(
                            "fencedbroker|timedoutbrokerheartbeat",
                            "a broker does not reach the controller"),
                    Rule.of("activecontrollercount", "the sum over all brokers must be 1"),
                    Rule.of(
                            "metadata_(load|apply)_error|metadataerrorcount",
                            "the broker's metadata may be wrong: its log says why; restart it"),
                    Rule.of(
                            "last_applied_record_lag|lastappliedrecordlag|eventqueuetimems",
                            "the controller or this broker is overloaded"),
                    Rule.of("purgatory", "requests wait: Produce for followers, Fetch for data"),
                    Rule.of(
                            "failed_authentication|connection_creation",
                            "clients that connect again and again: find them in the broker's log"),
                    Rule.of(
                            "acceptorblocked",
                            "connections come faster than network threads take them"),
                    Rule.of("conversions_total", "old clients: upgrade them"),
                    Rule.of(
                            "errors_total|failed(produce|fetch)requests|expires",
                            "look at which error, and at the clients"),
                    Rule.of(
                            "remotecopylag",
                            "remote storage or the copier threads are too slow: local disks fill"
                                    + " up"),
                    Rule.of("remotestoragethreadpool.*queue", "more `remote.log.reader.threads`"),
                    Rule.of(
                            "dirty_percent|time_since_last_run|max_compaction_delay",
                            "the log cleaner lags or died"),
                    Rule.of(
                            "coordinator.*(queue|load_time)|numgroupspreparing",
                            "the group coordinator is busy, or consumers come and go"),
                    Rule.of("gc_collection", "the heap is too small"),
                    Rule.of("open_fds", "near the limit: raise it, brokers die of it"));

    private Advice() {}

    /** The unit of its value. */
    static String unit(String metric) {
        return first(UNITS, metric);
    }

    /** Empty where nothing follows from a high value. */
    static String action(String metric) {
        return first(ACTIONS, metric);
    }

    private static String first(List<Rule> rules, String metric) {
        return rules.stream()
                .filter(rule -> rule.name().matcher(metric).find())
                .map(Rule::text)
                .findFirst()
                .orElse("");
    }
}
