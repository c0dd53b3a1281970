/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.web;

import io.phasewise.canary.show.status.ClusterStatus;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** A canary that measures nothing; a test overrides what it wants to be told. */
public class Nothing implements StatusSource {
    @Override
    public String version() {
        return "1.2.3";
    }

    @Override
    public Optional<String> site() {
        return Optional.empty();
    }

    @Override
    public Instant startedAt() {
        return Instant.EPOCH;
    }

    @Override
    public Instant now() {
        return Instant.EPOCH;
    }

    @Override
    public List<ClusterStatus> clusters() {
        return List.of();
    }
}
