/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.series;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeclaredSeriesTest {

    @Test
    void aRowIsASeries() {
        DeclaredSeries series = of("a_sends_total; counter; cluster, leader; Sends.; low: one; high: another");

        assertThat(series.name()).isEqualTo("a_sends_total");
        assertThat(series.type()).isEqualTo("counter");
        assertThat(series.labels()).containsExactly("cluster", "leader");
        assertThat(series.help()).isEqualTo("Sends.");
        assertThat(series.whenHigh()).isEqualTo("low: one; high: another");
        assertThat(of("a; gauge; ; Help.;").labels()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "a_seconds, histogram, histogram, s",
        "a_seconds_total, counter, counter, s",
        "a_bytesin_total, counter, counter, bytes",
        "a_objective_ratio, gauge, gauge, 'share, 0 to 1'",
        "a_config_info, gauge, gauge, 1",
        "a_active, flag, gauge, 0 or 1",
        "a_lanes, gauge, gauge, count"
    })
    void theUnitFollowsFromNameAndType(String name, String declared, String type, String unit) {
        DeclaredSeries series = of(name + "; " + declared + "; ; Help.;");

        assertThat(series.type()).isEqualTo(type);
        assertThat(series.unit()).isEqualTo(unit);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "a; gauge; ; Help.| expected name; type; labels; help; what to do",
                "A; gauge; ; Help.;| small letters",
                "a; gague; ; Help.;| type is \"gague\"; allowed: counter, gauge, flag",
                "a; counter; ; Help.;| end in _total",
                "a_total; gauge; ; Help.;| end in _total",
                "a; gauge; ; Help; more.;| no semicolon"
            })
    void aRowThatIsNoneIsRefusedWithItsName(String row, String says) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> of(row))
                .withMessageStartingWith(row.substring(0, row.indexOf(';')) + ": ")
                .withMessageContaining(says);
    }

    private static DeclaredSeries of(String row) {
        return new DeclaredSeries(row.split(" *; *", SeriesTable.COLUMNS));
    }
}
