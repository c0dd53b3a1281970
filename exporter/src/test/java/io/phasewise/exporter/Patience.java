/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** How long tests wait for brokers, clients and the agent; how long those take is not tested. */
public final class Patience {

    /** When to give one up. */
    public static final Duration BOUND = Duration.ofSeconds(60);

    private Patience() {}

    /** Waits for what this names, asked again every tenth of a second. */
    public static ConditionFactory await(String what) {
        return Awaitility.await(what).atMost(BOUND);
    }
}
