/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.cluster;

import java.util.List;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.Resource;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;

/** Gives the canaries their permissions on brokers with an authorizer, and takes them away. */
public final class Permissions {
    /** The user that the canaries log in as. */
    public static final String USER = "canary";

    private Permissions() {}

    /** Gives all permissions that canaries need. */
    public static void grant(Admin admin, List<String> topics) throws InterruptedException {
        AclBinding cluster = allowed(ResourceType.CLUSTER, Resource.CLUSTER_NAME, AclOperation.ALL);
        Administration.await(
                "allow the canary the cluster",
                admin.createAcls(List.of(cluster)).all());
        allow(admin, topics);
    }

    /** Gives the permissions on the canaries' topics. */
    public static void allow(Admin admin, List<String> topics) throws InterruptedException {
        Administration.await(
                "give the canary its topic",
                admin.createAcls(of(topics).toList()).all());
    }

    /** Takes the permissions on the topics away. */
    public static void revoke(Admin admin, List<String> topics) throws InterruptedException {
        Administration.await(
                "take the canary's topic away",
                admin.deleteAcls(of(topics).map(AclBinding::toFilter).toList()).all());
    }

    private static Stream<AclBinding> of(List<String> topics) {
        return topics.stream().map(name -> allowed(ResourceType.TOPIC, name, AclOperation.ALL));
    }

    private static AclBinding allowed(ResourceType type, String name, AclOperation operation) {
        return new AclBinding(
                new ResourcePattern(type, name, PatternType.LITERAL),
                new AccessControlEntry("User:" + USER, "*", operation, AclPermissionType.ALLOW));
    }
}
