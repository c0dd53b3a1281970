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
import io.phasewise.canary.topic.Change;
import io.phasewise.canary.topic.ClusterObserver;
import io.phasewise.canary.topic.Failures;
import io.phasewise.canary.topic.Plan;
import io.phasewise.canary.topic.TopicObserver;
import io.phasewise.canary.topic.TopicOwnership;
import io.phasewise.canary.topic.TopicPlanner;
import io.phasewise.canary.topic.TopicState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.CreateTopicsOptions;
import org.apache.kafka.clients.admin.DescribeClusterOptions;
import org.apache.kafka.clients.admin.DescribeConsumerGroupsOptions;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.errors.UnsupportedVersionException;

/**
 * Asks one cluster what the canary may do in it, whose topic and group it would use, and what it
 * would change. It changes nothing, opens no consumer and writes no record: the brokers themselves
 * say which rights there are, and creating a topic is tried with a request that Kafka only
 * validates.
 */
final class ClusterCheck {
    private final Admin admin;
    private final LongSupplier nanoClock;
    private final List<Finding> findings = new ArrayList<>();

    /**
     * @param admin of the cluster; not closed by this
     * @param nanoClock monotonic nanoseconds
     */
    ClusterCheck(Admin admin, LongSupplier nanoClock) {
        this.admin = admin;
        this.nanoClock = nanoClock;
    }

    /**
     * Looks once.
     *
     * @param profiles of the cluster
     * @throws KafkaException when the cluster cannot be asked at all
     */
    List<Finding> look(List<ClusterConfig> profiles) throws InterruptedException {
        ClusterObserver.Brokers brokers = new ClusterObserver(() -> admin).observe();
        findings.add(Finding.is("reached: brokers "
                + brokers.registered().stream()
                        .map(each -> each.id() + (each.live() ? "" : " (down)"))
                        .collect(Collectors.joining(", "))));
        Set<AclOperation> onCluster = clusterRights();
        for (ClusterConfig profile : profiles) {
            String of = profiles.size() == 1 ? "" : "profile " + profile.profile() + ": ";
            try {
                boolean isOurs = topic(of, profile, brokers, onCluster);
                if (profile.group().enabled()) {
                    group(of, profile, isOurs ? Set.of(profile.topic().name()) : Set.of());
                }
            } catch (KafkaException e) {
                findings.add(Finding.blocking(of + "not all could be asked: " + Failures.describe(e)));
            }
        }
        return findings;
    }

    /** What the user may do on the cluster; null where the cluster does not say. */
    private Set<AclOperation> clusterRights() throws InterruptedException {
        try {
            return Failures.get(admin.describeCluster(new DescribeClusterOptions().includeAuthorizedOperations(true))
                    .authorizedOperations());
        } catch (UnsupportedVersionException e) {
            return null;
        }
    }

    /** Whether the topic is the canary's, or is not there yet. */
    private boolean topic(
            String of, ClusterConfig profile, ClusterObserver.Brokers brokers, Set<AclOperation> onCluster)
            throws InterruptedException {
        String name = profile.topic().name();
        String on = "topic " + name;
        TopicRights rights = topicRights(admin, name);
        if (rights.denied) {
            right(of, "Describe on " + on, "finding leaders", rights.operations, AclOperation.DESCRIBE, true);
            findings.add(Finding.unknown(of + on + ": whose it is, and all other rights on it"));
            return false;
        }
        TopicObserver.Observation observation = new TopicObserver(() -> admin, name, nanoClock).look(brokers);
        TopicState state = observation.state();
        TopicOwnership.Verdict verdict = new TopicOwnership(profile.topic(), profile.profile())
                .judge(new TopicOwnership.Facts(
                        observation.clusterId(), state, "", TopicOwnership.Records.NOT_LOOKED_AT));
        Plan plan = new TopicPlanner(profile.topic()).plan(observation.clusterId(), state);
        if (!state.exists()) {
            absent(of, profile, plan);
            return true;
        }
        whose(of, profile, verdict);
        right(of, "Describe on " + on, "finding leaders", rights.operations, AclOperation.DESCRIBE, true);
        boolean isAdopted = profile.topic().adopt();
        right(
                of,
                "DescribeConfigs on " + on,
                "seeing whose it is",
                rights.operations,
                AclOperation.DESCRIBE_CONFIGS,
                !isAdopted);
        right(of, "Write on " + on, "probes", rights.operations, AclOperation.WRITE, true);
        right(of, "Read on " + on, "probes", rights.operations, AclOperation.READ, true);
        changes(of, profile, verdict, plan, rights, onCluster);
        return verdict.maySend();
    }

    private void whose(String of, ClusterConfig profile, TopicOwnership.Verdict verdict) {
        String on = of + "topic " + profile.topic().name() + ": ";
        switch (verdict.ownership()) {
            case CREATED -> findings.add(Finding.is(on + "a canary created it"));
            case ADOPTED ->
                findings.add(Finding.is(on + "adopted: the configuration says that it is for the canary alone"));
            default -> {
                if (verdict.maySend()) {
                    findings.add(Finding.is(on + verdict.reason() + "; the canary sends into it and changes nothing"));
                } else if (verdict.asksForRecords()) {
                    findings.add(Finding.blocking(
                            on + "is not the canary's, as far as this check can see: " + verdict.reason()
                                    + ". A running canary looks whether all records of the topic are probes;"
                                    + " if so, it marks the topic"));
                } else {
                    findings.add(Finding.blocking(on + "is not the canary's: " + verdict.reason()
                            + ". The canary would change nothing of it and send nothing into it."
                            + " Give the canary a topic of its own (topic.name), or, where this one is for the"
                            + " canary alone, set topic.adopt: true"));
                }
            }
        }
    }

    /** What would be changed at the start, and whether the right is there. */
    private void changes(
            String of,
            ClusterConfig profile,
            TopicOwnership.Verdict verdict,
            Plan plan,
            TopicRights rights,
            Set<AclOperation> onCluster) {
        String on = "topic " + profile.topic().name();
        if (!verdict.mayChange()) {
            plan.changes()
                    .forEach(change -> findings.add(
                            Finding.is(of + on + ": if it were the canary's, the canary would " + change.words())));
            return;
        }
        for (Change change : plan.changes()) {
            findings.add(Finding.would(of + on + ": " + change.words()));
            boolean isOfCluster = change instanceof Change.Reassign || change instanceof Change.Elect;
            AclOperation needed =
                    isOfCluster || change instanceof Change.Expand ? AclOperation.ALTER : AclOperation.ALTER_CONFIGS;
            right(
                    of,
                    change.right(profile.topic().name()),
                    "that change",
                    isOfCluster ? onCluster : rights.operations,
                    needed,
                    true);
        }
        verdict.mark()
                .ifPresent(mark -> right(
                        of,
                        "AlterConfigs on " + on,
                        "marking it as a canary's",
                        rights.operations,
                        AclOperation.ALTER_CONFIGS,
                        false));
        plan.problems().forEach(problem -> findings.add(Finding.is(of + problem.key() + ": " + problem.message())));
    }

    private void absent(String of, ClusterConfig profile, Plan plan) throws InterruptedException {
        String on = "topic " + profile.topic().name();
        findings.add(Finding.is(of + on + ": does not exist"));
        for (Change change : plan.changes()) {
            findings.add(Finding.would(of + on + ": " + change.words()));
            if (change instanceof Change.Create create) {
                tryToCreate(of, profile.topic().name(), create);
            }
        }
        plan.problems()
                .forEach(problem -> findings.add(Finding.blocking(of + problem.key() + ": " + problem.message())));
        findings.add(Finding.unknown(of + "Write, Read and DescribeConfigs on " + on + ": a broker says so only of a"
                + " topic that exists; check again when the canary runs"));
    }

    /**
     * Tries it with each form of the mark, as some clusters refuse the setting that holds the mark.
     */
    private void tryToCreate(String of, String topic, Change.Create create) throws InterruptedException {
        Map<Integer, List<Integer>> assignments = new HashMap<>();
        create.assignments().forEach(replicas -> assignments.put(assignments.size(), replicas));
        String what = of + "Create on topic " + topic;
        KafkaException refusal = null;
        for (Map<String, String> mark : create.marks()) {
            Map<String, String> settings = new HashMap<>(create.config());
            settings.putAll(mark);
            NewTopic wanted = new NewTopic(topic, assignments).configs(settings);
            try {
                Failures.get(admin.createTopics(List.of(wanted), new CreateTopicsOptions().validateOnly(true))
                        .all());
                findings.add(new Finding(Finding.Kind.MAY, false, what));
                return;
            } catch (TopicExistsException e) {
                findings.add(Finding.unknown(what + ": somebody has just created it"));
                return;
            } catch (AuthorizationException e) {
                findings.add(new Finding(Finding.Kind.MAY_NOT, true, what));
                return;
            } catch (KafkaException e) {
                refusal = e;
            }
        }
        findings.add(Finding.blocking(what + " would fail: " + (refusal == null ? "" : Failures.describe(refusal))));
    }

    /**
     * Adds what the cluster says of one right.
     *
     * @param operations that are allowed; null where the cluster does not say
     * @param isNeeded whether the canary cannot do without it now
     */
    private void right(
            String of,
            String what,
            String purpose,
            Set<AclOperation> operations,
            AclOperation right,
            boolean isNeeded) {
        String text = of + what + ": " + purpose;
        if (operations == null) {
            findings.add(Finding.unknown(text));
        } else if (operations.contains(right)) {
            findings.add(new Finding(Finding.Kind.MAY, false, text));
        } else {
            findings.add(new Finding(Finding.Kind.MAY_NOT, isNeeded, text));
        }
    }

    private record TopicRights(boolean denied, Set<AclOperation> operations) {}

    private static TopicRights topicRights(Admin admin, String topic) throws InterruptedException {
        try {
            return new TopicRights(
                    false,
                    Failures.get(admin.describeTopics(
                                            List.of(topic),
                                            new DescribeTopicsOptions().includeAuthorizedOperations(true))
                                    .topicNameValues()
                                    .get(topic))
                            .authorizedOperations());
        } catch (UnknownTopicOrPartitionException e) {
            return new TopicRights(false, null);
        } catch (AuthorizationException e) {
            return new TopicRights(true, Set.of());
        }
    }

    /**
     * @param topics the canary's own; a group with offsets of other topics is not the canary's
     */
    private void group(String of, ClusterConfig profile, Set<String> topics) throws InterruptedException {
        String id = profile.group().id().orElse(KafkaConfig.idPrefix(profile.id()) + "0".repeat(16));
        String on = of + "consumer group "
                + (profile.group().id().isPresent() ? id : "with an id that the canary draws, such as " + id);
        GroupContent content = GroupObserver.look(admin, id);
        GroupOwnership ownership = GroupOwnership.of(content, topics);
        String says = on + " " + ownership.evidence();
        switch (ownership.verdict()) {
            case OURS, ABSENT -> findings.add(Finding.is(says));
            case FOREIGN, UNKNOWN -> findings.add(Finding.blocking(says + ": the canary would not join it"));
        }
        if (content.undescribed().isPresent()) {
            return;
        }
        Set<AclOperation> operations = null;
        try {
            operations = Failures.get(admin.describeConsumerGroups(
                                    List.of(id), new DescribeConsumerGroupsOptions().includeAuthorizedOperations(true))
                            .describedGroups()
                            .get(id))
                    .authorizedOperations();
        } catch (GroupIdNotFoundException e) {
            // A broker of 4.0 or newer says nothing of the rights on a group that is not there.
        }
        right("", "Read on " + on, "joining it", operations, AclOperation.READ, true);
    }
}
