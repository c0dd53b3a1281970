/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.topic;

import java.time.Duration;

/**
 * Says whether a topic that was made anew is still in question. Whose topic it is is left to {@link
 * TopicOwnership}. Used by one thread.
 *
 * <p>Brokers learn one after the other that a topic was deleted and made again. One may answer with
 * the new topic's id while another answers with the settings of the old one, and with them its mark.
 * So nothing is concluded from such answers until all of them have named the same topic for a while.
 */
final class RecreationWatch {
    /** Brokers that lag more than this are in trouble. */
    static final Duration LONGEST_LAG = Duration.ofSeconds(3);

    private String lastId = "";
    private boolean changed;
    private long changedAtNanos;

    /**
     * Takes what a look has seen.
     *
     * @param topicId of the topic that has the name; it exists
     * @param createdId of the topic that this process has created itself; empty when none
     * @param nowNanos the present
     * @return whether it took the place of another one so recently that answers may be mixed
     */
    boolean isInQuestion(String topicId, String createdId, long nowNanos) {
        if (!topicId.equals(lastId)) {
            changed = !lastId.isEmpty();
            changedAtNanos = nowNanos;
            lastId = topicId;
        }
        return changed && !topicId.equals(createdId) && nowNanos - changedAtNanos < LONGEST_LAG.toNanos();
    }
}
