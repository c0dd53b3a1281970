/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix;

import io.phasewise.experiments.fault.Administration;
import io.phasewise.experiments.fault.Fault;
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

/** What the scene's canary may do on brokers that ask, given to it and taken away. */
final class Permissions {
    /** The canary's, where nothing else is said. */
    static final String TOPIC = "phasewise-canary";

    private Permissions() {}

    /** All that it needs. */
    static void grant(Admin admin) throws InterruptedException {
        Administration.done(
                "allow the canary its topic",
                admin.createAcls(
                                Stream.concat(
                                                ofTopic().stream(),
                                                Stream.of(
                                                        allow(
                                                                ResourceType.CLUSTER,
                                                                Resource.CLUSTER_NAME,
                                                                AclOperation.ALL)))
                                        .toList())
                        .all());
    }

    /** Takes away what it may do with its topic. */
    static Fault.Broken revoke(Admin admin) throws InterruptedException {
        Administration.done(
                "take the canary's topic away",
                admin.deleteAcls(ofTopic().stream().map(AclBinding::toFilter).toList()).all());
        return () ->
                Administration.done(
                        "give the canary's topic back", admin.createAcls(ofTopic()).all());
    }

    private static List<AclBinding> ofTopic() {
        return List.of(allow(ResourceType.TOPIC, TOPIC, AclOperation.ALL));
    }

    private static AclBinding allow(ResourceType type, String name, AclOperation operation) {
        return new AclBinding(
                new ResourcePattern(type, name, PatternType.LITERAL),
                new AccessControlEntry(
                        "User:" + Scene.USER, "*", operation, AclPermissionType.ALLOW));
    }
}
