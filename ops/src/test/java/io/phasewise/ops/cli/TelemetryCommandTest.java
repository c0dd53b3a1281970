/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.ops.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TelemetryCommandTest {

    @ParameterizedTest
    @CsvSource({
        "2.5.0, false",
        "2.5.2, false",
        "v2.5.1, false",
        "1.9.0-librdkafka-2.5.0, false",
        "2.5.3, true",
        "2.16.1, true",
        "3.9.1, true",
        "4.4.0, true"
    })
    void clientsThatCanCrashAreLeftOut(String version, boolean asked) {
        String[] match = TelemetryCommand.WITHOUT_LIBRDKAFKA_25.split("=", 2);

        // Kafka's brokers ask whether the whole text matches.
        assertThat(Pattern.matches(match[1], version)).isEqualTo(asked);
    }

    @Test
    void theDocumentNamesTheSamePattern() throws IOException {
        String option = "--match '" + TelemetryCommand.WITHOUT_LIBRDKAFKA_25 + "'";

        assertThat(Path.of("../docs/how-to/client-telemetry.md")).content().contains(option);
    }
}
