/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.topic;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.canary.config.ManageConfig;
import io.phasewise.canary.config.TopicConfig;
import io.phasewise.canary.supervise.Problem;
import io.phasewise.canary.topic.OwnershipMark.Origin;
import io.phasewise.canary.topic.TopicState.Broker;
import io.phasewise.canary.topic.TopicState.Partition;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

class TopicPlannerTest {
    private static final ManageConfig ALL = new ManageConfig(true, true, true, true, true);
    private static final ManageConfig NONE = new ManageConfig(false, false, false, false, false);
    private static final String CLUSTER = "the-cluster";
    private static final Map<String, String> CONFIG = Map.of("message.timestamp.type", "LogAppendTime");

    /**
     * Brokers are ids, with {@code -} where one is down and {@code @} before its rack; a partition
     * is {@code leader<replicas}, with {@code /} before those in sync where not all are.
     */
    @ParameterizedTest
    @CsvFileSource(resources = "plans.csv", delimiter = '|')
    void plans(
            String what,
            int replicationFactor,
            String manage,
            String brokers,
            String partitions,
            String changes,
            String problem) {
        TopicState state = state(brokers, Objects.toString(partitions, ""));

        Plan plan = plan(replicationFactor, manage.equals("all") ? ALL : NONE, state);

        assertThat(plan.changes().stream().map(TopicPlannerTest::shown).toList())
                .as(what)
                .isEqualTo(listed(changes));
        assertThat(plan.problems().stream()
                        .map(p -> p.key() + ": " + p.message())
                        .toList())
                .as(what)
                .isEqualTo(problem == null ? List.of() : List.of(problem));
    }

    private static List<String> listed(String changes) {
        return changes == null ? List.of() : List.of(changes.split("; "));
    }

    private static String shown(Change change) {
        if (change instanceof Change.Create create) {
            return "create " + create.assignments();
        }
        if (change instanceof Change.Expand expand) {
            return "expand to " + expand.total() + " by " + expand.assignments();
        }
        if (change instanceof Change.Reassign reassign) {
            return "move " + reassign.partition() + " to " + reassign.replicas();
        }
        return change instanceof Change.Elect elect ? "elect in " + elect.partition() : change.toString();
    }

    @Test
    void aTopicIsCreatedWithItsSettingsAndThoseThatCannotBeReadAreNotAltered() {
        Change created = plan(3, ALL, state("1 2 3", "")).changes().get(0);
        assertThat(((Change.Create) created).config()).isEqualTo(settings(2));
        TopicState state = new TopicState(sound().brokers(), sound().partitions(), Map.of(), false);
        assertThat(plan(3, ALL, state)).isEqualTo(new Plan(List.of(), List.of()));
    }

    @Test
    void aTopicIsCreatedWithTheMarkOfACanary() {
        Change.Create created =
                (Change.Create) plan(3, ALL, state("1 2 3", "")).changes().get(0);

        assertThat(created.marks())
                .containsExactly(
                        Map.of("delete.retention.ms", OwnershipMark.value(CLUSTER, "canary", Origin.CREATED)),
                        Map.of("retention.bytes", OwnershipMark.fallbackValue(CLUSTER, "canary", Origin.CREATED)));
        assertThat(created.command("canary"))
                .isEqualTo("kafka-topics.sh --create --topic canary --replica-assignment 1:2:3,2:3:1,3:1:2"
                        + " --config message.timestamp.type=LogAppendTime --config min.insync.replicas=2");
    }

    @Test
    void whereTheClusterHasNoIdToMarkATopicByNoneIsCreated() {
        Plan plan = planner(3, ALL).plan(null, state("1 2 3", ""));

        assertThat(plan.changes()).isEmpty();
        assertThat(plan.problems()).singleElement().asString().contains("topic.adopt: true");
    }

    @Test
    void minInsyncReplicasNeverExceedTheReplicasThereAre() {
        TopicState state = new TopicState(
                List.of(broker(1, null, true)),
                List.of(new Partition(0, 1, List.of(1), List.of(1))),
                settings(1),
                true);

        assertThat(plan(3, new ManageConfig(true, true, false, true, true), state)
                        .changes())
                .isEmpty();
    }

    @Test
    void anotherTimestampTypeIsAlteredOrReported() {
        Map<String, String> wrong = new TreeMap<>(settings(2));
        wrong.put("message.timestamp.type", "CreateTime");
        TopicState state = new TopicState(sound().brokers(), sound().partitions(), wrong, true);

        assertThat(plan(3, ALL, state).changes())
                .containsExactly(new Change.Configure(Map.of("message.timestamp.type", "LogAppendTime")));
        assertThat(plan(3, NONE, state).problems())
                .containsExactly(new Problem(
                        "topic.config.message.timestamp.type",
                        "topic canary has message.timestamp.type=CreateTime, wanted"
                                + " LogAppendTime; altering it is switched off"
                                + " (topic.manage.configure)"));
    }

    /** What a correct cluster makes of a plan. */
    static TopicState carriedOut(TopicState state, Plan plan) {
        List<List<Integer>> replicas = new ArrayList<>();
        state.partitions().forEach(p -> replicas.add(p.replicas()));
        Map<String, String> config = new TreeMap<>(state.config());
        boolean known = state.configKnown();
        Set<Integer> elected = new HashSet<>();
        for (Change change : plan.changes()) {
            if (change instanceof Change.Create create) {
                replicas.addAll(create.assignments());
                config.putAll(create.config());
                known = true;
            } else if (change instanceof Change.Expand expand) {
                replicas.addAll(expand.assignments());
                assertThat(replicas).hasSize(expand.total());
            } else if (change instanceof Change.Reassign reassign) {
                replicas.set(reassign.partition(), reassign.replicas());
            } else if (change instanceof Change.Elect elect) {
                elected.add(elect.partition());
            } else if (change instanceof Change.Configure configure) {
                config.putAll(configure.config());
            }
        }
        Set<Integer> live = new HashSet<>();
        state.brokers().stream().filter(Broker::live).forEach(b -> live.add(b.id()));
        List<Partition> partitions = new ArrayList<>();
        for (List<Integer> list : replicas) {
            int number = partitions.size();
            List<Integer> inSync = list.stream().filter(live::contains).toList();
            boolean stays = number < state.partitions().size() && !elected.contains(number);
            int before = stays ? state.partitions().get(number).leader() : TopicState.NO_LEADER;
            int first = inSync.isEmpty() ? TopicState.NO_LEADER : inSync.get(0);
            int leader = inSync.contains(before) ? before : first;
            partitions.add(new Partition(number, leader, list, inSync));
        }
        return new TopicState(state.brokers(), partitions, config, known);
    }

    static Plan plan(int replicationFactor, ManageConfig manage, TopicState state) {
        return planner(replicationFactor, manage).plan(CLUSTER, state);
    }

    static TopicPlanner planner(int replicationFactor, ManageConfig manage) {
        return new TopicPlanner(new TopicConfig(
                "canary", false, replicationFactor, Math.max(1, replicationFactor - 1), CONFIG, manage));
    }

    static Map<String, String> settings(int minInsync) {
        Map<String, String> config = new TreeMap<>(CONFIG);
        config.put("min.insync.replicas", String.valueOf(minInsync));
        return config;
    }

    private static TopicState sound() {
        return state("1 2 3", "1<1,2,3 2<2,3,1 3<3,1,2");
    }

    private static TopicState state(String brokers, String partitions) {
        List<Broker> members = Arrays.stream(brokers.split(" "))
                .map(each -> each.split("@"))
                .map(each -> broker(
                        Integer.parseInt(each[0].replace("-", "")),
                        each.length > 1 ? each[1] : null,
                        !each[0].endsWith("-")))
                .toList();
        List<Partition> all = new ArrayList<>();
        for (String each : partitions.isEmpty() ? new String[0] : partitions.split(" ")) {
            String[] of = each.split("[</]");
            List<Integer> replicas = numbers(of[1]);
            List<Integer> inSync = of.length > 2 ? numbers(of[2]) : replicas;
            all.add(new Partition(all.size(), Integer.parseInt(of[0]), replicas, inSync));
        }
        int least = all.stream().mapToInt(p -> p.replicas().size()).min().orElse(1);
        Map<String, String> config = all.isEmpty() ? Map.of() : settings(Math.max(1, least - 1));
        return new TopicState(members, all, config, !all.isEmpty());
    }

    private static List<Integer> numbers(String list) {
        return Arrays.stream(list.split(",")).map(Integer::valueOf).toList();
    }

    static Broker broker(int id, String rack, boolean live) {
        return new Broker(id, "b" + id, 9092, rack, live);
    }
}
