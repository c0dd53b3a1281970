/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.run;

import io.phasewise.experiments.fault.Administration;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.config.ConfigResource;

/**
 * What a cluster says of itself, for the record: brokers, topics and every setting of theirs that
 * is not Kafka's default; what is secret Kafka does not tell.
 */
final class ClusterFacts {
    private static final String UNTOLD = "not told";

    private ClusterFacts() {}

    /**
     * Asks the cluster. What it refuses to tell, to a user without the right to describe it, is
     * recorded as the refusal.
     *
     * @param topics of the run; those that are not there are left out
     */
    static Map<String, Object> of(Admin admin, Collection<String> topics)
            throws InterruptedException {
        Map<String, Object> all = new LinkedHashMap<>();
        tell(all, "features", () -> features(admin));
        tell(all, "brokers", () -> brokers(admin));
        tell(all, "topics", () -> topics(admin, topics));
        return all;
    }

    /** Asks something that may be refused. */
    private interface Question {
        Object ask() throws InterruptedException;
    }

    private static void tell(Map<String, Object> all, String name, Question question)
            throws InterruptedException {
        try {
            all.put(name, question.ask());
        } catch (UncheckedIOException refused) {
            all.put(name, refused.getMessage());
        }
    }

    private static Map<String, String> features(Admin admin) throws InterruptedException {
        Map<String, String> levels = new TreeMap<>();
        Administration.done("describe features", admin.describeFeatures().featureMetadata())
                .finalizedFeatures()
                .forEach((name, range) -> levels.put(name, "" + range.maxVersionLevel()));
        return levels;
    }

    private static List<Map<String, Object>> brokers(Admin admin) throws InterruptedException {
        List<Map<String, Object>> all = new ArrayList<>();
        for (Node node :
                Administration.done("describe the cluster", admin.describeCluster().nodes())) {
            ConfigResource resource =
                    new ConfigResource(ConfigResource.Type.BROKER, node.idString());
            Map<String, Object> broker = new LinkedHashMap<>();
            broker.put("id", node.id());
            broker.put("address", node.host() + ":" + node.port());
            broker.put("rack", node.hasRack() ? node.rack() : "none");
            tell(broker, "settings", () -> changed(settings(admin, resource)));
            all.add(broker);
        }
        return all;
    }

    private static Map<String, Object> topics(Admin admin, Collection<String> topics)
            throws InterruptedException {
        Collection<String> there = Administration.done("list topics", admin.listTopics().names());
        List<String> asked = topics.stream().filter(there::contains).toList();
        Map<String, TopicDescription> described =
                Administration.done("describe topics", admin.describeTopics(asked).allTopicNames());
        Map<String, Object> all = new TreeMap<>();
        for (String name : asked) {
            ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, name);
            Map<String, Object> topic = new LinkedHashMap<>();
            topic.put("partitions", described.get(name).partitions().size());
            topic.put("replicas", described.get(name).partitions().get(0).replicas().size());
            tell(topic, "settings", () -> changed(settings(admin, resource)));
            all.put(name, topic);
        }
        return all;
    }

    private static Config settings(Admin admin, ConfigResource resource)
            throws InterruptedException {
        return Administration.done(
                        "describe settings of " + resource,
                        admin.describeConfigs(List.of(resource)).all())
                .get(resource);
    }

    /** Those that are not Kafka's defaults. */
    static Map<String, String> changed(Config config) {
        return config.entries().stream()
                .filter(entry -> !entry.isDefault())
                .collect(
                        Collectors.toMap(
                                ConfigEntry::name,
                                entry ->
                                        entry.isSensitive() || entry.value() == null
                                                ? UNTOLD
                                                : entry.value(),
                                (one, same) -> one,
                                TreeMap::new));
    }
}
