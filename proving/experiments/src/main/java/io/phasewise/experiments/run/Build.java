/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.run;

import io.phasewise.common.file.JarResource;
import io.phasewise.lab.measure.Checkout;
import io.phasewise.lab.measure.Machine;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** Which versions a figure was measured with. */
public final class Build {
    private Build() {}

    /** Versions and load at the start of a run, by name, for people. */
    public static Map<String, String> circumstances(Path root) throws IOException, InterruptedException {
        Map<String, String> known = new LinkedHashMap<>();
        known.put("Phasewise", Checkout.commit(root));
        known.put("clients", "kafka-clients " + clients());
        known.put("load average at the start", Machine.loadAverage());
        return known;
    }

    /** The version of kafka-clients, from its jar. */
    static String clients() {
        return JarResource.properties(Build.class, "/kafka/kafka-version.properties")
                .get("version");
    }
}
