/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.config;

/** One thing that is wrong with a configuration file. Holds no secret. */
public final class ConfigFault {

    private final String file;

    /** Counted from 1; 0 where there is none. */
    final int line;

    private final String key;
    private final String problem;

    /**
     * @param file as it was named
     * @param line counted from 1; 0 where there is none
     * @param key with dots; empty for the file as a whole
     * @param problem what is wrong and what is allowed, without the value of a secret
     */
    ConfigFault(String file, int line, String key, String problem) {
        this.file = file;
        this.line = line;
        this.key = key;
        this.problem = problem;
    }

    /** Whether it leaves open who may read the endpoint. */
    boolean concernsAccess() {
        return key.isEmpty() || key.equals("http") || key.startsWith("http.");
    }

    /** File, line, key and problem, in one line. */
    @Override
    public String toString() {
        String place = file + (line > 0 ? ":" + line : "") + (key.isEmpty() ? "" : ": " + key);
        return place + ": " + problem.replaceAll("\\s+", " ");
    }
}
