/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class AgentArgumentsTest {

    @Test
    void aPortAloneListensOnAllAddressesWithTheDefaults() {
        AgentArguments arguments = AgentArguments.parse("7071");

        assertThat(arguments.port()).isEqualTo(7071);
        assertThat(arguments.host()).isEmpty();
        assertThat(arguments.file()).isEmpty();
    }

    @Test
    void aHostAndAFileAreTakenApartAtTheColons() {
        AgentArguments arguments = AgentArguments.parse("broker-1.internal:7071:/etc/a:b.yml");

        assertThat(arguments.host()).contains("broker-1.internal");
        assertThat(arguments.file()).contains(Path.of("/etc/a:b.yml"));
    }

    @Test
    void aFileCanFollowThePortWithoutAHost() {
        AgentArguments arguments = AgentArguments.parse("7071:config.yml");

        assertThat(arguments.host()).isEmpty();
        assertThat(arguments.port()).isEqualTo(7071);
        assertThat(arguments.file()).contains(Path.of("config.yml"));
    }

    @Test
    void anAddressOfVersionSixStandsInBrackets() {
        assertThat(AgentArguments.parse("[::1]:7071").host()).contains("::1");
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
