/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Versions as programs print them. */
class VersionTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    prometheus, version 3.15.0 (branch: , revision: unknown)           | 3.15.0
                    prometheus, version 2.42.0+ds (branch: debian/sid, revision: 2.42) | 2.42.0
                    promtool, version 3.8.0-rc.1 (branch: HEAD)                        | 3.8.0
                    alertmanager, version v0.28.1                                      | 0.28.1
                    grafana version 13.0.1                                             | 13.0.1
                    Version 9.4 (commit: abc)                                          | 9.4.0
                    """)
    void isFoundInWhatAProgramPrints(String text, String expected) {
        assertThat(Version.inText(text)).map(Version::toString).contains(expected);
    }

    @Test
    void isNotMadeUpFromOtherNumbers() {
        assertThat(Version.inText("go1.26.8 linux/amd64")).isEmpty();
    }

    @Test
    void comparesByNumberNotByText() {
        assertThat(new Version(3, 15, 0).isAtLeast(new Version(3, 8, 0))).isTrue();
        assertThat(new Version(3, 8, 0).isAtLeast(new Version(3, 8, 0))).isTrue();
        assertThat(new Version(2, 53, 9).isAtLeast(new Version(3, 8, 0))).isFalse();
    }
}
