/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.measure;

import io.phasewise.lab.process.CommandOutput;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The names of a JVM's threads by the ids that the system has for them. The system's own names are cut to 15 characters,
 * so that network threads and handlers of a broker are alike there; the JVM says the whole name once.
 */
final class ThreadNames {
    /** A thread of a dump: its name, and the id in hexadecimal (Java 17) or as it is (21). */
    private static final Pattern THREAD = Pattern.compile("^\"(.+)\" #\\d+.* nid=(0x)?(\\p{XDigit}+)");

    private static final Duration BOUND = Duration.ofSeconds(30);
    private static final int HEX = 16;

    private ThreadNames() {}

    /**
     * Asks a JVM, which stops for a moment to say it.
     *
     * @throws IOException when it does not say it
     */
    static Map<Long, String> of(long pid) throws IOException, InterruptedException {
        String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        CommandOutput said = CommandOutput.of(List.of(jcmd, Long.toString(pid), "Thread.print"), null, BOUND);
        if (said.status() != 0) {
            throw new IOException("process " + pid + " does not say its threads: " + said.text());
        }
        return read(said.lines());
    }

    static Map<Long, String> read(List<String> dump) {
        Map<Long, String> names = new TreeMap<>();
        for (String line : dump) {
            Matcher thread = THREAD.matcher(line);
            if (thread.find()) {
                names.put(Long.parseLong(thread.group(3), thread.group(2) == null ? 10 : HEX), thread.group(1));
            }
        }
        return names;
    }
}
