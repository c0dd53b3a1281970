/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.cluster;

import io.phasewise.canary.topic.OwnershipMark;
import io.phasewise.canary.topic.TopicState;

/**
 * Says whether a topic of the target cluster is the copy of the probes' topic, and for the canary
 * alone. Looking is left to {@link MirrorTarget}. Used by its thread, but for {@link
 * #sawOtherRecord} and {@link #isShared()}.
 */
final class MirrorCopy {
    private final String source;
    private final boolean isAdopted;

    /** Id of the topic that was seen to be the copy; empty before. */
    private String knownId = "";

    /** Id of the topic that holds a record of somebody else; empty while not known. */
    private String sharedId = "";

    private volatile boolean shared;

    /**
     * @param source name of the probes' topic in its own cluster
     * @param isAdopted whether the configuration says that topic and copy are for the canary alone
     */
    MirrorCopy(String source, boolean isAdopted) {
        this.source = source;
        this.isAdopted = isAdopted;
    }

    /**
     * Whether it is the copy. MirrorMaker copies a topic's settings, and with them the mark, which is
     * made of the source's id and topic: no other topic has it. The topic that had it stays the copy
     * when it goes.
     *
     * @param sourceId Kafka's id of the source cluster; null while not known
     * @param there the topic in the target
     */
    boolean is(String sourceId, TopicState there) {
        boolean isMarked = sourceId != null
                && there.configKnown()
                && OwnershipMark.read(sourceId, source, there.config()).isPresent();
        if (isMarked || isAdopted) {
            knownId = there.topicId();
        }
        return isMarked || isAdopted || there.hasId(knownId);
    }

    /** A record was read there that is no probe. Any thread. */
    void sawOtherRecord() {
        shared = true;
    }

    /** Whether somebody else writes to it, as was last known. Any thread. */
    boolean isShared() {
        return shared;
    }

    /**
     * Whether somebody else writes to it; one that was made anew is another topic.
     *
     * @param there the topic in the target
     */
    boolean isShared(TopicState there) {
        if (shared && sharedId.isEmpty()) {
            sharedId = there.topicId();
        } else if (shared && !there.topicId().isEmpty() && !there.topicId().equals(sharedId)) {
            shared = false;
            sharedId = "";
        }
        return shared;
    }
}
