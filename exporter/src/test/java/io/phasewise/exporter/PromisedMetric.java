/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter;

import io.phasewise.lab.kafka.KafkaVersion;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A metric that rules/kafka-broker.yml promises. {@link #ALL} is the one table of them: the
 * integration tests hold real brokers to it, and the README's table is printed from it.
 *
 * @param name of the series; {@code <phase>} stands for each of {@link #PHASES}
 * @param type as Prometheus' text format has it
 * @param labels that every series of it carries, no more and no less
 * @param least plausible value
 * @param most plausible value, infinite when there is no bound
 * @param presence where it is found
 * @param meaning for the README: unit, what it counts
 */
record PromisedMetric(
        String name,
        Type type,
        Set<String> labels,
        double least,
        double most,
        Presence presence,
        String meaning) {

    /** Types of Prometheus' text format. */
    enum Type {
        COUNTER,
        GAUGE,
        SUMMARY,
        UNTYPED;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Where a metric is found. */
    enum Presence {
        /** Every broker, from 3.9 on. */
        ALWAYS(""),
        /** Kafka 4.x only. */
        SINCE_4("Kafka 4"),
        /** Kafka 4.x only, and there only the leader of the metadata quorum. */
        SINCE_4_QUORUM_LEADER("Kafka 4, active controller"),
        /** Only once what it counts has happened. */
        WHEN_IT_HAPPENED("once it happened"),
        /** As the one before, and Kafka 4.x has it from the start. */
        SINCE_4_ELSE_WHEN_IT_HAPPENED("before Kafka 4: once it happened"),
        /** Has no value (NaN) where there is nothing to average. */
        MAYBE_WITHOUT_VALUE("NaN without events"),
        /** Only where tiered storage is switched on. */
        TIERED("tiered storage");

        private final String note;

        Presence(String note) {
            this.note = note;
        }

        String note() {
            return note;
        }
    }

    /** Where the time of a request goes, in the order in which it does. */
    static final List<String> PHASES =
            List.of(
                    "requestqueue",
                    "local",
                    "remote",
                    "throttle",
                    "responsequeue",
                    "responsesend",
                    "total");

    private static final double NO_BOUND = Double.POSITIVE_INFINITY;
    private static final double TEN_MINUTES_MS = 600_000;

    /** The table. */
    static final List<PromisedMetric> ALL =
            Stream.of(
                            requests(),
                            threads(),
                            throughput(),
                            replication(),
                            log(),
                            tiered(),
                            kraft(),
                            coordinators(),
                            process())
                    .flatMap(List::stream)
                    .toList();

    private static List<PromisedMetric> requests() {
        return List.of(
                gauge(
                        "kafka_network_requestmetrics_<phase>timems_mean",
                        "mean time in ms since the broker started",
                        0,
                        TEN_MINUTES_MS,
                        "request"),
                of(
                        "kafka_network_requestmetrics_<phase>timems_count",
                        Type.UNTYPED,
                        "requests timed since the broker started; a counter",
                        0,
                        NO_BOUND,
                        "request"),
                gauge(
                        "kafka_network_requestmetrics_<phase>timems",
                        "percentile in whole ms, of a decaying sample",
                        0,
                        TEN_MINUTES_MS,
                        "request",
                        "quantile"),
                counter(
                        "kafka_network_requestmetrics_requests_total",
                        "requests, by API and version (`Fetch` is the sum of both kinds)",
                        "request",
                        "version"),
                counter(
                                "kafka_network_requestmetrics_errors_total",
                                "errors in responses, by API and error code; a response can carry"
                                        + " one for each partition",
                                "request",
                                "error")
                        .found(Presence.WHEN_IT_HAPPENED),
                gauge(
                        "kafka_network_requestchannel_requestqueuesize",
                        "requests that wait for a request handler; at most"
                                + " `queued.max.requests`",
                        0,
                        500),
                gauge(
                        "kafka_network_requestchannel_responsequeuesize",
                        "responses that wait for a network thread",
                        0,
                        1e6));
    }

    private static List<PromisedMetric> threads() {
        return List.of(
                gauge(
                        "kafka_network_socketserver_networkprocessoravgidlepercent",
                        "idle share of the network threads, 0 to 1",
                        0,
                        1.05),
                gauge(
                        "kafka_network_processor_idlepercent",
                        "the same of one network thread, 0 to 1",
                        0,
                        1.05,
                        "networkProcessor"),
                gauge(
                        "kafka_network_acceptor_acceptorblocked_percent",
                        "share of the last minute in which accepting connections was blocked, 0"
                                + " to 1",
                        0,
                        1.05,
                        "listener"),
                gauge(
                        "kafka_server_kafkarequesthandlerpool_requesthandleravgidle_percent",
                        "idle share of the request handlers in the last minute, 0 to 1 (to 2 in"
                                + " combined mode where the broker's own is missing)",
                        0,
                        2.1),
                counter(
                        "kafka_server_kafkarequesthandlerpool_requesthandleravgidle_seconds_total",
                        "idle seconds of the request handlers, mean over all of them; `rate()`"
                                + " is the idle share of any window"),
                gauge(
                                "kafka_server_kafkarequesthandlerpool_brokerrequesthandleravgidle_percent",
                                "idle share of the broker's handlers alone",
                                0,
                                1.05)
                        .found(Presence.SINCE_4),
                counter(
                                "kafka_server_kafkarequesthandlerpool_brokerrequesthandleravgidle_seconds_total",
                                "idle seconds of the broker's handlers alone")
                        .found(Presence.SINCE_4),
                gauge(
                                "kafka_server_kafkarequesthandlerpool_controllerrequesthandleravgidle_percent",
                                "idle share of the controller's handlers alone",
                                0,
                                1.05)
                        .found(Presence.SINCE_4),
                counter(
                                "kafka_server_kafkarequesthandlerpool_controllerrequesthandleravgidle_seconds_total",
                                "idle seconds of the controller's handlers alone")
                        .found(Presence.SINCE_4),
                gauge(
                        "kafka_server_socket_server_metrics_connection_count",
                        "open connections",
                        0,
                        1e5,
                        "listener",
                        "networkProcessor"),
                counter(
                        "kafka_server_socket_server_metrics_connection_creation_total",
                        "connections opened",
                        "listener",
                        "networkProcessor"),
                counter(
                        "kafka_server_socket_server_metrics_connection_close_total",
                        "connections closed",
                        "listener",
                        "networkProcessor"),
                counter(
                        "kafka_server_socket_server_metrics_successful_authentication_total",
                        "clients that authenticated",
                        "listener",
                        "networkProcessor"),
                counter(
                        "kafka_server_socket_server_metrics_failed_authentication_total",
                        "clients that failed to",
                        "listener",
                        "networkProcessor"),
                gauge(
                        "kafka_network_socketserver_expiredconnectionskilledcount",
                        "connections closed because their session had expired",
                        0,
                        NO_BOUND));
    }

    private static List<PromisedMetric> throughput() {
        return List.of(
                counter("kafka_server_brokertopicmetrics_messagesin_total", "records appended"),
                counter("kafka_server_brokertopicmetrics_bytesin_total", "bytes from producers"),
                counter("kafka_server_brokertopicmetrics_bytesout_total", "bytes to consumers"),
                counter(
                        "kafka_server_brokertopicmetrics_bytesrejected_total",
                        "bytes of batches over `max.message.bytes`"),
                counter(
                        "kafka_server_brokertopicmetrics_replicationbytesin_total",
                        "bytes fetched as a follower"),
                counter(
                        "kafka_server_brokertopicmetrics_replicationbytesout_total",
                        "bytes sent to followers"),
                counter(
                        "kafka_server_brokertopicmetrics_reassignmentbytesin_total",
                        "the same, for reassignments"),
                counter(
                        "kafka_server_brokertopicmetrics_reassignmentbytesout_total",
                        "the same, for reassignments"),
                counter(
                        "kafka_server_brokertopicmetrics_totalproducerequests_total",
                        "produce requests, one for each partition in them"),
                counter(
                        "kafka_server_brokertopicmetrics_totalfetchrequests_total",
                        "fetch requests, one for each partition in them"),
                counter(
                        "kafka_server_brokertopicmetrics_failedproducerequests_total",
                        "those that failed"),
                counter(
                        "kafka_server_brokertopicmetrics_failedfetchrequests_total",
                        "those that failed"),
                counter(
                        "kafka_server_brokertopicmetrics_producemessageconversions_total",
                        "batches converted from an old format"),
                counter(
                        "kafka_server_brokertopicmetrics_fetchmessageconversions_total",
                        "batches converted to an old format"));
    }

    private static List<PromisedMetric> replication() {
        return List.of(
                gauge(
                        "kafka_server_replicamanager_underreplicatedpartitions",
                        "partitions led here that have a replica out of sync (1)",
                        0,
                        1e5),
                gauge(
                        "kafka_server_replicamanager_underminisrpartitioncount",
                        "partitions led here with fewer in-sync replicas than"
                                + " `min.insync.replicas`: acks=all fails (1)",
                        0,
                        1e5),
                gauge(
                        "kafka_server_replicamanager_atminisrpartitioncount",
                        "partitions led here with exactly that many (2)",
                        0,
                        1e5),
                gauge(
                        "kafka_server_replicamanager_offlinereplicacount",
                        "replicas here on a failed log directory (2)",
                        0,
                        1e5),
                gauge("kafka_server_replicamanager_leadercount", "partitions led here (2)", 1, 1e5),
                gauge("kafka_server_replicamanager_partitioncount", "replicas here", 1, 1e5),
                gauge(
                        "kafka_server_replicamanager_reassigningpartitions",
                        "partitions led here that are being moved (2)",
                        0,
                        1e5),
                gauge(
                        "kafka_server_replicamanager_produceridcount",
                        "producers whose state is kept (3)",
                        0,
                        1e6),
                gauge(
                        "kafka_server_replicamanager_partitionswithlatetransactionscount",
                        "partitions with a transaction open for too long (3)",
                        0,
                        1e5),
                counter(
                        "kafka_server_replicamanager_isrshrinks_total",
                        "in-sync replica sets made smaller by this leader"),
                counter(
                        "kafka_server_replicamanager_isrexpands_total",
                        "in-sync replica sets made larger by this leader"),
                counter(
                        "kafka_server_replicamanager_failedisrupdates_total",
                        "changes of in-sync replica sets that the controller refused"),
                gauge(
                        "kafka_server_replicafetchermanager_maxlag",
                        "records by which the furthest behind of the replicas here lags its"
                                + " leader",
                        0,
                        1e9,
                        "clientId"),
                gauge(
                        "kafka_server_replicafetchermanager_failedpartitionscount",
                        "partitions that a replica fetcher gave up",
                        0,
                        1e5,
                        "clientId"),
                gauge(
                        "kafka_server_replicafetchermanager_deadthreadcount",
                        "replica fetchers that died",
                        0,
                        1e3,
                        "clientId"),
                gauge(
                        "kafka_server_delayedoperationpurgatory_purgatorysize",
                        "watches of waiting requests: `Produce` for in-sync replicas, `Fetch` for"
                                + " data, `Rebalance` for members, `RemoteFetch` for tiered"
                                + " storage, ...",
                        0,
                        1e6,
                        "delayedOperation"),
                gauge(
                        "kafka_server_delayedoperationpurgatory_numdelayedoperations",
                        "waiting requests",
                        0,
                        1e6,
                        "delayedOperation"),
                counter(
                                "kafka_server_delayedproducemetrics_expires_total",
                                "partitions of produce requests that timed out waiting for"
                                        + " in-sync replicas")
                        .found(Presence.SINCE_4_ELSE_WHEN_IT_HAPPENED),
                counter(
                                "kafka_server_delayedfetchmetrics_expires_total",
                                "fetch requests answered because `fetch.max.wait.ms` ran out:"
                                        + " normal without traffic",
                                "fetcherType")
                        .found(Presence.WHEN_IT_HAPPENED),
                gauge(
                        "kafka_server_fetchsessioncache_numincrementalfetchsessions",
                        "fetch sessions kept",
                        0,
                        1e5),
                gauge(
                        "kafka_server_fetchsessioncache_numincrementalfetchpartitionscached",
                        "partitions in them",
                        0,
                        1e7),
                counter(
                        "kafka_server_fetchsessioncache_incrementalfetchsessionevictions_total",
                        "fetch sessions evicted because the cache was full"));
    }

    private static List<PromisedMetric> log() {
        return List.of(
                of(
                        "kafka_log_logflushstats_logflushrateandtimems_count",
                        Type.UNTYPED,
                        "log flushes (fsync) since the broker started; a counter",
                        0,
                        NO_BOUND),
                gauge(
                        "kafka_log_logflushstats_logflushrateandtimems_mean",
                        "mean time of a flush in ms since the broker started",
                        0,
                        TEN_MINUTES_MS),
                gauge(
                        "kafka_log_logflushstats_logflushrateandtimems",
                        "percentile in ms, of a decaying sample",
                        0,
                        TEN_MINUTES_MS,
                        "quantile"),
                gauge(
                        "kafka_log_logmanager_offlinelogdirectorycount",
                        "log directories that failed",
                        0,
                        100),
                gauge("kafka_log_logcleaner_deadthreadcount", "cleaner threads that died", 0, 100),
                gauge(
                        "kafka_log_logcleaner_cleaner_recopy_percent",
                        "share of bytes that the last cleaning kept, 0 to 100",
                        0,
                        100),
                gauge(
                        "kafka_log_logcleaner_max_buffer_utilization_percent",
                        "use of the fullest cleaner buffer, 0 to 100",
                        0,
                        100),
                gauge(
                        "kafka_log_logcleaner_max_compaction_delay_secs",
                        "longest delay past `max.compaction.lag.ms`, in seconds",
                        0,
                        NO_BOUND),
                gauge(
                        "kafka_log_logcleaner_max_clean_time_secs",
                        "longest last cleaning of a cleaner thread, in seconds (meaningless before"
                                + " the first)",
                        Double.NEGATIVE_INFINITY,
                        NO_BOUND),
                gauge(
                        "kafka_log_logcleanermanager_max_dirty_percent",
                        "dirty share of the dirtiest compacted log, 0 to 100",
                        0,
                        100),
                gauge(
                        "kafka_log_logcleanermanager_time_since_last_run_ms",
                        "ms since the cleaner last looked for work",
                        0,
                        TEN_MINUTES_MS));
    }

    private static List<PromisedMetric> tiered() {
        return List.of(
                counter(
                                "kafka_server_brokertopicmetrics_remotecopybytes_total",
                                "bytes copied to remote storage")
                        .found(Presence.TIERED),
                counter(
                                "kafka_server_brokertopicmetrics_remotefetchbytes_total",
                                "bytes read from it")
                        .found(Presence.TIERED),
                counter(
                                "kafka_server_brokertopicmetrics_remotecopyrequests_total",
                                "segments copied to it")
                        .found(Presence.TIERED),
                counter(
                                "kafka_server_brokertopicmetrics_remotefetchrequests_total",
                                "reads from it")
                        .found(Presence.TIERED),
                counter(
                                "kafka_server_brokertopicmetrics_remotedeleterequests_total",
                                "deletions in it")
                        .found(Presence.TIERED),
                counter(
                                "kafka_server_brokertopicmetrics_buildremotelogauxstaterequests_total",
                                "times that a follower rebuilt its state from it")
                        .found(Presence.TIERED),
                counter(
                                "kafka_server_brokertopicmetrics_remotecopyerrors_total",
                                "copies that failed")
                        .found(Presence.TIERED),
                counter(
                                "kafka_server_brokertopicmetrics_remotefetcherrors_total",
                                "reads that failed")
                        .found(Presence.TIERED),
                counter(
                                "kafka_server_brokertopicmetrics_remotedeleteerrors_total",
                                "deletions that failed")
                        .found(Presence.TIERED),
                counter(
                                "kafka_server_brokertopicmetrics_buildremotelogauxstateerrors_total",
                                "rebuilds that failed")
                        .found(Presence.TIERED),
                gauge(
                                "kafka_server_brokertopicmetrics_remotecopylagbytes",
                                "bytes that are due to be copied and are not",
                                0,
                                NO_BOUND)
                        .found(Presence.TIERED),
                gauge(
                                "kafka_server_brokertopicmetrics_remotecopylagsegments",
                                "segments that are",
                                0,
                                NO_BOUND)
                        .found(Presence.TIERED),
                gauge(
                                "kafka_server_brokertopicmetrics_remotedeletelagbytes",
                                "bytes that are due to be deleted and are not",
                                0,
                                NO_BOUND)
                        .found(Presence.TIERED),
                gauge(
                                "kafka_server_brokertopicmetrics_remotedeletelagsegments",
                                "segments that are",
                                0,
                                NO_BOUND)
                        .found(Presence.TIERED),
                gauge(
                                "kafka_server_brokertopicmetrics_remotelogmetadatacount",
                                "segments known in remote storage",
                                0,
                                NO_BOUND)
                        .found(Presence.TIERED),
                gauge(
                                "kafka_server_brokertopicmetrics_remotelogsizebytes",
                                "bytes in remote storage",
                                0,
                                NO_BOUND)
                        .found(Presence.TIERED),
                gauge(
                                "kafka_server_brokertopicmetrics_remotelogsizecomputationtime",
                                "ms to compute them",
                                0,
                                NO_BOUND)
                        .found(Presence.TIERED),
                gauge(
                                "kafka_log_remote_remotestoragethreadpool_remotelogreadertaskqueuesize",
                                "reads that wait for a thread",
                                0,
                                NO_BOUND)
                        .found(Presence.TIERED),
                gauge(
                                "kafka_log_remote_remotestoragethreadpool_remotelogreaderavgidlepercent",
                                "idle share of the reader threads, 0 to 1",
                                0,
                                1.05)
                        .found(Presence.TIERED),
                gauge(
                                "kafka_log_remote_remotelogmanager_remotelogmanagertasksavgidlepercent",
                                "idle share of the copying and deleting threads, 0 to 1",
                                0,
                                1.05)
                        .found(Presence.TIERED),
                gauge(
                                "kafka_log_remote_remotelogmanager_remotelogreaderfetchrateandtimems_mean",
                                "mean time of a read in ms since the broker started",
                                0,
                                TEN_MINUTES_MS)
                        .found(Presence.TIERED),
                of(
                                "kafka_log_remote_remotelogmanager_remotelogreaderfetchrateandtimems_count",
                                Type.UNTYPED,
                                "reads from remote storage since the broker started; a counter",
                                0,
                                NO_BOUND)
                        .found(Presence.TIERED));
    }

    private static List<PromisedMetric> coordinators() {
        return List.of(
                gauge(
                        "kafka_coordinator_group_groupmetadatamanager_numgroupsstable",
                        "consumer groups at rest",
                        0,
                        1e6),
                gauge(
                        "kafka_coordinator_group_groupmetadatamanager_numgroupspreparingrebalance",
                        "groups that wait for members to join",
                        0,
                        1e6),
                gauge(
                        "kafka_coordinator_group_groupmetadatamanager_numgroupscompletingrebalance",
                        "groups that wait for the assignment",
                        0,
                        1e6),
                gauge(
                        "kafka_coordinator_group_groupmetadatamanager_numgroupsempty",
                        "groups without members",
                        0,
                        1e6),
                gauge(
                        "kafka_coordinator_group_groupmetadatamanager_numgroupsdead",
                        "groups about to be removed",
                        0,
                        1e6),
                gauge(
                                "kafka_server_group_coordinator_metrics_event_queue_size",
                                "events that wait for a thread of the group coordinator",
                                0,
                                1e6)
                        .found(Presence.SINCE_4),
                gauge(
                                "kafka_server_group_coordinator_metrics_event_queue_time_ms_max",
                                "longest wait of an event in the last windows, ms",
                                0,
                                TEN_MINUTES_MS)
                        .found(Presence.SINCE_4),
                gauge(
                                "kafka_server_group_coordinator_metrics_event_processing_time_ms_max",
                                "longest processing of one, ms",
                                0,
                                TEN_MINUTES_MS)
                        .found(Presence.SINCE_4),
                gauge(
                                "kafka_server_group_coordinator_metrics_thread_idle_ratio_avg",
                                "idle share of its threads, 0 to 1",
                                0,
                                1.05)
                        .found(Presence.SINCE_4),
                gauge(
                                "kafka_server_group_coordinator_metrics_partition_load_time_max",
                                "longest load of a partition of the group coordinator's log in the"
                                        + " last windows, ms",
                                0,
                                TEN_MINUTES_MS)
                        .found(Presence.MAYBE_WITHOUT_VALUE),
                gauge(
                                "kafka_server_transaction_coordinator_metrics_partition_load_time_max",
                                "longest load of a partition of the transaction coordinator's log"
                                        + " in the last windows, ms",
                                0,
                                TEN_MINUTES_MS)
                        .found(Presence.MAYBE_WITHOUT_VALUE),
                of(
                        "kafka_server_group_coordinator_metrics_offset_commit_count",
                        Type.UNTYPED,
                        "offset commits; a counter",
                        0,
                        NO_BOUND),
                of(
                        "kafka_server_group_coordinator_metrics_offset_expiration_count",
                        Type.UNTYPED,
                        "offsets expired; a counter",
                        0,
                        NO_BOUND),
                of(
                        "kafka_server_group_coordinator_metrics_group_completed_rebalance_count",
                        Type.UNTYPED,
                        "rebalances of classic groups; a counter",
                        0,
                        NO_BOUND),
                of(
                                "kafka_server_group_coordinator_metrics_consumer_group_rebalance_count",
                                Type.UNTYPED,
                                "rebalances of consumer groups; a counter",
                                0,
                                NO_BOUND)
                        .found(Presence.SINCE_4),
                gauge(
                        "kafka_coordinator_transaction_transactionmarkerchannelmanager_logappendretryqueuesize",
                        "transactions whose end could not be written yet",
                        0,
                        1e6),
                gauge(
                        "kafka_coordinator_transaction_transactionmarkerchannelmanager_unknowndestinationqueuesize",
                        "transaction markers for brokers that are not known",
                        0,
                        1e6));
    }

    private static List<PromisedMetric> kraft() {
        return List.of(
                gauge(
                        "kafka_server_kafkaserver_brokerstate",
                        "1 starting, 2 recovery, 3 running, 6 pending shutdown, 7 shutting down",
                        0,
                        127),
                gauge(
                        "kafka_server_app_info_version",
                        "1; version of Kafka in the label",
                        1,
                        1,
                        "version"),
                gauge(
                        "kafka_server_raft_metrics_current_state",
                        "1; role in the metadata quorum in the label: leader, follower,"
                                + " observer, ...",
                        1,
                        1,
                        "state"),
                gauge(
                        "kafka_server_raft_metrics_current_leader",
                        "node id of the active controller, -1 unknown",
                        -1,
                        1e4),
                gauge(
                        "kafka_server_raft_metrics_current_vote",
                        "node id voted for, or -1",
                        -1,
                        1e4),
                gauge("kafka_server_raft_metrics_current_epoch", "epoch of the quorum", 0, 1e6),
                gauge(
                        "kafka_server_raft_metrics_high_watermark",
                        "offset up to which the metadata log is committed, -1 unknown",
                        -1,
                        NO_BOUND),
                gauge(
                        "kafka_server_raft_metrics_log_end_offset",
                        "end of the metadata log here",
                        0,
                        NO_BOUND),
                gauge("kafka_server_raft_metrics_log_end_epoch", "epoch of that end", 0, 1e6),
                gauge(
                                "kafka_server_raft_metrics_commit_latency_avg",
                                "ms to commit a metadata record, mean of the last windows; only"
                                        + " the leader has it",
                                0,
                                TEN_MINUTES_MS)
                        .found(Presence.MAYBE_WITHOUT_VALUE),
                gauge(
                                "kafka_server_raft_metrics_commit_latency_max",
                                "the longest of them, in ms",
                                0,
                                TEN_MINUTES_MS)
                        .found(Presence.MAYBE_WITHOUT_VALUE),
                gauge(
                                "kafka_server_raft_metrics_election_latency_avg",
                                "ms to elect a leader, mean of the last windows",
                                0,
                                TEN_MINUTES_MS)
                        .found(Presence.MAYBE_WITHOUT_VALUE),
                gauge(
                                "kafka_server_raft_metrics_election_latency_max",
                                "the longest of them, in ms",
                                0,
                                TEN_MINUTES_MS)
                        .found(Presence.MAYBE_WITHOUT_VALUE),
                gauge(
                        "kafka_server_raft_metrics_append_records_rate",
                        "metadata records appended per second, as the leader",
                        0,
                        1e6),
                gauge(
                        "kafka_server_raft_metrics_fetch_records_rate",
                        "metadata records fetched per second, as a follower",
                        0,
                        1e6),
                gauge(
                        "kafka_server_raft_metrics_poll_idle_ratio_avg",
                        "idle share of the quorum's thread, 0 to 1",
                        0,
                        1.05),
                gauge(
                        "kafka_server_raft_metrics_number_unknown_voter_connections",
                        "voters whose address is unknown",
                        0,
                        100),
                gauge("kafka_server_raft_metrics_number_of_voters", "voters", 1, 100)
                        .found(Presence.SINCE_4),
                gauge("kafka_server_raft_metrics_number_of_observers", "observers", 0, 1e4)
                        .found(Presence.SINCE_4_QUORUM_LEADER),
                gauge(
                                "kafka_server_raft_metrics_uncommitted_voter_change",
                                "1 while a change of voters is not committed",
                                0,
                                1)
                        .found(Presence.SINCE_4_QUORUM_LEADER),
                gauge(
                        "kafka_server_broker_metadata_metrics_last_applied_record_offset",
                        "offset in the metadata log up to which this broker acts on it",
                        0,
                        NO_BOUND),
                gauge(
                        "kafka_server_broker_metadata_metrics_last_applied_record_timestamp",
                        "its time, ms since the epoch",
                        0,
                        NO_BOUND),
                gauge(
                        "kafka_server_broker_metadata_metrics_last_applied_record_lag_ms",
                        "its age in ms; below 1,000 on a broker that keeps up",
                        0,
                        NO_BOUND),
                gauge(
                        "kafka_server_broker_metadata_metrics_metadata_load_error_count",
                        "errors in reading the metadata log",
                        0,
                        NO_BOUND),
                gauge(
                        "kafka_server_broker_metadata_metrics_metadata_apply_error_count",
                        "errors in acting on it",
                        0,
                        NO_BOUND),
                gauge(
                                "kafka_server_broker_metadata_metrics_ignored_static_voters",
                                "1 when `controller.quorum.voters` is set but not used",
                                0,
                                1)
                        .found(Presence.SINCE_4),
                gauge(
                        "kafka_server_metadataloader_currentcontrollerid",
                        "node id of the active controller as the broker sees it",
                        -1,
                        1e4),
                gauge(
                        "kafka_server_metadataloader_currentmetadataversion",
                        "feature level of metadata.version",
                        1,
                        1e3),
                gauge(
                        "kafka_server_metadataloader_handleloadsnapshotcount",
                        "metadata snapshots loaded",
                        0,
                        1e6),
                gauge(
                                "kafka_server_metadataloader_avgidleratio",
                                "idle share of the metadata loader, 0 to 1",
                                0,
                                1.05)
                        .found(Presence.SINCE_4),
                gauge(
                        "kafka_server_snapshotemitter_latestsnapshotgeneratedagems",
                        "age of the latest metadata snapshot in ms",
                        0,
                        NO_BOUND),
                gauge(
                        "kafka_server_snapshotemitter_latestsnapshotgeneratedbytes",
                        "its size",
                        0,
                        NO_BOUND),
                controller("activecontrollercount", "1 on the active controller"),
                controller("activebrokercount", "brokers registered and not fenced"),
                controller("fencedbrokercount", "brokers registered and fenced"),
                controller("globaltopiccount", "topics"),
                controller("globalpartitioncount", "partitions"),
                controller("offlinepartitionscount", "partitions without a leader"),
                controller(
                        "preferredreplicaimbalancecount",
                        "partitions not led by their preferred leader"),
                controller("metadataerrorcount", "errors in acting on the metadata log"),
                controller("lastappliedrecordlagms", "as above, of the controller"),
                controller("lastappliedrecordoffset", "as above, of the controller"),
                controller("lastcommittedrecordoffset", "as above, of the controller"),
                controller("timedoutbrokerheartbeatcount", "heartbeats of brokers that timed out"),
                controller("eventqueueoperationsstartedcount", "controller operations begun"),
                controller("eventqueueoperationstimedoutcount", "those that timed out"),
                controller("newactivecontrollerscount", "elections of a controller seen here"),
                of(
                        "kafka_controller_controllereventmanager_eventqueuetimems_count",
                        Type.UNTYPED,
                        "controller events; a counter",
                        0,
                        NO_BOUND),
                gauge(
                        "kafka_controller_controllereventmanager_eventqueuetimems_mean",
                        "mean wait of an event in ms since the start",
                        0,
                        TEN_MINUTES_MS),
                of(
                        "kafka_controller_controllereventmanager_eventqueueprocessingtimems_count",
                        Type.UNTYPED,
                        "controller events; a counter",
                        0,
                        NO_BOUND),
                gauge(
                        "kafka_controller_controllereventmanager_eventqueueprocessingtimems_mean",
                        "mean processing time of an event in ms since the start",
                        0,
                        TEN_MINUTES_MS),
                gauge(
                                "kafka_controller_controllereventmanager_avgidleratio",
                                "idle share of the controller's thread, 0 to 1",
                                0,
                                1.05)
                        .found(Presence.SINCE_4),
                counter(
                        "kafka_controller_controllerstats_uncleanleaderelections_total",
                        "leaders elected from outside the in-sync replicas: data may be lost"),
                counter(
                                "kafka_controller_controllerstats_electionfromeligibleleaderreplicas_total",
                                "leaders elected from the eligible leader replicas")
                        .found(Presence.SINCE_4),
                gauge(
                        "kafka_coordinator_group_groupmetadatamanager_numgroups",
                        "groups coordinated here",
                        0,
                        1e6),
                gauge(
                        "kafka_coordinator_group_groupmetadatamanager_numoffsets",
                        "offsets kept for them",
                        0,
                        1e8));
    }

    private static List<PromisedMetric> process() {
        return List.of(
                of(
                        "jvm_gc_collection_seconds_count",
                        Type.SUMMARY,
                        "garbage collections",
                        0,
                        NO_BOUND,
                        "gc"),
                of(
                        "jvm_gc_collection_seconds_sum",
                        Type.SUMMARY,
                        "seconds spent in them",
                        0,
                        NO_BOUND,
                        "gc"),
                gauge(
                        "jvm_memory_used_bytes",
                        "bytes used, `heap` and `nonheap`",
                        1,
                        NO_BOUND,
                        "area"),
                gauge(
                        "jvm_memory_max_bytes",
                        "bytes at most, -1 without a bound",
                        -1,
                        NO_BOUND,
                        "area"),
                gauge("jvm_threads_current", "threads", 1, 1e5),
                gauge("process_open_fds", "open file descriptors, counted every minute", 1, 1e7),
                gauge("process_max_fds", "file descriptors allowed", 1, NO_BOUND),
                counter("process_cpu_seconds_total", "CPU time"),
                gauge(
                        "process_start_time_seconds",
                        "when the broker started, seconds since the epoch",
                        1e9,
                        NO_BOUND),
                gauge(
                        "jmx_scrape_duration_seconds",
                        "how long the collector took in the scrape before this one, with this agent"
                                + " only for what it alone can read",
                        0,
                        60),
                gauge("jmx_scrape_error", "1 when a scrape failed", 0, 0));
    }

    private static PromisedMetric controller(String name, String meaning) {
        return gauge("kafka_controller_kafkacontroller_" + name, meaning, -1, NO_BOUND);
    }

    private static PromisedMetric counter(String name, String meaning, String... labels) {
        return of(name, Type.COUNTER, meaning, 0, NO_BOUND, labels);
    }

    private static PromisedMetric gauge(
            String name, String meaning, double least, double most, String... labels) {
        return of(name, Type.GAUGE, meaning, least, most, labels);
    }

    private static PromisedMetric of(
            String name, Type type, String meaning, double least, double most, String... labels) {
        return new PromisedMetric(
                name, type, Set.of(labels), least, most, Presence.ALWAYS, meaning);
    }

    private PromisedMetric found(Presence where) {
        return new PromisedMetric(name, type, labels, least, most, where, meaning);
    }

    /** The names of the series, one unless it is one for each phase. */
    List<String> names() {
        return name.contains("<phase>")
                ? PHASES.stream().map(phase -> name.replace("<phase>", phase)).toList()
                : List.of(name);
    }

    /** Whether a broker of this version must have it after a little traffic. */
    boolean isDueIn(KafkaVersion version) {
        return switch (presence) {
            case ALWAYS, WHEN_IT_HAPPENED, MAYBE_WITHOUT_VALUE, TIERED -> true;
            case SINCE_4, SINCE_4_QUORUM_LEADER, SINCE_4_ELSE_WHEN_IT_HAPPENED ->
                    version != KafkaVersion.V3_9;
        };
    }

    /** On how many brokers it must be found, at least, where it is due. */
    int leastBrokers(int brokers) {
        return switch (presence) {
            case TIERED -> 0;
            case WHEN_IT_HAPPENED, SINCE_4_QUORUM_LEADER -> 1;
            default -> brokers;
        };
    }

    /** Whether the value makes sense. */
    boolean isPlausible(double value) {
        return presence == Presence.MAYBE_WITHOUT_VALUE && Double.isNaN(value)
                || value >= least && value <= most;
    }
}
