/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import static org.apache.kafka.common.acl.AclPermissionType.ALLOW;

import io.phasewise.lab.junit.SharedCluster;
import io.phasewise.lab.kafka.ClusterBuilder;
import io.phasewise.lab.kafka.KafkaCluster;
import io.phasewise.lab.kafka.ListenerSecurity;
import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewPartitionReassignment;
import org.apache.kafka.clients.admin.ScramCredentialInfo;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.clients.admin.UserScramCredentialUpsertion;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AccessControlEntryFilter;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourcePatternFilter;
import org.apache.kafka.common.resource.ResourceType;

/** Brokers for a test: three shared by those that leave them alone, or its own to break. */
public final class TestClusters {
    /**
     * In the clear; each class that uses it has topics, groups and client ids of its own. As Kafka
     * does by default, brokers create a topic that a client asks for and allows them to create.
     */
    public static final SharedCluster SHARED =
            new SharedCluster(builder -> builder.brokers(3).brokerProperty("auto.create.topics.enable", "true"));

    private TestClusters() {}

    /**
     * Brokers that are the test's to start, break and stop.
     *
     * @param properties of every broker, one a line
     * @param more what else they are to be
     */
    public static KafkaCluster own(Path directory, int brokers, String properties, UnaryOperator<ClusterBuilder> more) {
        ClusterBuilder builder = KafkaCluster.builder(
                        Path.of(System.getProperty("phasewise.root")), directory.resolve("kafka"))
                .shortLived()
                .brokers(brokers)
                .stopGrace(Duration.ZERO);
        for (String line : properties.lines().toList()) {
            String[] keyAndValue = line.split("=", 2);
            builder.brokerProperty(keyAndValue[0], keyAndValue[1]);
        }
        return more.apply(builder).build();
    }

    /** As {@link #own}: one broker that asks for passwords, of an administrator and others. */
    static KafkaCluster secured(
            Path directory, Map<String, String> passwords, String properties, UnaryOperator<ClusterBuilder> more) {
        ListenerSecurity security = new ListenerSecurity.SaslSsl("admin", "admin-secret", passwords, true);
        return own(directory, 1, properties, builder -> more.apply(builder.security(security)));
    }

    /** Sets a property of a topic. */
    public static void alter(KafkaCluster kafka, String topic, String property, String value) throws Exception {
        AlterConfigOp set = new AlterConfigOp(new ConfigEntry(property, value), AlterConfigOp.OpType.SET);
        kafka.admin()
                .incrementalAlterConfigs(Map.of(new ConfigResource(ConfigResource.Type.TOPIC, topic), List.of(set)))
                .all()
                .get(30, TimeUnit.SECONDS);
    }

    /** Begins to move a topic's replicas, by partition. */
    static void move(Admin admin, String topic, Map<Integer, List<Integer>> replicas) throws Exception {
        Map<TopicPartition, Optional<NewPartitionReassignment>> all = new HashMap<>();
        replicas.forEach((partition, to) ->
                all.put(new TopicPartition(topic, partition), Optional.of(new NewPartitionReassignment(to))));
        admin.alterPartitionReassignments(all).all().get();
    }

    /** Ends what a test has started, in this order; null is what it did not get to. */
    static void close(AutoCloseable... all) throws Exception {
        for (AutoCloseable each : all) {
            if (each != null) {
                each.close();
            }
        }
    }

    /** Lets a user do that. */
    static void allow(KafkaCluster kafka, String user, ResourceType type, String name, AclOperation... operations)
            throws Exception {
        ResourcePattern of = new ResourcePattern(type, name, PatternType.LITERAL);
        List<AclBinding> bindings = new ArrayList<>();
        for (AclOperation operation : operations) {
            String principal = "User:" + user;
            bindings.add(new AclBinding(of, new AccessControlEntry(principal, "*", operation, ALLOW)));
        }
        kafka.admin().createAcls(bindings).all().get();
    }

    /** Takes from a user whatever it was let do to that. */
    static void disallow(KafkaCluster kafka, String user, ResourceType type, String name) throws Exception {
        kafka.admin()
                .deleteAcls(List.of(new AclBindingFilter(
                        new ResourcePatternFilter(type, name, PatternType.LITERAL),
                        new AccessControlEntryFilter("User:" + user, null, AclOperation.ANY, AclPermissionType.ANY))))
                .all()
                .get();
    }

    /** Gives a user another password, by SCRAM-SHA-512. */
    static void setPassword(KafkaCluster kafka, String user, String password) throws Exception {
        ScramCredentialInfo kind = new ScramCredentialInfo(ScramMechanism.SCRAM_SHA_512, 4096);
        kafka.admin()
                .alterUserScramCredentials(List.of(new UserScramCredentialUpsertion(user, kind, password)))
                .all()
                .get();
    }

    /** Changes a file of properties, as of a broker that has not been launched. */
    static void change(Path file, Consumer<Properties> change) throws IOException {
        Properties properties = new Properties();
        try (Reader in = Files.newBufferedReader(file)) {
            properties.load(in);
        }
        change.accept(properties);
        try (Writer out = Files.newBufferedWriter(file)) {
            properties.store(out, null);
        }
    }

    /**
     * Has a broker tell clients another address; other brokers find it where
     * they did.
     *
     * @param directory as given to {@link #own}; the broker has not been launched
     */
    static void advertise(Path directory, int broker, String address) throws Exception {
        Path file = directory.resolve("kafka/broker-" + broker + "/server.properties");
        change(file, properties -> {
            String before = properties.getProperty("advertised.listeners");
            String after = before.replaceFirst("CLIENT://[^,]*", "CLIENT://" + address);
            if (after.equals(before)) {
                throw new IllegalStateException("no listener for clients: " + before);
            }
            properties.setProperty("advertised.listeners", after);
        });
    }
}
