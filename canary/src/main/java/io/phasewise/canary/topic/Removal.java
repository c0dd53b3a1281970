/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.topic;

import io.phasewise.canary.config.ClusterConfig;
import io.phasewise.canary.config.KafkaConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AccessControlEntryFilter;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.SecurityDisabledException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.quota.ClientQuotaAlteration;
import org.apache.kafka.common.quota.ClientQuotaEntity;
import org.apache.kafka.common.quota.ClientQuotaFilter;
import org.apache.kafka.common.quota.ClientQuotaFilterComponent;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePatternFilter;
import org.apache.kafka.common.resource.ResourceType;

/**
 * Takes away what canaries of a configuration leave in a cluster: their topics and consumer groups,
 * the rights (ACLs) on these, and the quotas of their client ids. What only somebody else can know
 * to be the canary's, its user and that user's rights on the cluster, is left and named.
 */
public final class Removal {
    private final Admin admin;
    private final Duration watch;
    private final Consumer<String> out;

    /**
     * @param admin with the right to do it
     * @param watch how long topics are looked at, to see whether a canary still sends
     * @param out takes one line for each thing that is done or left
     */
    public Removal(Admin admin, Duration watch, Consumer<String> out) {
        this.admin = admin;
        this.watch = watch;
        this.out = out;
    }

    /**
     * Removes what one cluster's profiles left. Run again, it finds nothing.
     *
     * @param profiles of one cluster
     * @return whether all went well; where a canary still sends, nothing is removed
     * @throws org.apache.kafka.common.KafkaException when the cluster refuses, or does not answer
     */
    public boolean remove(List<ClusterConfig> profiles) throws InterruptedException {
        Set<String> named = profiles.stream().map(each -> each.topic().name()).collect(Collectors.toSet());
        Set<String> topics = new TreeSet<>(named);
        topics.retainAll(Failures.get(admin.listTopics().names()));
        if (isSentTo(topics)) {
            out.accept("a canary still sends to "
                    + String.join(", ", topics)
                    + ": stop it first, or it makes the topic again");
            return false;
        }
        Set<String> groups = groups(profiles);
        for (String group : groups) {
            done(
                    "consumer group " + group,
                    admin.deleteConsumerGroups(Set.of(group)).all());
        }
        for (String topic : topics) {
            done("topic " + topic, admin.deleteTopics(Set.of(topic)).all());
        }
        removeQuotas(profiles);
        // Last: it may be by these that this user was allowed all else.
        removeRights(named, groups);
        return true;
    }

    private boolean isSentTo(Set<String> topics) throws InterruptedException {
        if (topics.isEmpty()) {
            return false;
        }
        Map<TopicPartition, Long> before = ends(topics);
        Thread.sleep(watch.toMillis());
        return !ends(topics).equals(before);
    }

    private Map<TopicPartition, Long> ends(Set<String> topics) throws InterruptedException {
        Map<TopicPartition, OffsetSpec> latest = new HashMap<>();
        for (TopicDescription topic :
                Failures.get(admin.describeTopics(topics).allTopicNames()).values()) {
            for (int number = 0; number < topic.partitions().size(); number++) {
                latest.put(new TopicPartition(topic.name(), number), OffsetSpec.latest());
            }
        }
        Map<TopicPartition, Long> ends = new HashMap<>();
        Failures.get(admin.listOffsets(latest).all()).forEach((at, end) -> ends.put(at, end.offset()));
        return ends;
    }

    /** A canary without a configured group has another one in every life. */
    private Set<String> groups(List<ClusterConfig> profiles) throws InterruptedException {
        Set<String> groups = new TreeSet<>();
        for (GroupListing listing : Failures.get(admin.listGroups().all())) {
            for (ClusterConfig profile : profiles) {
                String drawn = Pattern.quote(KafkaConfig.idPrefix(profile.id())) + "[0-9a-f]{16}";
                boolean own =
                        profile.group().id().filter(listing.groupId()::equals).isPresent();
                if (own || listing.groupId().matches(drawn)) {
                    groups.add(listing.groupId());
                }
            }
        }
        return groups;
    }

    private void removeRights(Set<String> topics, Set<String> groups) throws InterruptedException {
        List<AclBindingFilter> filters = new ArrayList<>();
        topics.forEach(name -> filters.add(on(ResourceType.TOPIC, name)));
        groups.forEach(name -> filters.add(on(ResourceType.GROUP, name)));
        try {
            for (AclBindingFilter filter : filters) {
                for (AclBinding right :
                        Failures.get(admin.deleteAcls(List.of(filter)).all())) {
                    out.accept("removed right: " + right.entry() + " on " + right.pattern());
                }
            }
            out.accept("left: the canary's user, and its rights on the cluster itself, if it has any");
        } catch (SecurityDisabledException e) {
            // A cluster without rights.
        } catch (ClusterAuthorizationException e) {
            out.accept("left: rights on topics and groups, which this user may not alter");
        }
    }

    private static AclBindingFilter on(ResourceType type, String name) {
        return new AclBindingFilter(
                new ResourcePatternFilter(type, name, PatternType.LITERAL),
                new AccessControlEntryFilter(null, null, AclOperation.ANY, AclPermissionType.ANY));
    }

    private void removeQuotas(List<ClusterConfig> profiles) throws InterruptedException {
        var ofClients = ClientQuotaFilterComponent.ofEntityType(ClientQuotaEntity.CLIENT_ID);
        ClientQuotaFilter filter = ClientQuotaFilter.contains(List.of(ofClients));
        try {
            for (Map.Entry<ClientQuotaEntity, Map<String, Double>> quota :
                    Failures.get(admin.describeClientQuotas(filter).entities()).entrySet()) {
                String client = quota.getKey().entries().get(ClientQuotaEntity.CLIENT_ID);
                if (client != null && profiles.stream().anyMatch(each -> isOf(each, client))) {
                    List<ClientQuotaAlteration.Op> none = quota.getValue().keySet().stream()
                            .map(key -> new ClientQuotaAlteration.Op(key, null))
                            .toList();
                    var change = new ClientQuotaAlteration(quota.getKey(), none);
                    done(
                            "quota of client " + client,
                            admin.alterClientQuotas(List.of(change)).all());
                }
            }
        } catch (ClusterAuthorizationException e) {
            out.accept("left: quotas of client ids, which this user may not see");
        }
    }

    private static boolean isOf(ClusterConfig profile, String client) {
        return client.startsWith(KafkaConfig.idPrefix(profile.id()));
    }

    private void done(String what, KafkaFuture<?> removal) throws InterruptedException {
        try {
            Failures.get(removal);
            out.accept("removed " + what);
        } catch (UnknownTopicOrPartitionException | GroupIdNotFoundException e) {
            // What was gone already is no failure.
        }
    }
}
