/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.instrument;

import java.util.List;

/**
 * Something that the agent wants to learn from Kafka's code: a name, the places in the classes of
 * the Kafka versions that have to call the agent, and what is lost where they cannot. Data only;
 * {@link Hooks} puts the calls in.
 */
public final class Hook {

    final String name;
    final String loss;
    final Runnable off;
    final List<CallSite> sites;

    /**
     * @param name value of the label {@code hook}
     * @param loss what is lost without the hook: the log line begins with it
     * @param off called once when the hook fails; must not throw
     * @param sites methods; a broker of one version has some of them
     */
    public Hook(String name, String loss, Runnable off, CallSite... sites) {
        this.name = name;
        this.loss = loss;
        this.off = off;
        this.sites = List.of(sites);
    }
}
