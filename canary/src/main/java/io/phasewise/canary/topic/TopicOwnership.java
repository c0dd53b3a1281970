/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.topic;

import io.phasewise.canary.config.TopicConfig;
import io.phasewise.canary.topic.OwnershipMark.Origin;
import java.util.Optional;

/**
 * Says whose topic it is, and so whether the canary may change it and send into it: a pure function
 * of what was seen. Looking is left to {@link TopicObserver} and {@link RecordLook}; what follows
 * is carried out by {@link TopicKeeper}.
 *
 * <p>A topic is the canary's when its mark says that a canary created it ({@link OwnershipMark}),
 * or when {@code topic.adopt} says that it is for the canary alone. Every other topic is somebody
 * else's: nothing of it is changed, nothing is sent into it, and no consumer is opened on it. Names
 * and settings prove nothing.
 *
 * <p>What it must never do: take a topic for the canary's because nothing speaks against it. Where
 * settings cannot be read nobody can know whose the topic is, and it is left alone.
 *
 * <p>A process that has seen that a topic is the canary's goes on sending into the topic of that id
 * when the mark goes away later, for example because a tool that owns the topic's settings has
 * written them anew. It changes nothing any more. After a restart it takes the topic for somebody
 * else's.
 */
public final class TopicOwnership {
    /** Kafka's own topics begin with this. */
    private static final String INTERNAL = "__";

    private final TopicConfig wish;
    private final boolean defaultName;

    /** What the records of a topic are. */
    public enum Records {
        /** Nobody has looked. */
        NOT_LOOKED_AT,
        /** Each record of each partition is a probe, and each partition has at least one. */
        PROBES,
        /** All records are probes, but some partition has none. */
        TOO_FEW,
        /** Some record is no probe. */
        OTHERS,
        /** More than are looked at, or they could not be read in time. */
        TOO_MANY
    }

    /**
     * What the verdict is drawn from.
     *
     * @param clusterId Kafka's id of the cluster; may be null, and then no mark is read
     * @param state the topic as it is
     * @param knownId id of the topic that this process has seen to be the canary's; empty when none
     * @param records what the records of this very topic are
     */
    public record Facts(String clusterId, TopicState state, String knownId, Records records) {}

    /**
     * Whose topic it is.
     *
     * @param ownership the answer
     * @param mayChange whether the canary may change it; a topic that does not exist may be created
     * @param maySend whether the canary may send into it and read it
     * @param mark what it is to be marked as; empty when it is marked already, or not the canary's
     * @param asksForRecords whether a look at its records could change the answer
     * @param reason why it is not plainly the canary's, for the reader; empty when it is
     * @param wayOut what the reader can do about that; empty when it is
     */
    public record Verdict(
            Ownership ownership,
            boolean mayChange,
            boolean maySend,
            Optional<Origin> mark,
            boolean asksForRecords,
            String reason,
            String wayOut) {
        private static final String TWO_WAYS =
                "Two ways out: another topic.name, or topic.adopt: true if the topic is for the canary alone";

        /** While brokers may answer for two topics of the same name: see {@link RecreationWatch}. */
        static final Verdict IN_QUESTION = foreign(Ownership.UNKNOWN, "it was made anew a moment ago");

        /** Before the first look. */
        public static final Verdict NOT_SEEN = foreign(Ownership.UNKNOWN, "it has not been looked at yet");

        private static Verdict ours(Ownership ownership, Optional<Origin> mark) {
            return new Verdict(ownership, true, true, mark, false, "", "");
        }

        private static Verdict sentTo(Ownership ownership, String reason) {
            return new Verdict(ownership, false, true, Optional.empty(), false, reason, TWO_WAYS);
        }

        private static Verdict foreign(Ownership ownership, String reason) {
            return new Verdict(ownership, false, false, Optional.empty(), false, reason, TWO_WAYS);
        }
    }

    /**
     * @param wish the topic as configured
     * @param profile the profile's name, which is part of its topic's default name
     */
    public TopicOwnership(TopicConfig wish, String profile) {
        this.wish = wish;
        this.defaultName = wish.name().equals(TopicConfig.DEFAULT_NAME)
                || wish.name().equals(TopicConfig.DEFAULT_NAME + "-" + profile);
    }

    /**
     * Says whose the topic is.
     *
     * @param facts what was seen
     * @return the same for the same facts
     */
    public Verdict judge(Facts facts) {
        TopicState state = facts.state();
        if (wish.name().startsWith(INTERNAL)) {
            return Verdict.foreign(Ownership.FOREIGN, "its name is one of Kafka's own topics");
        }
        if (!state.exists()) {
            return new Verdict(Ownership.NONE, true, false, Optional.empty(), false, "", "");
        }
        Optional<Origin> mark = facts.clusterId() == null || !state.configKnown()
                ? Optional.empty()
                : OwnershipMark.read(facts.clusterId(), wish.name(), state.config());
        if (mark.equals(Optional.of(Origin.CREATED))) {
            return Verdict.ours(Ownership.CREATED, Optional.empty());
        }
        if (wish.adopt()) {
            return adopted(facts, mark);
        }
        if (mark.isPresent()) {
            return Verdict.foreign(
                    Ownership.FOREIGN, "a canary has adopted it, but the configuration of this canary does not");
        }
        boolean known = state.hasId(facts.knownId());
        if (!state.configKnown()) {
            String reason = "its settings cannot be read, so nobody can know whether it is";
            return known
                    ? Verdict.sentTo(Ownership.UNKNOWN, reason)
                    : Verdict.foreign(Ownership.UNKNOWN, reason + "; the canary's user needs DescribeConfigs on it");
        }
        boolean hasProbesOnly = defaultName && facts.records() == Records.PROBES;
        if (known && !hasProbesOnly) {
            return Verdict.sentTo(
                    Ownership.UNKNOWN,
                    "its mark (" + OwnershipMark.SETTING + ") was there and is gone: something else sets its settings");
        }
        return unmarked(facts);
    }

    private Verdict adopted(Facts facts, Optional<Origin> mark) {
        if (facts.records() == Records.OTHERS) {
            String reason = "it is adopted, but holds a record that is no probe: it is not for the canary alone";
            String wayOut = "Find who writes to it. Then delete the topic, or choose another topic.name";
            return new Verdict(Ownership.FOREIGN, false, false, Optional.empty(), false, reason, wayOut);
        }
        if (!facts.state().configKnown()) {
            String reason = "it is adopted, but its settings cannot be read";
            String right = "The canary's user needs DescribeConfigs on it";
            return new Verdict(Ownership.ADOPTED, false, true, Optional.empty(), false, reason, right);
        }
        boolean markable = facts.clusterId() != null && mark.isEmpty();
        return Verdict.ours(Ownership.ADOPTED, markable ? Optional.of(Origin.ADOPTED) : Optional.empty());
    }

    private Verdict unmarked(Facts facts) {
        String noMark = "it has no mark of a canary";
        if (!defaultName) {
            return Verdict.foreign(Ownership.FOREIGN, noMark);
        }
        return switch (facts.records()) {
            case NOT_LOOKED_AT ->
                new Verdict(Ownership.FOREIGN, false, false, Optional.empty(), true, noMark, Verdict.TWO_WAYS);
            case OTHERS -> Verdict.foreign(Ownership.FOREIGN, noMark + ", and holds a record that is no probe");
            case TOO_FEW ->
                Verdict.foreign(
                        Ownership.FOREIGN,
                        noMark + ", and not every partition holds a probe that would show whose it is");
            case TOO_MANY ->
                Verdict.foreign(Ownership.FOREIGN, noMark + ", and its records could not all be looked at");
            case PROBES -> Verdict.ours(Ownership.CREATED, Optional.of(Origin.CREATED));
        };
    }
}
