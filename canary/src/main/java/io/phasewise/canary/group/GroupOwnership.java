/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.group;

import io.phasewise.canary.config.KafkaConfig;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Whose a consumer group is, by what is in it: a pure function. Looking is left to {@link
 * GroupObserver}.
 *
 * <p>A group bears no mark. It is a canary's when all its members call themselves canaries and all
 * its offsets are of the canary's topic. A group that is there but shows neither proves nothing:
 * Kafka hides the offsets of topics that the user may not describe. For that reason the verdict is
 * enough to join a group, never to delete one: an application's offsets may be among the hidden.
 *
 * @param verdict whose the group is
 * @param evidence what is in the group, for the reader
 */
public record GroupOwnership(Verdict verdict, String evidence) {
    /** The evidence of a group that shows nothing. */
    public static final String EMPTY = "is there without a member, and without an offset that this user may see";

    /** At most so many of each kind are named. */
    private static final int NAMED = 5;

    /** Whose a group is. */
    public enum Verdict {
        /** There is no such group. */
        ABSENT,
        /** Only canaries are in it, as far as can be seen. */
        OURS,
        /** Somebody else uses it. */
        FOREIGN,
        /** It cannot be known. */
        UNKNOWN;

        /** As metrics and the status show it. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** Whether a canary may join it. */
        public boolean mayJoin() {
            return this == ABSENT || this == OURS;
        }
    }

    /**
     * Judges a group.
     *
     * @param content what is in it
     * @param topics of the canary
     */
    public static GroupOwnership of(GroupContent content, Set<String> topics) {
        if (content.undescribed().isPresent()) {
            GroupContent.Undescribed undescribed = content.undescribed().get();
            return new GroupOwnership(undescribed.isDenied() ? Verdict.UNKNOWN : Verdict.FOREIGN, undescribed.why());
        }
        if (!content.exists()) {
            return new GroupOwnership(Verdict.ABSENT, "does not exist");
        }
        List<String> strangers = content.members().stream()
                .filter(member -> !member.clientId().startsWith(KafkaConfig.CLIENT_ID_PREFIX + "-"))
                .map(GroupContent.Member::toString)
                .sorted()
                .toList();
        Set<String> others = new TreeSet<>(content.topics());
        others.removeAll(topics);
        if (!strangers.isEmpty() || !others.isEmpty()) {
            String members = strangers.isEmpty() ? "" : "members that are no canaries: " + some(strangers);
            String offsets = others.isEmpty() ? "" : "offsets of other topics: " + some(others);
            String both = members.isEmpty() || offsets.isEmpty() ? "" : "; ";
            return new GroupOwnership(Verdict.FOREIGN, "has " + members + both + offsets);
        }
        if (content.members().isEmpty() && content.topics().isEmpty()) {
            return new GroupOwnership(Verdict.UNKNOWN, EMPTY);
        }
        return new GroupOwnership(
                Verdict.OURS,
                content.members().isEmpty()
                        ? "has no members, and offsets of " + some(content.topics()) + " only"
                        : "has no members but canaries");
    }

    private static String some(Collection<String> all) {
        String named = all.stream().sorted().limit(NAMED).collect(Collectors.joining(", "));
        int more = all.size() - NAMED;
        return more > 0 ? named + " and " + more + " more" : named;
    }
}
