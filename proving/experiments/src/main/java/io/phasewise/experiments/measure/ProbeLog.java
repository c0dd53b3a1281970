/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.measure;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * A canary's log as it grows: how each probe ended, and which ones have no line yet. The log must
 * have a line for every probe. Probes of a partition are numbered without gaps, so a missing number
 * is a probe that has not ended. A probe belongs to the time at which it was due, not to the time
 * at which it ended.
 */
public final class ProbeLog {
    /** The canary's default loss horizon: every probe has ended this long after it was due. */
    static final Duration LOSS_HORIZON = Duration.ofSeconds(60);

    private static final int CHUNK = 1 << 20;

    private final Path file;
    private long read;
    private final NavigableMap<Integer, NavigableMap<Long, ProbeRecord>> partitions = new TreeMap<>();

    private int contradictions;
    private long otherLines;

    /**
     * @param file must exist when it is first read
     */
    public ProbeLog(Path file) {
        this.file = file;
    }

    /**
     * Reads the whole lines that were added since the last time.
     *
     * @throws IOException when it cannot be read
     */
    public void read() throws IOException {
        try (RandomAccessFile log = new RandomAccessFile(file.toFile(), "r")) {
            byte[] chunk = new byte[CHUNK];
            while (true) {
                log.seek(read);
                int end = log.read(chunk);
                while (end > 0 && chunk[end - 1] != '\n') {
                    end--;
                }
                if (end <= 0) {
                    return;
                }
                new String(chunk, 0, end, StandardCharsets.UTF_8).lines().forEach(this::take);
                read += end;
            }
        }
    }

    private void take(String line) {
        Optional<ProbeRecord> probe = ProbeRecord.read(line);
        probe.ifPresent(this::add);
        otherLines += probe.isPresent() ? 0 : 1;
    }

    /**
     * Notes how a probe ended. A lost probe that comes back after all has two lines and one end.
     */
    public void add(ProbeRecord probe) {
        partitions
                .computeIfAbsent(probe.partition(), unused -> new TreeMap<>())
                .merge(probe.sequence(), probe, this::merged);
    }

    private ProbeRecord merged(ProbeRecord earlier, ProbeRecord later) {
        if (!earlier.outcome().equals(later.outcome()) || earlier.cameBack()) {
            contradictions++;
        }
        return later.cameBack() ? later : earlier;
    }

    /** How many probes have two different ends. */
    public int contradictions() {
        return contradictions;
    }

    /** How many lines are not about a probe. */
    public long otherLines() {
        return otherLines;
    }

    /**
     * The probes due from one instant (inclusive) to another (exclusive) that have ended, in the
     * order of their due times.
     */
    public List<ProbeRecord> due(Instant from, Instant to) {
        List<ProbeRecord> probes = new ArrayList<>();
        for (NavigableMap<Long, ProbeRecord> partition : partitions.values()) {
            partition.values().stream()
                    .filter(p -> !p.due().isBefore(from) && p.due().isBefore(to))
                    .forEach(probes::add);
        }
        probes.sort(Comparator.comparing(ProbeRecord::due));
        return probes;
    }

    /**
     * How many probes that were due within a stretch of time have not ended yet. To know that, a
     * later probe of each partition must have ended. A partition may get no more probes, as those
     * of a demoted broker; then a probe of another partition that was due a loss horizon later will
     * do. Empty until it is known.
     */
    OptionalLong missing(Instant from, Instant to) {
        boolean allEnded = partitions.values().stream()
                .anyMatch(partition -> !latest(partition).due().isBefore(to.plus(LOSS_HORIZON)));
        long missing = 0;
        for (NavigableMap<Long, ProbeRecord> partition : partitions.values()) {
            long first = 0;
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
                if (!allEnded) {
                    return OptionalLong.empty();
                }
                last = partition.lastKey() + 1;
            }
            missing += last - first - ended;
        }
        return partitions.isEmpty() ? OptionalLong.empty() : OptionalLong.of(missing);
    }

    private static ProbeRecord latest(NavigableMap<Long, ProbeRecord> partition) {
        return partition.lastEntry().getValue();
    }

    /** Whether all probes that were due before an instant have ended. */
    public boolean ended(Instant before) {
        OptionalLong missing = missing(Instant.MIN, before);
        return missing.isPresent() && missing.getAsLong() == 0;
    }
}
