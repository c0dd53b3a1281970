/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.soak;

import io.phasewise.experiments.measure.Scrape;
import java.io.IOException;

/**
 * A broker with the exporter in it at one moment of a soak.
 *
 * @param id the broker's
 * @param pid of its process; another one after a restart, with which all of this begins anew
 * @param memoryMebibytes memory of the process
 * @param threads of the process
 * @param series on the exporter's /metrics
 * @param scrapeMillis how long the exporter took for the page before
 */
public record BrokerSample(
        int id, long pid, long memoryMebibytes, long threads, long series, double scrapeMillis) {

    static BrokerSample of(int id, long pid, Scrape exporter) throws IOException {
        ProcessStatus status = ProcessStatus.of(pid);
        return new BrokerSample(
                id,
                pid,
                status.memoryMebibytes(),
                status.threads(),
                exporter.values().size(),
                exporter.sum("kafka_exporter_last_scrape_duration_seconds") * 1e3);
    }
}
