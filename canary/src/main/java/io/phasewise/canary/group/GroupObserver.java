/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.group;

import io.phasewise.canary.topic.Failures;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.GroupIdNotFoundException;

/**
 * Looks what is in a consumer group, through the admin client; whose group it is, is left to {@link
 * GroupOwnership}.
 */
public final class GroupObserver {
    private GroupObserver() {}

    /**
     * Looks once.
     *
     * @param admin not closed by this
     * @param id the group's
     * @throws KafkaException when the cluster does not answer
     */
    public static GroupContent look(Admin admin, String id) throws InterruptedException {
        try {
            ConsumerGroupDescription group = Failures.get(
                    admin.describeConsumerGroups(List.of(id)).describedGroups().get(id));
            // Brokers before 4.0 describe a group that is not there as a dead one.
            if (group.groupState() == GroupState.DEAD) {
                return GroupContent.absent(id);
            }
            List<GroupContent.Member> members = group.members().stream()
                    .map(each -> new GroupContent.Member(each.clientId(), each.host()))
                    .toList();
            return new GroupContent(id, true, members, topics(admin, id), Optional.empty());
        } catch (GroupIdNotFoundException e) {
            return String.valueOf(e.getMessage()).contains("is not a")
                    ? GroupContent.unknown(id, false, "is a group of another kind: " + Failures.describe(e))
                    : GroupContent.absent(id);
        } catch (AuthorizationException e) {
            return GroupContent.unknown(id, true, "cannot be looked at: " + Failures.describe(e));
        } catch (KafkaException e) {
            if (e.getCause() instanceof IllegalArgumentException other) {
                return GroupContent.unknown(id, false, "is a group of another kind: " + Failures.describe(other));
            }
            throw e;
        }
    }

    private static Set<String> topics(Admin admin, String id) throws InterruptedException {
        return Failures.get(admin.listConsumerGroupOffsets(id).partitionsToOffsetAndMetadata(id)).keySet().stream()
                .map(TopicPartition::topic)
                .collect(Collectors.toUnmodifiableSet());
    }
}
