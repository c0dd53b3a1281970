/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.web;

import io.phasewise.canary.config.HttpConfig;
import io.phasewise.canary.show.series.SeriesRegistry;
import io.phasewise.canary.show.status.ClusterStatus;
import io.phasewise.canary.show.status.MadeUpStatus;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.Labels;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Servers of statuses that are made up. */
public final class MadeUpServer {
    private MadeUpServer() {}

    /** One in the clear on a free port. */
    public static WebServer open(PrometheusRegistry registry, Supplier<List<ClusterStatus>> clusters) throws Exception {
        HttpConfig http = new HttpConfig("127.0.0.1", 0, Optional.empty(), Optional.empty());
        return start(http, registry, clusters, System::nanoTime);
    }

    static WebServer start(
            HttpConfig http,
            PrometheusRegistry registry,
            Supplier<List<ClusterStatus>> clusters,
            LongSupplier nanoClock)
            throws Exception {
        WebServer server = new WebServer(
                http,
                registry,
                new SeriesRegistry(registry, Labels.EMPTY, List.of()),
                () -> MadeUpStatus.canary(clusters.get()),
                () -> MadeUpStatus.canary(clusters.get()).suspects(),
                nanoClock);
        server.start();
        return server;
    }
}
