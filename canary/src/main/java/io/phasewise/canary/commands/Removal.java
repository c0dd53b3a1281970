/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.commands;

import io.phasewise.canary.config.ClusterConfig;
import io.phasewise.canary.config.KafkaConfig;
import io.phasewise.canary.group.GroupContent;
import io.phasewise.canary.group.GroupObserver;
import io.phasewise.canary.group.GroupOwnership;
import io.phasewise.canary.topic.Failures;
import io.phasewise.canary.topic.OwnershipMark;
import io.phasewise.canary.topic.OwnershipMark.Origin;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicCollection;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.acl.AccessControlEntryFilter;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.SecurityDisabledException;
import org.apache.kafka.common.errors.UnknownTopicIdException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.quota.ClientQuotaEntity;
import org.apache.kafka.common.quota.ClientQuotaFilter;
import org.apache.kafka.common.quota.ClientQuotaFilterComponent;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePatternFilter;
import org.apache.kafka.common.resource.ResourceType;

/**
 * Takes away what canaries of a configuration left in one cluster, and only what they created: a
 * topic with the mark that says that a canary created it, consumer groups whose id a canary drew,
 * and the offsets of the canary's topics in a group that was configured. All else is left and
 * named, with the command by which its owner can take it away.
 *
 * <p>A canary never creates ACLs or quotas: those that name it belong to somebody, and nobody can
 * know to whom.
 */
public final class Removal {
    private static final String NOTHING_WITH_READ_ONLY =
            "the configuration lets the canary change nothing (preset: read-only), so nothing is deleted either";

    private final Admin admin;
    private final Duration watch;
    private final Consumer<String> out;

    /** What one topic of the configuration is. */
    private record Topic(Remnant remnant, boolean isOurs, boolean isGone) {}

    /**
     * @param admin with the rights to delete these
     * @param watch how long topics are looked at, to see whether a canary still sends
     * @param out takes one line for each thing that is done or left
     */
    public Removal(Admin admin, Duration watch, Consumer<String> out) {
        this.admin = admin;
        this.watch = watch;
        this.out = out;
    }

    /**
     * Says what would be deleted and what left; changes nothing.
     *
     * @param profiles of one cluster
     * @return whether there is anything to delete
     * @throws KafkaException when the cluster refuses, or does not answer
     */
    public boolean show(List<ClusterConfig> profiles) throws InterruptedException {
        List<Remnant> remnants = look(profiles);
        remnants.forEach(each -> say(each, "would delete "));
        return remnants.stream().anyMatch(each -> each.deletion().isPresent());
    }

    /**
     * Deletes what one cluster's canaries created. Run again, it finds nothing to delete.
     *
     * @param profiles of one cluster
     * @return whether all went well; where a canary still sends, nothing is deleted
     * @throws KafkaException when the cluster refuses, or does not answer
     */
    public boolean remove(List<ClusterConfig> profiles) throws InterruptedException {
        Set<String> ours = topics(profiles).entrySet().stream()
                .filter(each -> each.getValue().remnant().deletion().isPresent())
                .map(Map.Entry::getKey)
                .collect(Collectors.toCollection(TreeSet::new));
        if (isSentTo(ours)) {
            out.accept("a canary still sends to "
                    + String.join(", ", ours)
                    + ": stop it first, or it makes the topic again");
            return false;
        }
        boolean all = true;
        // Looked at again: a topic may have been deleted and made again while it was watched.
        for (Remnant remnant : look(profiles)) {
            if (remnant.deletion().isEmpty()) {
                say(remnant, "");
                continue;
            }
            try {
                Failures.get(remnant.deletion().get().begin());
                say(remnant, "deleted ");
            } catch (UnknownTopicOrPartitionException | UnknownTopicIdException | GroupIdNotFoundException e) {
                // What was gone already is no failure.
            } catch (KafkaException e) {
                out.accept("failed to delete " + remnant.what() + ": " + Failures.describe(e));
                all = false;
            }
        }
        return all;
    }

    private void say(Remnant remnant, String verb) {
        boolean isDeleted = remnant.deletion().isPresent();
        out.accept((isDeleted ? verb : "left: ") + remnant.what() + ": " + remnant.why());
        remnant.commands().forEach(command -> out.accept("    " + command));
    }

    /**
     * Groups before topics: the cluster says what is in a group only of topics that still exist.
     */
    private List<Remnant> look(List<ClusterConfig> profiles) throws InterruptedException {
        KafkaTools tools = new KafkaTools(profiles.get(0).kafka().bootstrapServers());
        Map<String, Topic> topics = topics(profiles);
        Set<String> ours = topics.entrySet().stream()
                .filter(each -> each.getValue().isOurs())
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
        List<Remnant> remnants = new ArrayList<>();
        Set<String> groups = new TreeSet<>();
        for (ClusterConfig profile : profiles) {
            remnants.addAll(groups(profile, ours, tools, groups));
        }
        topics.values().stream()
                .filter(each -> !each.isGone())
                .map(Topic::remnant)
                .forEach(remnants::add);
        Set<String> ownTopics = topics.entrySet().stream()
                .filter(each -> each.getValue().isOurs() || each.getValue().isGone())
                .map(Map.Entry::getKey)
                .collect(Collectors.toCollection(TreeSet::new));
        remnants.addAll(quotas(profiles, tools));
        remnants.addAll(acls(ownTopics, groups, tools));
        return remnants;
    }

    private Map<String, Topic> topics(List<ClusterConfig> profiles) throws InterruptedException {
        Map<String, Topic> topics = new TreeMap<>();
        String clusterId = Failures.get(admin.describeCluster().clusterId());
        for (ClusterConfig profile : profiles) {
            topics.put(profile.topic().name(), topic(profile, String.valueOf(clusterId)));
        }
        return topics;
    }

    private Topic topic(ClusterConfig profile, String clusterId) throws InterruptedException {
        String name = profile.topic().name();
        String what = "topic " + name;
        KafkaTools tools = new KafkaTools(profile.kafka().bootstrapServers());
        Map<String, ConfigEntry> settings = new HashMap<>();
        Uuid id;
        try {
            id = id(name);
            ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, name);
            Failures.get(admin.describeConfigs(List.of(resource)).values().get(resource))
                    .entries()
                    .forEach(each -> settings.put(each.name(), each));
            if (!id(name).equals(id)) {
                String again = "was deleted and made again while it was looked at; try again";
                return new Topic(Remnant.left(what, again), false, false);
            }
        } catch (UnknownTopicOrPartitionException e) {
            return new Topic(Remnant.left(what, "does not exist"), false, true);
        } catch (AuthorizationException e) {
            String why = "nobody can know whose it is, as this user may not see it (it needs Describe and"
                    + " DescribeConfigs): "
                    + Failures.describe(e);
            return new Topic(Remnant.left(what, why), false, false);
        }
        Map<String, String> values = new HashMap<>();
        settings.forEach((key, entry) -> values.put(key, entry.value()));
        Optional<Origin> origin = OwnershipMark.read(clusterId, name, values);
        if (origin.isEmpty()) {
            String why = "it bears no mark of this version's canaries, so somebody else may have created it,"
                    + " and its records may be needed; if it is yours to delete:";
            return new Topic(Remnant.left(what, why, tools.deleteTopic(name)), false, false);
        }
        if (origin.get() == Origin.ADOPTED) {
            return new Topic(adopted(profile, settings, tools), true, false);
        }
        if (!mayChange(profile)) {
            return new Topic(
                    Remnant.left(what, NOTHING_WITH_READ_ONLY + "; by hand:", tools.deleteTopic(name)), true, false);
        }
        return new Topic(Remnant.deleted(what, "a canary created it", () -> delete(name, id)), true, false);
    }

    private Uuid id(String topic) throws InterruptedException {
        return Failures.get(
                        admin.describeTopics(List.of(topic)).topicNameValues().get(topic))
                .topicId();
    }

    /**
     * By its id, where the cluster knows ids: a later topic of the same name is another one, and
     * stays.
     */
    private KafkaFuture<?> delete(String name, Uuid id) {
        return id.equals(Uuid.ZERO_UUID)
                ? admin.deleteTopics(Set.of(name)).all()
                : admin.deleteTopics(TopicCollection.ofTopicIds(List.of(id))).all();
    }

    /** A topic that was adopted is left: nobody knows any more what its settings were before. */
    private static Remnant adopted(ClusterConfig profile, Map<String, ConfigEntry> settings, KafkaTools tools) {
        String name = profile.topic().name();
        Set<String> set = new TreeSet<>(profile.topic().config().keySet());
        set.addAll(Set.of("min.insync.replicas", OwnershipMark.SETTING, OwnershipMark.FALLBACK_SETTING));
        List<ConfigEntry> changed = set.stream()
                .map(settings::get)
                .filter(each -> each != null && each.source() == ConfigEntry.ConfigSource.DYNAMIC_TOPIC_CONFIG)
                .toList();
        String values =
                changed.stream().map(each -> each.name() + "=" + each.value()).collect(Collectors.joining(", "));
        return Remnant.left(
                "topic " + name,
                "somebody else created it, and a canary adopted it (topic.adopt); these of its settings are"
                        + " as the canary wants them, and what they were before is not known: "
                        + values
                        + ". To reset them to the cluster's defaults, and to delete the topic:",
                tools.dropSettings(name, changed.stream().map(ConfigEntry::name).toList()),
                tools.deleteTopic(name));
    }

    private static boolean mayChange(ClusterConfig profile) {
        var manage = profile.topic().manage();
        return manage.create() || manage.expand() || manage.reassign() || manage.elect() || manage.configure();
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

    /**
     * The consumer groups of a profile. A canary without a configured group has another one after
     * each start, so there may be many.
     *
     * @param ours topics that are the canary's
     * @param found takes the groups that are deleted, or that are configured
     */
    private List<Remnant> groups(ClusterConfig profile, Set<String> ours, KafkaTools tools, Set<String> found)
            throws InterruptedException {
        List<Remnant> remnants = new ArrayList<>();
        Optional<String> configured = profile.group().id();
        String drawn = Pattern.quote(KafkaConfig.idPrefix(profile.id())) + "[0-9a-f]{16}";
        Set<String> ids = new TreeSet<>();
        for (GroupListing listing : Failures.get(admin.listGroups().all())) {
            if (listing.groupId().matches(drawn) || configured.equals(Optional.of(listing.groupId()))) {
                ids.add(listing.groupId());
            }
        }
        for (String id : ids) {
            Remnant remnant = group(profile, id, ours, tools);
            remnants.add(remnant);
            if (remnant.deletion().isPresent() || configured.equals(Optional.of(id))) {
                found.add(id);
            }
        }
        return remnants;
    }

    private Remnant group(ClusterConfig profile, String id, Set<String> ours, KafkaTools tools)
            throws InterruptedException {
        String what = "consumer group " + id;
        GroupContent content = GroupObserver.look(admin, id);
        GroupOwnership ownership = GroupOwnership.of(content, ours);
        boolean isDrawn = !profile.group().id().equals(Optional.of(id));
        // Nobody else draws such an id. A canary that ended early leaves its group without an offset.
        boolean isOurs = ownership.verdict() == GroupOwnership.Verdict.OURS
                || isDrawn
                        && content.exists()
                        && content.undescribed().isEmpty()
                        && content.topics().isEmpty();
        String byHand = "; if it is yours to delete:";
        if (!isOurs) {
            return Remnant.left(what, "it " + ownership.evidence() + byHand, tools.deleteGroup(id));
        }
        if (!content.members().isEmpty()) {
            return Remnant.left(
                    what, "it has members: stop the canary first; otherwise, by hand:", tools.deleteGroup(id));
        }
        if (!mayChange(profile)) {
            return Remnant.left(what, NOTHING_WITH_READ_ONLY + "; by hand:", tools.deleteGroup(id));
        }
        return isDrawn ? drawnGroup(admin, id) : configuredGroup(admin, id, ownOffsets(id, ours), tools);
    }

    private Set<TopicPartition> ownOffsets(String group, Set<String> ours) throws InterruptedException {
        return Failures.get(admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata(group))
                .keySet()
                .stream()
                .filter(each -> ours.contains(each.topic()))
                .collect(Collectors.toSet());
    }

    static Remnant drawnGroup(Admin admin, String id) {
        return Remnant.deleted(
                "consumer group " + id,
                "only a canary used it",
                () -> admin.deleteConsumerGroups(Set.of(id)).all());
    }

    /**
     * Never deleted whole: Kafka shows no offsets of topics that the user may not describe, so an
     * application's offsets could be in it unseen.
     *
     * @param own partitions of the canary's topics that the group has offsets of
     */
    static Remnant configuredGroup(Admin admin, String id, Set<TopicPartition> own, KafkaTools tools) {
        String hidden = "it is configured, and may hold offsets of others that this user may not see;"
                + " if it is yours to delete:";
        if (own.isEmpty()) {
            return Remnant.left("consumer group " + id, hidden, tools.deleteGroup(id));
        }
        String topics =
                own.stream().map(TopicPartition::topic).distinct().sorted().collect(Collectors.joining(", "));
        return Remnant.deletedInPart(
                "offsets of topic " + topics + " in consumer group " + id,
                "only a canary used them. The group itself is left: " + hidden,
                () -> admin.deleteConsumerGroupOffsets(id, own).all(),
                tools.deleteGroup(id));
    }

    private List<Remnant> acls(Collection<String> topics, Collection<String> groups, KafkaTools tools)
            throws InterruptedException {
        List<AclBindingFilter> filters = new ArrayList<>();
        topics.forEach(name -> filters.add(on(ResourceType.TOPIC, name)));
        groups.forEach(name -> filters.add(on(ResourceType.GROUP, name)));
        List<AclBinding> found = new ArrayList<>();
        try {
            for (AclBindingFilter filter : filters) {
                found.addAll(Failures.get(admin.describeAcls(filter).values()));
            }
        } catch (SecurityDisabledException e) {
            return List.of(); // A cluster without rights.
        } catch (AuthorizationException e) {
            return List.of(Remnant.left(
                    "ACLs on topics and groups",
                    "this user may not see them (it needs Describe on the cluster); to see them:",
                    filters.stream()
                            .map(each -> tools.listAcls(
                                    each.patternFilter().resourceType(),
                                    each.patternFilter().name()))
                            .toArray(String[]::new)));
        }
        if (found.isEmpty()) {
            return List.of();
        }
        return List.of(Remnant.left(
                found.size() + (found.size() == 1 ? " ACL" : " ACLs"),
                "a canary never creates ACLs, and nobody can know who did and for whom."
                        + " Those that were made for the canary only can be removed by:",
                found.stream().map(tools::removeAcl).distinct().toArray(String[]::new)));
    }

    private static AclBindingFilter on(ResourceType type, String name) {
        return new AclBindingFilter(
                new ResourcePatternFilter(type, name, PatternType.ANY),
                new AccessControlEntryFilter(null, null, AclOperation.ANY, AclPermissionType.ANY));
    }

    private List<Remnant> quotas(List<ClusterConfig> profiles, KafkaTools tools) throws InterruptedException {
        var ofClients = ClientQuotaFilterComponent.ofEntityType(ClientQuotaEntity.CLIENT_ID);
        ClientQuotaFilter filter = ClientQuotaFilter.contains(List.of(ofClients));
        List<Remnant> remnants = new ArrayList<>();
        try {
            Failures.get(admin.describeClientQuotas(filter).entities()).forEach((entity, quotas) -> {
                String client = entity.entries().get(ClientQuotaEntity.CLIENT_ID);
                if (client != null && profiles.stream().anyMatch(each -> isOf(each, client))) {
                    remnants.add(Remnant.left(
                            "quota of client " + client,
                            "a canary never creates quotas; if it is yours to remove:",
                            tools.removeQuotas(entity, quotas.keySet())));
                }
            });
        } catch (AuthorizationException e) {
            remnants.add(Remnant.left(
                    "quotas of client ids",
                    "this user may not see them (it needs DescribeConfigs on the cluster); to see them:",
                    tools.listQuotas()));
        }
        return remnants;
    }

    private static boolean isOf(ClusterConfig profile, String client) {
        return client.startsWith(KafkaConfig.idPrefix(profile.id()))
                || client.startsWith("clock-of-" + KafkaConfig.idPrefix(profile.id()));
    }
}
