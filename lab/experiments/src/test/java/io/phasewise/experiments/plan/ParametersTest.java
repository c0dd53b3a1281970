/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ParametersTest {
    private static final List<Parameter> KNOWN =
            List.of(
                    Parameter.number("rate", "probes a second", 20, 1, 33),
                    Parameter.choice("codec", "of the load", "none", "lz4"));

    @Test
    void whatIsNotGivenHasItsDefault() throws UsageException {
        Parameters read = Parameters.read(KNOWN, Map.of("rate", "5"));

        assertThat(read.number("rate")).isEqualTo(5);
        assertThat(read.text("codec")).isEqualTo("none");
    }

    @Test
    void everyFaultIsNamedAtOnceWithWhatIsAllowed() {
        assertThatThrownBy(
                        () ->
                                Parameters.read(
                                        KNOWN, Map.of("rate", "fast", "codec", "zip", "lag", "1")))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("--param rate=fast is not allowed; allowed: 1 to 33")
                .hasMessageContaining("--param codec=zip is not allowed; allowed: none, lz4")
                .hasMessageContaining("--param lag is not known; allowed: rate, codec");
    }

    @Test
    void aNumberOutsideItsBoundsIsRefused() {
        assertThatThrownBy(() -> Parameters.read(KNOWN, Map.of("rate", "NaN")))
                .hasMessage("--param rate=NaN is not allowed; allowed: 1 to 33");
        assertThatThrownBy(() -> Parameters.read(KNOWN, Map.of("rate", "34")))
                .hasMessage("--param rate=34 is not allowed; allowed: 1 to 33");
    }

    @Test
    void aPartOfWhatIsCountedIsRefused() {
        List<Parameter> counted = List.of(Parameter.whole("repeats", "turns", 4, 2, 100));
        assertThatThrownBy(() -> Parameters.read(counted, Map.of("repeats", "2.5")))
                .hasMessage("--param repeats=2.5 is not allowed; allowed: 2 to 100, whole");
    }
}
