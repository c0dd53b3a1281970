/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.topic;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.canary.topic.OwnershipMark.Origin;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.CreateTopicsResult;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.internals.KafkaFutureImpl;
import org.junit.jupiter.api.Test;

/** Clusters that refuse settings when a topic is created. What brokers do is left to the ITs. */
class TopicApplierTest {
    private static final String MARK = OwnershipMark.SETTING;
    private static final String FALLBACK = OwnershipMark.FALLBACK_SETTING;
    private static final Uuid ID = Uuid.randomUuid();

    private final List<Map<String, String>> asked = new ArrayList<>();

    private final Change.Create create = new Change.Create(
            List.of(List.of(1, 2), List.of(2, 1)),
            Map.of("retention.ms", "600000"),
            OwnershipMark.settings("cluster", "probes", Origin.CREATED));

    @Test
    void theMarkIsSetInTheRequestThatCreatesTheTopic() throws Exception {
        TopicApplier.Result result = applier(Set.of()).apply(create);

        assertThat(result.problem()).isEmpty();
        assertThat(result.createdId()).isEqualTo(ID.toString());
        assertThat(asked)
                .containsExactly(Map.of(
                        "retention.ms", "600000", MARK, OwnershipMark.value("cluster", "probes", Origin.CREATED)));
    }

    @Test
    void whereTheSettingIsRefusedTheOtherOneHoldsTheMark() throws Exception {
        assertThat(applier(Set.of(MARK)).apply(create).problem()).isEmpty();

        assertThat(asked).hasSize(2);
        assertThat(asked.get(1))
                .isEqualTo(Map.of(
                        "retention.ms",
                        "600000",
                        FALLBACK,
                        OwnershipMark.fallbackValue("cluster", "probes", Origin.CREATED)));
    }

    @Test
    void whereBothAreRefusedNoTopicIsCreatedAndTheProblemHasTheCommandThatCreatesIt() throws Exception {
        TopicApplier.Result result = applier(Set.of(MARK, FALLBACK)).apply(create);

        assertThat(asked).hasSize(2).allMatch(config -> config.containsKey(MARK) || config.containsKey(FALLBACK));
        assertThat(result.createdId()).isEmpty();
        assertThat(result.problem()).hasValueSatisfying(problem -> {
            assertThat(problem.key()).isEqualTo("topic.manage.create");
            assertThat(problem.message())
                    .contains(
                            "PolicyViolationException",
                            "topic.adopt: true",
                            "kafka-topics.sh --create --topic probes --replica-assignment 1:2,2:1"
                                    + " --config retention.ms=600000");
        });
    }

    /** Of a cluster whose policy refuses topics with these settings. */
    private TopicApplier applier(Set<String> refused) {
        Admin admin = (Admin) Proxy.newProxyInstance(
                TopicApplierTest.class.getClassLoader(), new Class<?>[] {Admin.class}, (proxy, method, arguments) -> {
                    assertThat(method.getName()).isEqualTo("createTopics");
                    NewTopic topic =
                            (NewTopic) ((Collection<?>) arguments[0]).iterator().next();
                    asked.add(topic.configs());
                    return new Answer(topic.configs().keySet().stream().anyMatch(refused::contains));
                });
        return new TopicApplier(() -> admin, "test", "probes");
    }

    private static final class Answer extends CreateTopicsResult {
        Answer(boolean refuses) {
            super(Map.of("probes", future(refuses)));
        }

        private static KafkaFuture<TopicMetadataAndConfig> future(boolean refuses) {
            KafkaFutureImpl<TopicMetadataAndConfig> future = new KafkaFutureImpl<>();
            if (refuses) {
                future.completeExceptionally(new PolicyViolationException("not allowed here"));
            } else {
                future.complete(new TopicMetadataAndConfig(ID, 2, 2, null));
            }
            return future;
        }
    }
}
