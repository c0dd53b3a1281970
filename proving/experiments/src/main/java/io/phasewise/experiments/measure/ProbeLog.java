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
 * A canary's log as it grows, in which there must be a line of every probe: how each ended, and
 * which have not been told of yet. Probes of a partition are numbered without gaps, so a number
 * that is missing is a probe without an end. Which stretch of time a probe belongs to is decided by
 * when it was due, not by when it ended.
 */
public final class ProbeLog {
    /** The canary's loss horizon: so long after it was due has every probe ended. */
    static final Duration LOSS_HORIZON = Duration.ofSeconds(60);

    private static final int CHUNK = 1 << 20;

    private final Path file;
    private long read;
    private final NavigableMap<Integer, NavigableMap<Long, ProbeRecord>> partitions = new TreeMap<>();

    private int contradictions;
    private long otherLines;

    /**
     * @param file there when it is first read
     */
    public ProbeLog(Path file) {
        this.file = file;
    }

    /**
     * Reads what was added since, each line once it is whole.
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

    /** Notes an end. A lost one that turns up after all is told of twice, and has one end. */
    public void add(ProbeRecord probe) {
        partitions
                .computeIfAbsent(probe.partition(), unused -> new TreeMap<>())
                .merge(probe.sequence(), probe, this::merged);
    }

    private ProbeRecord merged(ProbeRecord earlier, ProbeRecord later) {
        if (!earlier.outcome().equals(later.outcome()) || earlier.seen()) {
            contradictions++;
        }
        return later.seen() ? later : earlier;
    }

    /** Probes of which two ends were told. */
    public int contradictions() {
        return contradictions;
    }

    /** Lines that tell of no probe. */
    public long otherLines() {
        return otherLines;
    }

    /** The probes that were due from one instant until before another and have ended, in order. */
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
     * How many probes that were due within a stretch of time have not ended yet, those among them
     * of which nothing is known because no earlier probe has ended. The stretch's end is known by a
     * later probe of each partition that has ended; a partition may get none any more, as those of
     * a demoted broker, and then by another's probe that was due a loss horizon later. Empty until
     * then.
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

    /** Whether all probes that were due before an instant have ended, from the first one on. */
    public boolean ended(Instant before) {
        OptionalLong missing = missing(Instant.MIN, before);
        return missing.isPresent() && missing.getAsLong() == 0;
    }
}
