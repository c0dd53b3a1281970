/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.marks;

import io.phasewise.exporter.instrument.CallSite;
import io.phasewise.exporter.instrument.Hook;
import java.util.List;

/**
 * Where the classes of Kafka 3.7 to 4.4 report appends, fetches of followers, watermarks, leadership
 * and the work of network and fetcher threads, and what they must look like.
 */
final class MarkHooks {

    static final String APPENDS = "log_appends";
    static final String LEADER_APPENDS = "leader_appends";
    static final String FOLLOWERS = "follower_fetches";
    static final String WATERMARKS = "watermarks";
    static final String LEADERSHIP = "leadership";
    static final String RECEIPTS = "request_receipts";
    static final String NETWORK_THREADS = "network_threads";
    static final String REPLICA_FETCHES = "replica_fetches";

    private static final String PARTITION = "kafka.cluster.Partition";
    private static final String TOPIC_PARTITION = "Lorg/apache/kafka/common/TopicPartition;";
    private static final String OBJECT = "Ljava/lang/Object;";

    /** Before 4.1, and since. Kafka 4.0 has a class of helpers by the second name. */
    private static final List<String> LOGS =
            List.of("kafka.log.UnifiedLog", "org.apache.kafka.storage.internals.log.UnifiedLog");

    private MarkHooks() {}

    /**
     * Every hook that marks need. If one of them is missing, there are no marks; only the hook of
     * receipts may be missing.
     *
     * @param off called when one fails
     */
    static List<Hook> marks(Runnable off) {
        String loss = "records are not followed from append to commit, everything else goes on";
        return List.of(
                new Hook(
                        LEADER_APPENDS,
                        loss,
                        off,
                        new CallSite(PARTITION, "appendRecordsToLeader", "\\(.*\\).*")
                                .begin(MarkAdvice.class, "leaderAppends")
                                .onlyIf("isMarked", 1)
                                .passing("topicPartition", TOPIC_PARTITION)
                                .passing("topicId()", OBJECT)
                                .passing("leaderEpoch", "I")
                                .passing("partitionState.maximalIsr()", OBJECT)
                                .passing("localBrokerId", "I")),
                new Hook(
                        FOLLOWERS,
                        loss,
                        off,
                        new CallSite(PARTITION, "updateFollowerFetchState", "\\(.*\\)V")
                                .begin(MarkAdvice.class, "followerFetches")
                                .onlyIf("isAnyPending", 0)
                                .passing("topicPartition", TOPIC_PARTITION)
                                .passingOf(0, "brokerId()", "I")
                                .passingOf(1, "messageOffset", "J")),
                new Hook(
                        WATERMARKS,
                        loss,
                        off,
                        LOGS.stream().map(MarkHooks::watermark).toArray(CallSite[]::new)),
                new Hook(
                        LEADERSHIP,
                        loss,
                        off,
                        partition("makeFollower", "\\(.*\\)Z", "leadsNoMore"),
                        partition("delete", "\\(\\)V", "deletes"),
                        partition("truncateTo", "\\(JZ\\)V", "truncates"),
                        partition("truncateFullyAndStartAt", "\\(JZ.*\\)V", "truncates")));
    }

    /**
     * Tells when the request that a thread works on was received.
     *
     * @param off called when it fails
     */
    static Hook receipts(Runnable off) {
        return new Hook(
                RECEIPTS,
                "the time that a follower's fetch waits at the leader is charged to the follower",
                off,
                new CallSite("kafka.server.KafkaApis", "handle", "\\(.*\\)V")
                        .begin(MarkAdvice.class, "requestBegins")
                        .passingOf(0, "startTimeNanos()", "J")
                        .thenAtReturn("requestEnds"));
    }

    /**
     * Times appends.
     *
     * @param off called when it fails
     */
    static Hook appends(Runnable off) {
        return new Hook(
                APPENDS,
                "appends to logs are not timed and records not followed, everything else goes on",
                off,
                LOGS.stream().map(MarkHooks::append).toArray(CallSite[]::new));
    }

    /**
     * Tells when network threads are busy, and when they wait for room in the request queue. Without the
     * third, a wait for the request queue would look like work of the network thread.
     *
     * @param off called when it fails
     */
    static Hook networkThreads(Runnable off) {
        return new Hook(
                NETWORK_THREADS,
                "it is not known when network threads are busy, everything else goes on",
                off,
                new CallSite("kafka.network.Processor", "run", "\\(\\)V")
                        .begin(NetworkAdvice.class, "threadBegins")
                        .passing("id", "I")
                        .passing("apiVersionManager.listenerType()", OBJECT),
                new CallSite("org.apache.kafka.common.network.Selector", "select", "\\(J\\)I")
                        .begin(NetworkAdvice.class, "selects")
                        .onlyIf("isServers", 1)
                        .passing("recordTimePerConnection", "Z")
                        .thenAtReturnPassing("selected", "recordTimePerConnection", "Z"),
                new CallSite("kafka.network.RequestChannel", "sendRequest", "\\(.*\\)V")
                        .begin(NetworkAdvice.class, "sends")
                        .thenAtReturn("sent"));
    }

    /**
     * Tells what a follower does between a leader's answer and its next request.
     *
     * @param off called when it fails
     */
    static Hook replicaFetches(Runnable off) {
        return new Hook(
                REPLICA_FETCHES,
                "what followers do between two fetches is not known, everything else goes on",
                off,
                new CallSite("kafka.server.BrokerBlockingSender", "sendRequest", "\\(.*\\).*")
                        .begin(FollowerAdvice.class, "sends")
                        .passing("sourceBroker.id()", "I")
                        .passing("fetcherId", "I")
                        .passingOf(0, "apiKey()", OBJECT)
                        .thenAtReturn("answered"),
                new CallSite(PARTITION, "appendRecordsToFollowerOrFutureReplica", "\\(.*\\).*")
                        .begin(FollowerAdvice.class, "appends")
                        .onlyIf("isFollowed", 1)
                        .passing("topicPartition", TOPIC_PARTITION)
                        .passing("topicId()", OBJECT)
                        .passing("leaderEpoch", "I")
                        .passing("localBrokerId", "I"));
    }

    /** Its first flag says whether it assigns offsets: whether it is an append of the leader's. */
    private static CallSite append(String log) {
        return new CallSite(log, "append", "\\(.*\\)Lorg/apache/kafka/storage/.*")
                .unlessHelpers()
                .begin(MarkAdvice.class, "logAppends")
                .passing("parentDir()", "Ljava/lang/String;")
                .passingFirst("Z")
                .passing("logEndOffset()", "J")
                .thenAtReturn("firstAppended", "firstOffset()", "J")
                .thenAtReturn("logAppended", "lastOffset()", "J");
    }

    private static CallSite watermark(String log) {
        return new CallSite(log, "updateHighWatermarkMetadata", "\\(.*\\)V")
                .unlessHelpers()
                .begin(MarkAdvice.class, "watermarkMoves")
                .onlyIf("isAnyPending", 0)
                .passing("topicPartition()", TOPIC_PARTITION)
                .passingOf(0, "messageOffset", "J");
    }

    private static CallSite partition(String method, String descriptor, String advice) {
        return new CallSite(PARTITION, method, descriptor)
                .begin(MarkAdvice.class, advice)
                .passing("topicPartition", TOPIC_PARTITION);
    }
}
