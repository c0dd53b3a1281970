/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.timing;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Errors in responses by API and error code, as Kafka counts them: one for each partition or other
 * part of a response. Lock-free; allocates when an API fails for the first time, never after.
 * Bounded by the number of APIs.
 */
final class ErrorCounts {

    /** What Kafka calls the absence of an error, which it counts too and we do not. */
    private static final String NONE = "NONE";

    /** More than there are error codes; what came later would share the last place. */
    private static final int CODES = 512;

    private final ConcurrentHashMap<String, ByCode> byApi = new ConcurrentHashMap<>();

    /**
     * Counts.
     *
     * @param api Kafka's name of it
     * @param error a constant of Kafka's enumeration of errors
     * @param count how many
     */
    void add(String api, Enum<?> error, int count) {
        String name = error.name();
        if (name.equals(NONE)) {
            return;
        }
        ByCode codes = byApi.get(api);
        if (codes == null) {
            codes = byApi.computeIfAbsent(api, first -> new ByCode());
        }
        int code = Math.min(error.ordinal(), CODES - 1);
        if (codes.names[code] == null) {
            codes.names[code] = name;
        }
        codes.counts.addAndGet(code, count);
    }

    /** Shows every count above zero. */
    void forEach(Visitor visitor) {
        byApi.forEach(
                (api, codes) -> {
                    for (int code = 0; code < CODES; code++) {
                        long count = codes.counts.get(code);
                        if (count > 0) {
                            visitor.count(api, codes.names[code], count);
                        }
                    }
                });
    }

    /** Takes the counts one by one. */
    @FunctionalInterface
    interface Visitor {
        void count(String api, String error, long count);
    }

    private static final class ByCode {
        private final AtomicLongArray counts = new AtomicLongArray(CODES);
        private final String[] names = new String[CODES];
    }
}
