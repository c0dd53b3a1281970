/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.cluster;

import io.phasewise.canary.group.GroupContent;
import io.phasewise.canary.group.GroupOwnership;
import io.phasewise.canary.group.GroupOwnership.Verdict;
import io.phasewise.canary.show.status.ClusterStatus;
import io.phasewise.canary.supervise.Problem;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.KafkaException;

/**
 * Keeps a profile out of a consumer group that is somebody else's: looks before the consumer joins,
 * and now and then while it is a member. What is in a group is judged by {@link GroupOwnership};
 * starting and ending the consumer is left to {@link ProfileRun}. Used by one thread.
 *
 * <p>Only a group that is configured is looked at. An id that the canary draws is nobody else's.
 */
final class GroupGuard {
    private static final long LOOK_NANOS = Duration.ofSeconds(30).toNanos();

    /** While it may not join: who mends the cause should not have to wait long. */
    private static final long LOOK_SOON_NANOS = Duration.ofSeconds(5).toNanos();

    /** Looks what is in a group. */
    interface Look {
        /**
         * Looks once.
         *
         * @throws KafkaException when the cluster does not answer
         */
        GroupContent at(String group) throws InterruptedException;
    }

    private final Optional<String> group;
    private final Set<String> topics;
    private final Look look;

    /** What the last look found; null before the first. */
    private volatile GroupOwnership found;

    private long nextLook;

    /**
     * Whether a consumer of this process was a member: a group that looks empty may be what it left
     * behind.
     */
    private boolean wasMember;

    /**
     * @param group the configured one; empty where there is none
     * @param topic that the canary reads
     * @param look looks what is in it
     */
    GroupGuard(Optional<String> group, String topic, Look look) {
        this.group = group;
        this.topics = Set.of(topic);
        this.look = look;
    }

    /**
     * Whether the profile's consumer may be a member now. A consumer that is a member stays one
     * when a look fails.
     *
     * @param nowNanos the present
     * @throws KafkaException when nothing is known yet, and the cluster does not answer
     */
    boolean mayJoin(long nowNanos) throws InterruptedException {
        if (group.isEmpty()) {
            return true;
        }
        if (found == null || nowNanos - nextLook >= 0) {
            try {
                found = GroupOwnership.of(look.at(group.get()), topics);
            } catch (KafkaException e) {
                if (!wasMember || found == null) {
                    throw e;
                }
            }
            nextLook = nowNanos + (mayJoin() ? LOOK_NANOS : LOOK_SOON_NANOS);
        }
        boolean may = mayJoin();
        wasMember |= may;
        return may;
    }

    private boolean mayJoin() {
        return found.verdict().mayJoin()
                || wasMember
                        && found.verdict() == Verdict.UNKNOWN
                        && found.evidence().equals(GroupOwnership.EMPTY);
    }

    /** What the last look saw; empty before, and where there is no group to look at. Thread-safe. */
    Optional<ClusterStatus.Group> seen() {
        GroupOwnership now = found;
        return now == null
                ? Optional.empty()
                : Optional.of(new ClusterStatus.Group(
                        group.orElseThrow(), now.verdict().label()));
    }

    /** What keeps the consumer out; empty where nothing does, or nobody has looked yet. */
    Optional<Problem> problem() {
        if (found == null || mayJoin()) {
            return Optional.empty();
        }
        String whose = found.verdict() == Verdict.FOREIGN
                ? "is not the canary's alone"
                : "may be somebody else's, which this user cannot see (it needs Read on the group)";
        return Optional.of(Problem.of(
                "consumer-group.id",
                "group %s %s: it %s. It is not joined, nothing is committed, and no probe is sent. Either give the"
                        + " canary a group of its own (another consumer-group.id, or none), or, if nobody needs"
                        + " this group, delete it: kafka-consumer-groups.sh --delete --group %s",
                group.orElseThrow(),
                whose,
                found.evidence(),
                group.orElseThrow()));
    }
}
