/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.account.suspect;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/** A line in the log whenever somebody is named, and when nobody is any more. Used by one thread. */
public final class NamingLog {
    private final String title;
    private final Consumer<String> log;
    private Set<Whom> before = Set.of();

    /**
     * @param title of the cluster and profile
     * @param log takes the lines
     */
    public NamingLog(String title, Consumer<String> log) {
        this.title = title;
        this.log = log;
    }

    /** Writes the sentence where other ones are named than before; how long probes wait is no reason for a line. */
    public void look(List<Suspect> named) {
        Set<Whom> now = new TreeSet<>();
        named.forEach(each -> now.add(new Whom(each.broker(), each.role())));
        if (!now.equals(before)) {
            before = now;
            log.accept(title + ": " + SuspectSentence.of(named));
        }
    }
}
