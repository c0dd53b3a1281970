/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.phases;

import java.util.Locale;

/**
 * What the producer's {@code acks} setting makes an acknowledgement prove.
 *
 * <ul>
 *   <li>{@link #ALL}: the leader answers once every in-sync replica has the record, so the answer
 *       is evidence of the commit; so is the record's delivery, and whichever comes first counts.
 *   <li>{@link #LEADER} ({@code acks=1}): the leader answers once it has appended. That proves the
 *       append only: the record's delivery is the one evidence of its commit. A consumer that
 *       stalls before that delivery hides the commit, and the stall is then charged to commit.
 *   <li>{@link #NONE} ({@code acks=0}): the leader never answers; the client reports completion
 *       when the bytes left. That proves nothing: delivery is the only evidence of append and
 *       commit.
 * </ul>
 */
public enum Acks {
    ALL,
    LEADER,
    NONE;

    /**
     * Reads the producer's setting.
     *
     * @param setting {@code all}, {@code -1}, {@code 1} or {@code 0}
     * @throws IllegalArgumentException for anything else
     */
    public static Acks parse(String setting) {
        return switch (setting.trim().toLowerCase(Locale.ROOT)) {
            case "all", "-1" -> ALL;
            case "1" -> LEADER;
            case "0" -> NONE;
            default -> throw new IllegalArgumentException("acks: " + setting + "; one of all, -1, 1, 0");
        };
    }
}
