/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.commands;

import io.phasewise.common.cli.ShellWord;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.quota.ClientQuotaEntity;
import org.apache.kafka.common.resource.ResourceType;

/**
 * Command lines of Kafka's own tools, whole and quoted for a shell, by which the owner of a topic,
 * group, ACL or quota can remove it; running them is left to the owner.
 *
 * @param bootstrapServers of the cluster
 */
public record KafkaTools(String bootstrapServers) {

    /** Deletes a topic, with its records. */
    public String deleteTopic(String topic) {
        return line("kafka-topics.sh", "--delete", "--topic", topic);
    }

    /** Resets settings of a topic to the cluster's defaults. */
    public String dropSettings(String topic, Collection<String> settings) {
        return line(
                "kafka-configs.sh",
                "--alter",
                "--entity-type",
                "topics",
                "--entity-name",
                topic,
                "--delete-config",
                String.join(",", new TreeSet<>(settings)));
    }

    /** Deletes a consumer group, with its offsets. */
    public String deleteGroup(String group) {
        return line("kafka-consumer-groups.sh", "--delete", "--group", group);
    }

    /** Lists the ACLs of a topic or a group. */
    public String listAcls(ResourceType type, String name) {
        return line("kafka-acls.sh", "--list", option(type), name);
    }

    /** Removes one ACL; the tool asks before it does. */
    public String removeAcl(AclBinding acl) {
        boolean isAllowed = acl.entry().permissionType() == AclPermissionType.ALLOW;
        String who = isAllowed ? "allow" : "deny";
        return line(
                "kafka-acls.sh",
                "--remove",
                "--" + who + "-principal",
                acl.entry().principal(),
                "--" + who + "-host",
                acl.entry().host(),
                "--operation",
                camelCase(acl.entry().operation().name()),
                option(acl.pattern().resourceType()),
                acl.pattern().name(),
                "--resource-pattern-type",
                acl.pattern().patternType().name().toLowerCase(Locale.ROOT));
    }

    /** Lists the quotas of client ids. */
    public String listQuotas() {
        return line("kafka-configs.sh", "--describe", "--entity-type", "clients");
    }

    /** Removes the quotas of one entity. */
    public String removeQuotas(ClientQuotaEntity entity, Collection<String> keys) {
        List<String> words =
                new ArrayList<>(List.of("--alter", "--delete-config", String.join(",", new TreeSet<>(keys))));
        Map<String, String> types = Map.of(
                ClientQuotaEntity.USER, "users", ClientQuotaEntity.CLIENT_ID, "clients", ClientQuotaEntity.IP, "ips");
        entity.entries().forEach((type, name) -> {
            words.addAll(List.of("--entity-type", types.getOrDefault(type, type)));
            words.addAll(name == null ? List.of("--entity-default") : List.of("--entity-name", name));
        });
        return line("kafka-configs.sh", words.toArray(String[]::new));
    }

    private String line(String tool, String... words) {
        List<String> all = new ArrayList<>(
                List.of(tool, "--bootstrap-server", bootstrapServers, "--command-config", "client.properties"));
        all.addAll(Arrays.asList(words));
        return all.stream().map(ShellWord::quoted).collect(Collectors.joining(" "));
    }

    private static String option(ResourceType type) {
        return "--" + type.name().toLowerCase(Locale.ROOT);
    }

    /** As the tools write operations: DescribeConfigs. */
    private static String camelCase(String name) {
        return Arrays.stream(name.split("_"))
                .map(word -> word.charAt(0) + word.substring(1).toLowerCase(Locale.ROOT))
                .collect(Collectors.joining());
    }
}
