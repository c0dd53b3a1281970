/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file that keeps what the canary learns needs a directory. */
class StateFileConfigTest {
    @Test
    void aFileWhoseDirectoryIsMissingOrThatIsADirectoryIsRefused(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("phasewise").resolve("state");
        String yaml = Configurations.beside("state-file: '%s'".formatted(file));
        String fault =
                "canary.state-file: \"%s\" is not allowed; allowed: a file in a directory that is there, and that"
                        + " the canary may write to";
        assertThat(Configurations.faults(yaml)).containsExactly(fault.formatted(file));

        Files.createDirectory(file.getParent());
        assertThat(Configurations.load(yaml).config().stateFile()).contains(file);

        Files.createDirectory(file);
        assertThat(Configurations.faults(yaml)).containsExactly(fault.formatted(file));
        assertThat(Configurations.load(Configurations.beside("pause-file: p"))
                        .config()
                        .stateFile())
                .isEmpty();
    }
}
