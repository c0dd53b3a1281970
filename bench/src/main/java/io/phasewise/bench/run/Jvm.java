/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.run;

import io.phasewise.lab.stack.CanaryJvm;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The JVM that a measured process runs on.
 *
 * @param home the JDK or JRE
 * @param options collector, heap and the like
 * @param cpus where it may run, as taskset names them; empty for anywhere
 */
public record Jvm(Path home, List<String> options, String cpus) {
    public Jvm {
        options = List.copyOf(options);
    }

    /** This process's JDK, with the options of {@code ./phasewise up}, on any processor. */
    public static Jvm ofDefaults() {
        return new Jvm(
                Path.of(System.getProperty("java.home")),
                CanaryJvm.options(Runtime.version().feature()),
                "");
    }

    /** A fixed heap of another size. */
    public Jvm heap(int mebibytes) {
        List<String> all = new ArrayList<>(options);
        // Of options given twice the JVM takes the last.
        all.addAll(List.of("-Xms" + mebibytes + "m", "-Xmx" + mebibytes + "m"));
        return with(all);
    }

    /** Other options. */
    public Jvm with(List<String> other) {
        return new Jvm(home, other, cpus);
    }

    /** Other processors. */
    public Jvm on(String otherCpus) {
        return new Jvm(home, options, otherCpus);
    }

    /** Another JDK. */
    public Jvm of(Path otherHome) {
        return new Jvm(otherHome, options, cpus);
    }

    /** A command line that logs every pause of the JVM to a file. */
    List<String> command(Path pauses, List<String> arguments) {
        List<String> command = new ArrayList<>();
        if (!cpus.isEmpty()) {
            command.addAll(List.of("taskset", "-c", cpus));
        }
        command.add(home.resolve("bin/java").toString());
        command.addAll(options);
        command.add("-Xlog:safepoint=info,gc=info:file=" + pauses + ":uptime:filecount=0");
        command.addAll(arguments);
        return command;
    }
}
