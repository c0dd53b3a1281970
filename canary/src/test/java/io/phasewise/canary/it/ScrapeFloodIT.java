/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.lab.junit.ScrapeFlood;
import io.phasewise.lab.junit.SharedCluster;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Over a hundred clients ask a canary for its metrics at once, most of which never read the answer:
 * with the JVM's options as shipped and the series of eighteen leaders the process goes on
 * measuring, and a Prometheus with another address gets its page.
 */
@Tag("long")
class ScrapeFloodIT {
    @RegisterExtension
    static final SharedCluster CLUSTER = TestClusters.SHARED;

    private static final int CLUSTERS = 6;
    private static final int SILENT = 100;
    private static final int READING = 40;

    /** Prometheus's default. */
    private static final Duration SCRAPE_TIMEOUT = Duration.ofSeconds(10);

    @Test
    void theCanaryGoesOnMeasuringAndAScrapeFromAnotherAddressGetsThrough(@TempDir Path directory) throws Exception {
        StringBuilder clusters = new StringBuilder("clusters:\n");
        for (int i = 1; i <= CLUSTERS; i++) {
            clusters.append("  flood-%1$d: {bootstrap-servers: '%2$s', topic: {name: flood-%1$d}, probe: {rate: 5}}\n"
                    .formatted(i, CLUSTER.get().bootstrap()));
        }
        try (RunningCanary canary = RunningCanary.shipped(directory, clusters.toString())) {
            canary.awaitReady();
            Scrape before = canary.probes(20, 1, 2, 3);
            assertThat(before.text().length()).as("bytes of a page").isGreaterThan(1_000_000);
            Scrape from = canary.scrape();
            try (ScrapeFlood flood = new ScrapeFlood(canary.port(), SILENT, READING)) {
                for (int scrape = 0; scrape < 6; scrape++) {
                    assertThat(ScrapeFlood.scrape("127.0.0.2", canary.port(), SCRAPE_TIMEOUT))
                            .startsWith("HTTP/1.1 200 OK")
                            .endsWith("# EOF\n");
                    flood.again(SILENT);
                }
            }
            assertThat(canary.process().isAlive()).as(canary.log()).isTrue();
            Scrape grown = canary.awaitProbes(from, 20, List.of("profile=default"), 1, 2, 3)
                    .since(from);
            assertThat(grown.probes("lost")).isZero();
            assertThat(canary.scrape().conserved()).isTrue();
            assertThat(canary.log()).doesNotContain("OutOfMemoryError");
        }
    }
}
