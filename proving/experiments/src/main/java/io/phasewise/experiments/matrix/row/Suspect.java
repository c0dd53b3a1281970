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
 * @param role the part of the broker that makes probes slow
 * @param phase that grows by it
 */
public record Suspect(String broker, String role, String phase) {
    private static final Pattern FORM = Pattern.compile("(\\d+|several)"
            + " (disk|handlers|process|network|follower|several|controller|unknown)"
            + "/(produce|publish|commit|catch_up|fetch)");

    /** Reads the form {@code 1 network/publish}. */
    @JsonCreator
    public static Suspect of(String text) {
        Matcher form = FORM.matcher(text);
        Allowed.require(form.matches(), "suspect", text, "as in 1 network/publish");
        return new Suspect(form.group(1), form.group(2), form.group(3));
    }

    /** Whether it blames a broker. The roles unknown and several only say where probes are slow. */
    public boolean accuses() {
        return !role.equals("unknown") && !role.equals("several");
    }

    @JsonValue
    @Override
    public String toString() {
        return broker + " " + role + "/" + phase;
    }
}
