/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.kafka;

import java.util.regex.Pattern;

/**
 * Tells an admin client whose thread a fault has ended, as what answers at a broker's address can:
 * such a client answers nothing any more. Kafka says so in a message only.
 */
public final class EndedAdmin {
    private static final Pattern SAYS = Pattern.compile("AdminClient thread (has exited|is not accepting)");

    private EndedAdmin() {}

    /**
     * Whether a request failed for that reason.
     *
     * @param failure what the client gave, not wrapped
     */
    public static boolean isToldBy(Throwable failure) {
        return SAYS.matcher(String.valueOf(failure.getMessage())).find();
    }
}
