/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.canary.group.GroupContent.Member;
import io.phasewise.canary.group.GroupContent.Undescribed;
import io.phasewise.canary.group.GroupOwnership.Verdict;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class GroupOwnershipTest {
    private static final Member CANARY = new Member("phasewise-canary-prod-consumer", "/10.0.0.1");
    private static final Member BILLING = new Member("billing-1", "/10.0.0.2");

    private static GroupOwnership of(List<Member> members, Set<String> topics) {
        return GroupOwnership.of(
                new GroupContent("g", true, members, topics, Optional.empty()), Set.of("phasewise-canary"));
    }

    @Test
    void aGroupThatIsNotThereMayBeJoined() {
        GroupOwnership absent = GroupOwnership.of(GroupContent.absent("g"), Set.of("phasewise-canary"));
        assertThat(absent.verdict()).isEqualTo(Verdict.ABSENT);
        assertThat(absent.verdict().mayJoin()).isTrue();
    }

    @Test
    void canariesAndTheirTopicMakeItOurs() {
        assertThat(of(List.of(CANARY), Set.of()).verdict()).isEqualTo(Verdict.OURS);
        assertThat(of(List.of(), Set.of("phasewise-canary")).verdict()).isEqualTo(Verdict.OURS);
        assertThat(of(List.of(CANARY), Set.of("phasewise-canary")).verdict().mayJoin())
                .isTrue();
    }

    @Test
    void aStrangeMemberOrAnOffsetOfAnotherTopicMakesItSomebodysAndBothAreNamed() {
        GroupOwnership member = of(List.of(CANARY, BILLING), Set.of("phasewise-canary"));
        assertThat(member.verdict()).isEqualTo(Verdict.FOREIGN);
        assertThat(member.evidence()).contains("billing-1 at /10.0.0.2").doesNotContain("consumer at");
        GroupOwnership offsets = of(List.of(CANARY), Set.of("phasewise-canary", "orders"));
        assertThat(offsets.verdict()).isEqualTo(Verdict.FOREIGN);
        assertThat(offsets.verdict().mayJoin()).isFalse();
        assertThat(offsets.evidence()).isEqualTo("has offsets of other topics: orders");
    }

    @Test
    void aClientThatOnlyBeginsLikeACanaryIsNone() {
        assertThat(of(List.of(new Member("phasewise-canaryish", "/h")), Set.of())
                        .verdict())
                .isEqualTo(Verdict.FOREIGN);
    }

    @Test
    void whatShowsNothingProvesNothing() {
        assertThat(of(List.of(), Set.of()).verdict()).isEqualTo(Verdict.UNKNOWN);
        GroupContent denied =
                new GroupContent("g", true, List.of(), Set.of(), Optional.of(new Undescribed(true, "denied")));
        assertThat(GroupOwnership.of(denied, Set.of()).verdict().mayJoin()).isFalse();
        assertThat(GroupOwnership.of(denied, Set.of()).verdict()).isEqualTo(Verdict.UNKNOWN);
    }

    @Test
    void aGroupOfConnectIsSomebodys() {
        GroupContent other =
                new GroupContent("g", true, List.of(), Set.of(), Optional.of(new Undescribed(false, "of Connect")));
        assertThat(GroupOwnership.of(other, Set.of()).verdict()).isEqualTo(Verdict.FOREIGN);
    }

    @Test
    void ofManyAFewAreNamed() {
        List<Member> many = IntStream.range(0, 1000)
                .mapToObj(i -> new Member("app-" + i, "/h"))
                .toList();
        assertThat(of(many, Set.of()).evidence())
                .contains("app-0 at /h", "and 995 more")
                .hasSizeLessThan(200);
    }
}
