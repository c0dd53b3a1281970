/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.account.suspect;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.phasewise.common.phase.Phase;
import io.phasewise.common.phase.Role;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The form of the file that keeps what was learned: a line of JSON for each minute of a leader's probes, between a first
 * line with the version and a last one with their number. A file that is cut off lacks the last line.
 */
final class StateForm {
    /** A file may have so many bytes. */
    static final long MOST_BYTES = 64L << 20;

    /** A line may have so many: ten times those of a leader with 15 replicas. */
    static final int MOST_OF_A_LINE = 1 << 16;

    private static final int VERSION = 1;
    private static final int PHASES = Phase.values().length;
    private static final ObjectMapper JSON = JsonMapper.builder()
            .enable(
                    DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES,
                    DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            .build();

    private StateForm() {}

    /**
     * Whose minutes they are.
     *
     * @param cluster its name
     * @param profile its name
     */
    record Owner(String cluster, String profile) implements Comparable<Owner> {
        @Override
        public int compareTo(Owner other) {
            int by = cluster.compareTo(other.cluster);
            return by != 0 ? by : profile.compareTo(other.profile);
        }
    }

    private record First(int version) {}

    private record Last(int minutes) {}

    private record Line(String cluster, String profile, boolean marked, int leader, long at, List<Wait> waits) {}

    private record Wait(int broker, String role, double[] seconds) {}

    /** Takes one line after the other. */
    interface Lines {
        void line(byte[] line) throws IOException;
    }

    /**
     * Writes minutes line by line.
     *
     * @throws IOException what {@code lines} throws, and when a reader would refuse what is to be written
     */
    static void write(Map<Owner, List<Learned.Minute>> of, Lines lines) throws IOException {
        long[] bytes = new long[1];
        Lines to = line -> {
            bytes[0] += line.length + 1;
            if (line.length > MOST_OF_A_LINE) {
                throw new IOException("would have a line of more than " + MOST_OF_A_LINE + " bytes");
            }
            if (bytes[0] > MOST_BYTES) {
                throw new IOException("would be larger than the " + MOST_BYTES + " bytes that are allowed");
            }
            lines.line(line);
        };
        int count = 0;
        to.line(JSON.writeValueAsBytes(new First(VERSION)));
        for (Map.Entry<Owner, List<Learned.Minute>> each : of.entrySet()) {
            for (Learned.Minute minute : each.getValue()) {
                List<Wait> waits = minute.waits().stream()
                        .map(mean -> new Wait(mean.broker(), mean.role().label(), mean.seconds()))
                        .toList();
                to.line(JSON.writeValueAsBytes(new Line(
                        each.getKey().cluster(),
                        each.getKey().profile(),
                        minute.marked(),
                        minute.leader(),
                        minute.at().getEpochSecond(),
                        waits)));
                count++;
            }
        }
        to.line(JSON.writeValueAsBytes(new Last(count)));
    }

    /**
     * Reads a whole file. Minutes that are too old are left out, so that it takes no more memory than the minutes do.
     *
     * @param now what is older than a day before it is left out
     * @throws IOException when the file cannot be read, is too large, cut off, or holds anything else; says which
     */
    static Map<Owner, List<Learned.Minute>> read(InputStream in, Instant now) throws IOException {
        Reader lines = new Reader(in);
        Map<Owner, List<Learned.Minute>> all = new TreeMap<>();
        byte[] line = lines.next();
        if (line == null || parsed(line, First.class, 1).version() != VERSION) {
            throw new IOException("is no state file of version " + VERSION);
        }
        int count = 0;
        byte[] after = lines.next();
        while (after != null) {
            line = after;
            after = lines.next();
            if (after != null) {
                count++;
                Line minute = parsed(line, Line.class, count + 1);
                if (now.getEpochSecond() - minute.at <= Learned.OLDEST.toSeconds()) {
                    all.computeIfAbsent(owner(minute, count + 1), id -> new ArrayList<>())
                            .add(minute(minute, count + 1));
                }
            }
        }
        if (parsed(line, Last.class, count + 2).minutes() != count) {
            throw new IOException("is cut off");
        }
        return all;
    }

    private static Owner owner(Line line, int number) throws IOException {
        if (line.cluster == null || line.profile == null) {
            throw refused(number);
        }
        return new Owner(line.cluster, line.profile);
    }

    private static Learned.Minute minute(Line line, int number) throws IOException {
        List<Learned.Mean> means = new ArrayList<>();
        if (line.waits == null || line.waits.size() > Tally.MOST) {
            throw refused(number);
        }
        for (Wait wait : line.waits) {
            if (wait == null || wait.seconds == null || wait.seconds.length != PHASES) {
                throw refused(number);
            }
            for (double seconds : wait.seconds) {
                if (!(seconds >= 0 && seconds < 1e6)) {
                    throw refused(number);
                }
            }
            Role role = Arrays.stream(Role.values())
                    .filter(each -> each.label().equals(wait.role) && Learned.isLearned(each))
                    .findFirst()
                    .orElseThrow(() -> refused(number));
            means.add(new Learned.Mean(wait.broker, role, wait.seconds));
        }
        return new Learned.Minute(line.marked, line.leader, Instant.ofEpochSecond(line.at), means);
    }

    private static <T> T parsed(byte[] line, Class<T> type, int number) throws IOException {
        T value;
        try {
            value = JSON.readValue(line, type);
        } catch (JsonProcessingException e) {
            throw refused(number); // what it holds may be anything: it is not repeated in the log
        }
        if (value == null) {
            throw refused(number);
        }
        return value;
    }

    private static IOException refused(int line) {
        return new IOException("line " + line + " is not what a canary writes");
    }

    /** Reads lines, within the limits. */
    private static final class Reader {
        private final InputStream in;
        private long bytes;

        Reader(InputStream in) {
            this.in = in;
        }

        /** Null at the end. */
        byte[] next() throws IOException {
            ByteArrayOutputStream line = new ByteArrayOutputStream();
            for (int b = in.read(); b >= 0; b = in.read()) {
                if (++bytes > MOST_BYTES) {
                    throw new IOException("is larger than the " + MOST_BYTES + " bytes that are allowed");
                }
                if (b == '\n') {
                    return line.toByteArray();
                }
                if (line.size() == MOST_OF_A_LINE) {
                    throw new IOException("has a line of more than " + MOST_OF_A_LINE + " bytes");
                }
                line.write(b);
            }
            return line.size() == 0 ? null : line.toByteArray();
        }
    }
}
