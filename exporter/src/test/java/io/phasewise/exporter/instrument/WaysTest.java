/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.instrument;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a call site passes on: what is at hand in the method, and what is reached from there. */
class WaysTest {

    private static final String OBJECT = "Ljava/lang/Object;";
    private static final List<Object> CALLS = new ArrayList<>();
    private static boolean throwing;

    @AutoClose
    private FakeJvm jvm;

    /** As Kafka's partition has its state. */
    public interface State {
        Set<Integer> members();
    }

    /** Has a public field. */
    public static final class Position {
        public final long offset;

        public Position(long offset) {
            this.offset = offset;
        }

        public long offset() {
            return offset;
        }
    }

    /** Stands for a class of Kafka. */
    public static class Target {
        private final State state = () -> Set.of(3);
        private final int id = 7;

        /** Called with an argument of two slots before what is passed. */
        public Position append(double first, boolean flag, Position position) {
            if (flag) {
                return new Position(position.offset + 1);
            }
            return position;
        }

        /** Returns nothing. */
        public void drop(Position position) {}
    }

    /** Stands for the agent; apart from the test, whose name is in Target's class file. */
    public static final class Called {
        public static void begins(Object members, int id, boolean flag, long offset) {
            CALLS.add(List.of(members, id, flag, offset));
            if (throwing) {
                throw new IllegalStateException("on purpose");
            }
        }

        public static boolean isSeven(int id) {
            CALLS.add("asked of " + id);
            return id == 7;
        }

        public static boolean never() {
            return false;
        }

        public static void begins(int id, Object members) {
            CALLS.add(List.of(id, members));
        }

        public static void flagged(boolean flag) {
            CALLS.add("flag " + flag);
        }

        public static void identified(int id) {
            CALLS.add("id " + id);
        }

        public static void ends(long offset) {
            CALLS.add(offset);
        }

        public static void drops(long offset) {
            CALLS.add("drop " + offset);
        }
    }

    @BeforeEach
    void forgetCalls() {
        CALLS.clear();
        throwing = false;
    }

    private static CallSite append() {
        return new CallSite(Target.class.getName(), "append", ".*");
    }

    private static Hook hook(String name, CallSite site) {
        return new Hook(name, name + " is lost", () -> {}, site);
    }

    private static Hook appends() {
        return hook(
                "appends",
                append().begin(Called.class, "begins")
                        .passing("state.members()", OBJECT)
                        .passing("id", "I")
                        .passingArgument(1, "Z")
                        .passingOf(2, "offset", "J")
                        .thenAtReturn("ends", "offset()", "J"));
    }

    private static Hook drops() {
        return hook(
                "drops",
                new CallSite(Target.class.getName(), "drop", ".*")
                        .begin(Called.class, "drops")
                        .passingOf(0, "offset()", "J"));
    }

    /** Of the class with the calls in it. */
    private Object target(Hook... all) throws Exception {
        jvm = new FakeJvm(all);
        return jvm.load(Target.class).getDeclaredConstructor().newInstance();
    }

    private static long append(Object target, boolean flag) throws Exception {
        return ((Position) target.getClass()
                        .getMethod("append", double.class, boolean.class, Position.class)
                        .invoke(target, 0.5, flag, new Position(41)))
                .offset;
    }

    private static void drop(Object target) throws Exception {
        target.getClass().getMethod("drop", Position.class).invoke(target, new Position(5));
    }

    @Test
    void whatIsAtHandAndWhatIsReachedFromThereIsPassed() throws Exception {
        Object target = target(appends());

        assertThat(append(target, true)).isEqualTo(42);
        assertThat(append(target, false)).isEqualTo(41);
        assertThat(CALLS)
                .containsExactly(List.of(Set.of(3), 7, true, 41L), 42L, List.of(Set.of(3), 7, false, 41L), 41L);
        assertThat(jvm.log()).isEmpty();
    }

    @Test
    void severalHooksShareAClassAndOneThatThrowsEndsAlone() throws Exception {
        throwing = true;
        Object target = target(appends(), drops());

        assertThat(append(target, true)).isEqualTo(42);
        drop(target);
        assertThat(CALLS).contains("drop 5");
        assertThat(jvm.hooks().isActive("appends")).isFalse();
        assertThat(jvm.hooks().isActive("drops")).isTrue();
        assertThat(jvm.log()).singleElement().asString().startsWith("appends is lost: it failed");
    }

    private static Hook conditional(String condition, int passed) {
        return hook(
                "conditional",
                append().begin(Called.class, "begins")
                        .onlyIf(condition, passed)
                        .passing("id", "I")
                        .passing("state.members()", OBJECT));
    }

    /** Where it says no, nothing is looked for; one that is not there ends the hook alone. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "isSeven | 1 | [asked of 7, [7, [3]]] | true",
                "never   | 0 | []                     | true",
                "absent  | 0 | []                     | false"
            })
    void aConditionIsAskedFirstAndGivenTheFirstValues(String condition, int passed, String calls, boolean active)
            throws Exception {
        Object target = target(conditional(condition, passed));

        assertThat(append(target, true)).isEqualTo(42);
        assertThat(CALLS).hasToString(calls);
        assertThat(jvm.hooks().isActive("conditional")).isEqualTo(active);
        assertThat(jvm.log()).hasSize(active ? 0 : 1);
    }

    /** At a return the object is still there, whatever became of the arguments. */
    @Test
    void whatTheObjectHasIsPassedAtTheReturn() throws Exception {
        Object target = target(hook(
                "return",
                append().begin(Called.class, "flagged")
                        .passingFirst("Z")
                        .thenAtReturnPassing("identified", "id", "I")
                        .thenAtReturn("ends", "offset()", "J")));

        assertThat(append(target, true)).isEqualTo(42);
        assertThat(CALLS).containsExactly("flag true", "id 7", 42L);
        assertThat(jvm.log()).isEmpty();
    }

    /** Where the flag is differs between releases. */
    @Test
    void theFirstArgumentOfADescriptorIsFoundAfterOneOfTwoSlots() throws Exception {
        Object target =
                target(hook("first", append().begin(Called.class, "flagged").passingFirst("Z")));

        append(target, true);
        append(target, false);
        assertThat(CALLS).containsExactly("flag true", "flag false");
        assertThat(jvm.log()).isEmpty();
    }

    @Test
    void anArgumentThatNoMethodHasEndsTheHook() throws Exception {
        Object target =
                target(hook("first", append().begin(Called.class, "ends").passingFirst("J")));

        append(target, true);
        assertThat(CALLS).isEmpty();
        assertThat(jvm.log()).singleElement().asString().contains("has no argument of J");
    }

    @Test
    void aWayThatIsNotThereLeavesTheClassToTheOtherHook() throws Exception {
        Hook lost = hook("way", append().begin(Called.class, "drops").passing("state.absent()", "J"));
        Object target = target(lost, drops());

        append(target, true);
        drop(target);
        assertThat(CALLS).containsExactly("drop 5");
        String why = "way is lost: unexpected shape of a Kafka class: " + State.class.getName();
        assertThat(jvm.log()).containsExactly(why + " has no absent() of J");
    }
}
