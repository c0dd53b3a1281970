/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix.row;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import io.phasewise.experiments.declared.Allowed;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Whom a rule names.
 *
 * @param broker its id, or {@code several}
 * @param role in which it makes probes slow
 * @param phase that is longer for it
 */
public record Suspect(String broker, String role, String phase) {
    private static final Pattern FORM = Pattern.compile("(\\d+|several)"
            + " (disk|handlers|process|network|follower|several|controller|unknown)"
            + "/(produce|publish|commit|catch_up|fetch)");

    /** As in {@code 1 network/publish}. */
    @JsonCreator
    public static Suspect of(String text) {
        Matcher form = FORM.matcher(text);
        Allowed.require(form.matches(), "suspect", text, "as in 1 network/publish");
        return new Suspect(form.group(1), form.group(2), form.group(3));
    }

    /** Whether it says of a broker that it is to blame, and does not only say where it is slow. */
    public boolean accuses() {
        return !role.equals("unknown") && !role.equals("several");
    }

    @JsonValue
    @Override
    public String toString() {
        return broker + " " + role + "/" + phase;
    }
}
