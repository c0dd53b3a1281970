/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.run;

import io.phasewise.common.file.JarResource;
import io.phasewise.lab.measure.Machine;
import io.phasewise.lab.process.CommandOutput;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Which Phasewise and which Kafka client a figure was made with. */
public final class Build {
    private static final Duration GIT_BOUND = Duration.ofSeconds(30);

    private Build() {}

    /**
     * The commit that is checked out, with "-changed" after it where files differ from it.
     *
     * @param root the repository's
     * @return "not a checkout" where there is no repository, or no git
     */
    static String commit(Path root) throws InterruptedException {
        try {
            String describe = "git describe --always --abbrev=40 --exclude=* --dirty=-changed";
            CommandOutput git = CommandOutput.of(List.of(describe.split(" ")), root, GIT_BOUND);
            return git.status() == 0 ? git.text() : "not a checkout";
        } catch (IOException noGit) {
            return "not a checkout";
        }
    }

    /** What a run's page says of it before it begins: names to values, for people. */
    public static Map<String, String> circumstances(Path root) throws IOException, InterruptedException {
        Map<String, String> known = new LinkedHashMap<>();
        known.put("Phasewise", commit(root));
        known.put("clients", "kafka-clients " + clients());
        known.put("load average at the start", Machine.loadAverage());
        return known;
    }

    /** The version of kafka-clients, as its jar says. */
    static String clients() {
        return JarResource.properties(Build.class, "/kafka/kafka-version.properties")
                .get("version");
    }
}
