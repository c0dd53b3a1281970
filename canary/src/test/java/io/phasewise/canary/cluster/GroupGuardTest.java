/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.phasewise.canary.group.GroupContent;
import io.phasewise.canary.group.GroupContent.Member;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

class GroupGuardTest {
    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private GroupContent content = group(List.of(), Set.of());
    private boolean answers = true;
    private int looks;
    private final GroupGuard guard = new GroupGuard(Optional.of("g"), "phasewise-canary", id -> {
        looks++;
        if (!answers) {
            throw new TimeoutException("no answer");
        }
        return content;
    });

    private static GroupContent group(List<Member> members, Set<String> topics) {
        return new GroupContent("g", true, members, topics, Optional.empty());
    }

    @Test
    void aGroupThatIsDrawnIsNotLookedAt() throws Exception {
        GroupGuard drawn = new GroupGuard(Optional.empty(), "phasewise-canary", id -> {
            throw new AssertionError("looked at " + id);
        });
        assertThat(drawn.mayJoin(0)).isTrue();
        assertThat(drawn.problem()).isEmpty();
    }

    @Test
    void aGroupOfAnApplicationIsRefusedWithWhatIsInItAndTheWaysOut() throws Exception {
        content = group(List.of(new Member("billing-1", "/10.0.0.9")), Set.of("orders"));
        assertThat(guard.mayJoin(0)).isFalse();
        assertThat(guard.problem())
                .hasValueSatisfying(problem -> assertThat(problem.message())
                        .contains(
                                "group g",
                                "billing-1 at /10.0.0.9",
                                "orders",
                                "another consumer-group.id",
                                "--delete"));
        content = group(List.of(), Set.of("phasewise-canary"));
        assertThat(guard.mayJoin(6 * SECOND)).as("once it is the canary's").isTrue();
        assertThat(guard.problem()).isEmpty();
    }

    @Test
    void aMemberLeavesWhenAnApplicationJoins() throws Exception {
        content = group(List.of(), Set.of("phasewise-canary"));
        assertThat(guard.mayJoin(0)).isTrue();
        content = group(List.of(new Member("billing-1", "/10.0.0.9")), Set.of("phasewise-canary"));
        assertThat(guard.mayJoin(10 * SECOND)).as("not looked at again so soon").isTrue();
        assertThat(guard.mayJoin(31 * SECOND)).isFalse();
    }

    @Test
    void aLookThatFailsTakesNothingBackFromAMember() throws Exception {
        content = group(List.of(), Set.of("phasewise-canary"));
        assertThat(guard.mayJoin(0)).isTrue();
        answers = false;
        assertThat(guard.mayJoin(31 * SECOND)).isTrue();
        assertThat(guard.mayJoin(32 * SECOND)).isTrue();
        assertThat(looks).as("not asked at every look").isEqualTo(2);
    }

    @Test
    void beforeTheFirstAnswerNothingIsJoined() {
        answers = false;
        assertThatThrownBy(() -> guard.mayJoin(0)).isInstanceOf(TimeoutException.class);
        assertThat(guard.problem()).isEmpty();
    }

    /** Its topic was deleted, and with it the offsets. */
    @Test
    void whatThisProcessLeftBehindEmptyIsJoinedAgainAndWhatItFoundEmptyIsNot() throws Exception {
        assertThat(guard.mayJoin(0)).isFalse();
        assertThat(guard.problem())
                .hasValueSatisfying(problem -> assertThat(problem.message()).contains("without a member"));
        content = new GroupContent("g", false, List.of(), Set.of(), Optional.empty());
        assertThat(guard.mayJoin(6 * SECOND)).isTrue();
        content = group(List.of(), Set.of());
        assertThat(guard.mayJoin(60 * SECOND)).isTrue();
    }
}
