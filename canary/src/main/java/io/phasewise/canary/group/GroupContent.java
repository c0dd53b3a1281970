/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.group;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What is in a consumer group, as far as the canary's user may see it.
 *
 * @param id the group's
 * @param exists whether there is such a group
 * @param members its members, in no order
 * @param topics that the group has committed offsets of; Kafka leaves out topics that the user may
 *     not describe
 * @param undescribed why the rest is not known, or what other kind of group it is; empty where it is
 *     a consumer group and was described
 */
public record GroupContent(
        String id, boolean exists, List<Member> members, Set<String> topics, Optional<Undescribed> undescribed) {
    /**
     * A member.
     *
     * @param clientId as its client says
     * @param host where it is, as the broker sees it
     */
    public record Member(String clientId, String host) {
        @Override
        public String toString() {
            return clientId + " at " + host;
        }
    }

    /**
     * Why a group's content is not known.
     *
     * @param isDenied whether a right is missing; otherwise it is no consumer group
     * @param why for the reader
     */
    public record Undescribed(boolean isDenied, String why) {}

    static GroupContent absent(String id) {
        return new GroupContent(id, false, List.of(), Set.of(), Optional.empty());
    }

    static GroupContent unknown(String id, boolean isDenied, String why) {
        return new GroupContent(id, true, List.of(), Set.of(), Optional.of(new Undescribed(isDenied, why)));
    }
}
