/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.web;

import io.phasewise.canary.show.status.ClusterStatus;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What the web pages show; where it comes from is left to {@link io.phasewise.canary.Canary}.
 * Thread-safe.
 */
public interface StatusSource {
    /** The canary's version. */
    String version();

    /** Where it stands; empty where that was not configured. */
    Optional<String> site();

    /** When this process began. */
    Instant startedAt();

    /** The canary's wall clock. */
    Instant now();

    /** How each cluster is doing now, by name. */
    List<ClusterStatus> clusters();
}
