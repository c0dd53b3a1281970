/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.measure;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * A canary's log as it grows: how each probe ended, and which have not been told of yet. Probes of
 * a partition are numbered without gaps, so a number that is missing is a probe without an end.
 */
final class ProbeLog {
    private final GrowingLog log;
    private final NavigableMap<Integer, NavigableMap<Long, ProbeRecord>> partitions =
            new TreeMap<>();

    ProbeLog(Path file) {
        this.log = new GrowingLog(file);
    }

    /**
     * Reads what was added since.
     *
     * @throws IOException when it cannot be read
     */
    void read() throws IOException {
        log.read(line -> ProbeRecord.read(line).ifPresent(this::add));
    }

    /** A lost one that turns up after all is told of twice: then it has a latency. */
    void add(ProbeRecord probe) {
        partitions
                .computeIfAbsent(probe.partition(), unused -> new TreeMap<>())
                .merge(probe.sequence(), probe, (old, fresh) -> fresh.seen() ? fresh : old);
    }

    /** The probes that were due within a stretch of time and have ended, by partition. */
    List<ProbeRecord> due(Instant from, Instant to) {
        List<ProbeRecord> probes = new ArrayList<>();
        for (NavigableMap<Long, ProbeRecord> partition : partitions.values()) {
            partition.values().stream()
                    .filter(p -> !p.due().isBefore(from) && p.due().isBefore(to))
                    .forEach(probes::add);
        }
        return probes;
    }

    /**
     * How many probes that were due within a stretch of time have not ended yet; empty while the
     * first ones after it have not either, by which its end is known.
     */
    OptionalLong missing(Instant from, Instant to) {
        long missing = 0;
        for (NavigableMap<Long, ProbeRecord> partition : partitions.values()) {
            long first = partition.firstKey();
            long last = -1;
            long ended = 0;
            for (ProbeRecord probe : partition.values()) {
                if (probe.due().isBefore(from)) {
                    first = probe.sequence() + 1;
                } else if (probe.due().isBefore(to)) {
                    ended++;
                } else {
                    last = probe.sequence();
                    break;
                }
            }
            if (last < 0) {
                return OptionalLong.empty();
            }
            missing += last - first - ended;
        }
        return partitions.isEmpty() ? OptionalLong.empty() : OptionalLong.of(missing);
    }
}
