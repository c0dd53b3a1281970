/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.status;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * How the whole canary is doing, at one instant.
 *
 * @param version the canary's
 * @param site where it stands; empty where that was not configured
 * @param startedAt when this process began, by its wall clock
 * @param at now, by the same
 * @param clusters how each is doing, by name
 * @param suspects who is suspected in each, by name
 */
public record CanaryStatus(
        String version,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<String> site,
        Instant startedAt,
        Instant at,
        List<ClusterStatus> clusters,
        List<ClusterSuspects> suspects) {

    /** Whether probes complete the round trip everywhere. */
    @JsonProperty
    public boolean ready() {
        return notReady().isEmpty();
    }

    /** Why they do not, one line each; empty when they do. */
    public List<String> notReady() {
        return clusters.stream().flatMap(each -> each.notReady().stream()).toList();
    }
}
