/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ParametersTest {
    private static final List<Parameter> KNOWN =
            List.of(
                    new Parameter("rate", "probes a second", 20, 1, 33, false, Optional.empty()),
                    new Parameter("repeats", "turns", 4, 2, 100, true, Optional.empty()),
                    new Parameter("few", "fewer", 2, 1, 100, true, Optional.of("many")),
                    new Parameter("many", "more", 20, 1, 100, true, Optional.empty()));

    @Test
    void whatIsNotGivenHasItsDefault() throws UsageException {
        Parameters read = Parameters.read(KNOWN, Map.of("rate", "5"));

        assertThat(read.number("rate")).isEqualTo(5);
        assertThat(read.whole("repeats")).isEqualTo(4);
        assertThat(read.values().keySet()).containsExactly("rate", "repeats", "few", "many");
    }

    @Test
    void everyFaultIsNamedAtOnceWithWhatIsAllowed() {
        assertThatThrownBy(
                        () ->
                                Parameters.read(
                                        KNOWN, Map.of("rate", "fast", "repeats", "1", "lag", "1")))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("--param rate=fast is not allowed; allowed: 1 to 33")
                .hasMessageContaining("--param repeats=1 is not allowed; allowed: 2 to 100, whole")
                .hasMessageContaining(
                        "--param lag is not known; allowed: rate, repeats, few, many");
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
        assertThatThrownBy(() -> Parameters.read(KNOWN, Map.of("repeats", "2.5")))
                .hasMessage("--param repeats=2.5 is not allowed; allowed: 2 to 100, whole");
    }

    @Test
    void whatDoesNotGoTogetherIsNamedWithWhatIsAllowed() throws UsageException {
        Parameters read = Parameters.read(KNOWN, Map.of("rate", "10", "repeats", "10"));

        assertThatThrownBy(() -> Parameters.read(KNOWN, Map.of("few", "20")))
                .isInstanceOf(UsageException.class)
                .hasMessage("--param few=20 is not allowed; allowed: less than many (20)");
        assertThatThrownBy(() -> read.requireHalf("rate", "repeats"))
                .isInstanceOf(UsageException.class)
                .hasMessage(
                        "--param rate=10 is not allowed; allowed: at most half of repeats (10)");
    }

    @Test
    void whatGoesTogetherIsTaken() throws UsageException {
        Parameters read = Parameters.read(KNOWN, Map.of("rate", "5", "repeats", "10", "few", "19"));

        assertThatCode(() -> read.requireHalf("rate", "repeats")).doesNotThrowAnyException();
    }
}
