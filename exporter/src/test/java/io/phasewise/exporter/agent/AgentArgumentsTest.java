/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class AgentArgumentsTest {

    @ParameterizedTest
    @CsvSource({
        "7071,                                 ,                  ",
        "7071:config.yml,                      , config.yml       ",
        "broker-1.internal:7071:/etc/a:b.yml, broker-1.internal, /etc/a:b.yml",
        "[::1]:7071,                           ::1,               "
    })
    void anAddressAndAFileAreTakenApartAtTheColons(String text, String host, Path file) {
        AgentArguments arguments = AgentArguments.parse(text);

        assertThat(arguments.port).isEqualTo(7071);
        assertThat(arguments.host).isEqualTo(Optional.ofNullable(host));
        assertThat(arguments.file).isEqualTo(Optional.ofNullable(file));
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"", "x", "65536", "-1", "host:", ":7071", "::1:7071", "ho st:7071"})
    void anythingElseIsRefusedWithWhatIsAllowed(String text) {
        assertThatThrownBy(() -> AgentArguments.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("[HOST:]PORT[:CONFIG_FILE]");
    }
}
