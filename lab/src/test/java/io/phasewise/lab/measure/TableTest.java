/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.measure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TableTest {
    @Test
    void columnsStandInLine() {
        Table table = new Table("what", "n");
        table.row("probes", "10");
        assertThat(table).hasToString("""
                        | what   | n  |
                        | ------ | -- |
                        | probes | 10 |
                        """);
    }
}
