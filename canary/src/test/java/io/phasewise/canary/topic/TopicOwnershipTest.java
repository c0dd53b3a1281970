/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.topic;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.canary.config.ManageConfig;
import io.phasewise.canary.config.TopicConfig;
import io.phasewise.canary.topic.OwnershipMark.Origin;
import io.phasewise.canary.topic.TopicOwnership.Facts;
import io.phasewise.canary.topic.TopicOwnership.Records;
import io.phasewise.canary.topic.TopicOwnership.Verdict;
import io.phasewise.canary.topic.TopicState.Broker;
import io.phasewise.canary.topic.TopicState.Partition;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

class TopicOwnershipTest {
    private static final String CLUSTER = "the-cluster";
    private static final String ID = "uTVxyGm9Q0WOWK1Pq8Yl0w";
    private static final ManageConfig ALL = new ManageConfig(true, true, true, true, true);

    /**
     * Settings: {@code created} and {@code adopted} are the marks, {@code by-bytes} is the mark in
     * the other setting, {@code of-another} that of another cluster, {@code denied} cannot be read,
     * {@code no-topic} is none. May: c is change, s is send.
     */
    @ParameterizedTest
    @CsvFileSource(resources = "ownership.csv", delimiter = '|')
    void judges(
            String what,
            String topic,
            boolean adopt,
            String settings,
            boolean known,
            String records,
            String ownership,
            String may,
            String mark,
            String reason) {
        Verdict verdict = new TopicOwnership(wish(topic, adopt), "app")
                .judge(new Facts(CLUSTER, state(topic, settings), known ? ID : "", records(records)));

        assertThat(verdict.ownership().label()).as(what).isEqualTo(ownership);
        assertThat((verdict.mayChange() ? "c" : "") + (verdict.maySend() ? "s" : ""))
                .as(what)
                .isEqualTo(may == null ? "" : may);
        assertThat(verdict.mark().map(each -> each.name().toLowerCase(Locale.ROOT)))
                .as(what)
                .isEqualTo(Optional.ofNullable(mark));
        assertThat(verdict.asksForRecords()).as(what).isEqualTo("look".equals(reason));
        if (reason == null) {
            assertThat(verdict.reason()).as(what).isEmpty();
        } else if (!reason.equals("look")) {
            assertThat(verdict.reason()).as(what).contains(reason);
        }
    }

    /** Whatever else is true of it: without a created mark and without adopt nothing is changed. */
    @Property
    void noTopicIsChangedWithoutAMarkOrTheWordOfTheConfiguration(
            @ForAll Records records, @ForAll boolean known, @ForAll boolean readable, @ForAll boolean internal) {
        String topic = internal ? "__consumer_offsets" : "orders";
        Verdict verdict = new TopicOwnership(wish(topic, false), "app")
                .judge(new Facts(CLUSTER, state(topic, readable ? "none" : "denied"), known ? ID : "", records));

        assertThat(verdict.mayChange()).isFalse();
        assertThat(verdict.mark()).isEmpty();
        assertThat(verdict.reason()).isNotEmpty();
    }

    private static Records records(String name) {
        return name == null
                ? Records.NOT_LOOKED_AT
                : Records.valueOf(name.toUpperCase(Locale.ROOT).replace('-', '_'));
    }

    private static TopicConfig wish(String topic, boolean adopt) {
        return new TopicConfig(topic, adopt, 3, 2, Map.of(), ALL);
    }

    private static TopicState state(String topic, String settings) {
        Map<String, String> config =
                new HashMap<>(Map.of("cleanup.policy", "compact", "delete.retention.ms", "86400000"));
        Stream.of(Origin.values())
                .filter(each -> each.name().equalsIgnoreCase(settings))
                .forEach(each -> config.put(OwnershipMark.SETTING, OwnershipMark.value(CLUSTER, topic, each)));
        if (settings.equals("by-bytes")) {
            config.put(OwnershipMark.FALLBACK_SETTING, OwnershipMark.fallbackValue(CLUSTER, topic, Origin.CREATED));
        } else if (settings.equals("of-another")) {
            config.put(OwnershipMark.SETTING, OwnershipMark.value("another-cluster", topic, Origin.CREATED));
        }
        boolean denied = settings.equals("denied");
        return new TopicState(
                List.of(new Broker(1, "b1", 9092, null, true)),
                settings.equals("no-topic") ? List.of() : List.of(new Partition(0, 1, List.of(1), List.of(1))),
                denied ? Map.of() : config,
                !denied,
                ID);
    }
}
