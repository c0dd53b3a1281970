/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.commands;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.TreeMap;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.quota.ClientQuotaEntity;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.Test;

class KafkaToolsTest {
    private final KafkaTools tools = new KafkaTools("kafka-1:9092, kafka-2:9092");

    @Test
    void anAclIsRemovedByAllThatItIs() {
        AclBinding acl = new AclBinding(
                new ResourcePattern(ResourceType.TOPIC, "orders", PatternType.PREFIXED),
                new AccessControlEntry(
                        "User:CN=o'brien, O=x", "*", AclOperation.DESCRIBE_CONFIGS, AclPermissionType.DENY));
        assertThat(tools.removeAcl(acl))
                .isEqualTo("kafka-acls.sh --bootstrap-server 'kafka-1:9092, kafka-2:9092' --command-config"
                        + " client.properties --remove --deny-principal 'User:CN=o'\\''brien, O=x' --deny-host '*'"
                        + " --operation DescribeConfigs --topic orders --resource-pattern-type prefixed");
    }

    @Test
    void aQuotaOfAUsersClientNamesBoth() {
        TreeMap<String, String> entity = new TreeMap<>();
        entity.put(ClientQuotaEntity.CLIENT_ID, "phasewise-canary-a-producer-0");
        entity.put(ClientQuotaEntity.USER, null);
        assertThat(tools.removeQuotas(new ClientQuotaEntity(entity), List.of("producer_byte_rate", "a")))
                .endsWith("--alter --delete-config a,producer_byte_rate --entity-type clients --entity-name"
                        + " phasewise-canary-a-producer-0 --entity-type users --entity-default");
    }
}
