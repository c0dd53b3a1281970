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
 * Whom the canary names.
 *
 * @param broker its id, or {@value #NO_BROKER} for the canary itself, its own network path, and a controller that is
 *     not known
 * @param role what of it makes probes slow
 * @param phase that grows by it
 */
public record Suspect(String broker, String role, String phase) {
    public static final String NO_BROKER = "none";

    private static final Pattern FORM =
            Pattern.compile("(\\d+ (?:handlers|disk|process|network_threads|network|follower|controller)"
                    + "|none (?:client|network|controller))/(produce|publish|commit|catch_up|fetch)");

    /** Reads the form {@code 1 network/publish}. */
    @JsonCreator
    public static Suspect of(String text) {
        Matcher form = FORM.matcher(text);
        Allowed.require(form.matches(), "suspect", text, "as in 1 network/publish");
        String[] whom = form.group(1).split(" ");
        return new Suspect(whom[0], whom[1], form.group(2));
    }

    /** Whether the canary names this role only once it has learned what is usual. */
    public boolean isLearned() {
        return role.equals("network") || role.equals("client");
    }

    @JsonValue
    @Override
    public String toString() {
        return broker + " " + role + "/" + phase;
    }
}
