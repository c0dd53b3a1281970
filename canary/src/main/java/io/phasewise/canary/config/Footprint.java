/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.config;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * What the canary does to a cluster, in words for whoever owns it: what it may change, and how much
 * it sends.
 */
public final class Footprint {
    /**
     * Bytes around the value of a record that is sent alone: the batch's header (61 bytes), the
     * record's (7 and up), and the request around both, mostly the topic's name and the client's
     * id.
     */
    private static final int AROUND_A_RECORD = 160;

    private static final int SECONDS_A_DAY = 86_400;

    private Footprint() {}

    /**
     * One line on a profile.
     *
     * @param config the profile
     */
    public static String of(ClusterConfig config) {
        double written = bytesADay(config);
        return ("%s: topic %s: %s; for each broker %s probes a second of %d bytes: a day %s"
                        + " written, %s with all replicas, %s read")
                .formatted(
                        config.title(),
                        config.topic().name(),
                        changes(config.topic().manage()),
                        Double.toString(config.probe().rate()).replaceFirst("\\.0$", ""),
                        config.probe().size(),
                        size(written),
                        size(written * config.topic().replicationFactor()),
                        size(written));
    }

    /** What producers write to one broker's partition in a day, before it is replicated. */
    static double bytesADay(ClusterConfig config) {
        int keys =
                config.probe().keys().count() == 0 ? 0 : config.probe().keys().size();
        return config.probe().rate() * SECONDS_A_DAY * (config.probe().size() + keys + AROUND_A_RECORD);
    }

    private static String changes(ManageConfig manage) {
        Map<String, Boolean> changes = new LinkedHashMap<>();
        changes.put("create it", manage.create());
        changes.put("add partitions", manage.expand());
        changes.put("move its replicas", manage.reassign());
        changes.put("elect preferred leaders", manage.elect());
        changes.put("alter its settings", manage.configure());
        changes.values().removeIf(isAllowed -> !isAllowed);
        return changes.isEmpty() ? "changes nothing" : "may " + String.join(", ", changes.keySet());
    }

    private static String size(double bytes) {
        return bytes >= 1e9
                ? String.format(Locale.ROOT, "%.1f GB", bytes / 1e9)
                : String.format(Locale.ROOT, "%.0f MB", bytes / 1e6);
    }
}
