/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** What is read from a go.mod. */
class PinnedModuleTest {

    private static final String PROMETHEUS = """
            module phasewise.io/prometheus

            go 1.26.0

            tool (
            	github.com/prometheus/prometheus/cmd/prometheus
            	github.com/prometheus/prometheus/cmd/promtool
            )

            require (
            	github.com/prometheus/alertmanager v0.34.0 // indirect
            	github.com/prometheus/prometheus v0.315.2 // indirect
            )
            """;

    private static PinnedModule parse(String text, ServerKind kind) throws IOException {
        return PinnedModule.parse(text, kind, "x/go.mod");
    }

    @Test
    void anotherDependencyIsAnotherProgram() throws Exception {
        PinnedModule module = parse(PROMETHEUS, ServerKind.PROMETHEUS);
        PinnedModule raised = parse(PROMETHEUS + "// raised\n", ServerKind.PROMETHEUS);

        assertThat(module.digest()).matches("[0-9a-f]{8}").isNotEqualTo(raised.digest());
        assertThat(module.release()).isEqualTo(raised.release());
    }

    @Test
    void prometheusIsCalledByItsReleaseNotByItsModuleVersion() throws IOException {
        PinnedModule module = parse(PROMETHEUS, ServerKind.PROMETHEUS);

        assertThat(module.release()).isEqualTo(new Version(3, 15, 2));
        assertThat(module.commands())
                .containsExactly(
                        "github.com/prometheus/prometheus/cmd/prometheus",
                        "github.com/prometheus/prometheus/cmd/promtool");
    }

    @Test
    void othersAreCalledByTheirModuleVersionAndAModuleMayBeItsOwnCommand() throws IOException {
        PinnedModule module = parse("""
                        tool github.com/prometheus/node_exporter
                        tool github.com/prometheus/node_exporter_of_others
                        require github.com/prometheus/node_exporter v1.12.1
                        """, ServerKind.NODE_EXPORTER);

        assertThat(module.commands()).containsExactly("github.com/prometheus/node_exporter");
        assertThat(module.release()).isEqualTo(new Version(1, 12, 1));
    }

    @Test
    void aFileThatPinsSomethingElseIsRefused() {
        assertThatThrownBy(() -> parse(PROMETHEUS, ServerKind.ALERTMANAGER))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("x/go.mod does not pin github.com/prometheus/alertmanager");
    }
}
