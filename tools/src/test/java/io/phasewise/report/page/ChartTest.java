/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.report.document.Block.Figure;
import io.phasewise.report.page.Chart.Row;
import io.phasewise.report.stats.Estimate;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is drawn of percentiles. */
class ChartTest {

    /**
     * As catch-up has where the consumer had already asked: a few femtoseconds, by interpolation.
     */
    @Test
    void aPhaseThatTakesNoTimeDoesNotStretchTheAxis() {
        Figure chart = Chart.rows(
                "percentiles", List.of(new Row("catch_up", List.of(at(1e-38))), new Row("commit", List.of(at(0.1)))));

        assertThat(chart.shapes())
                .filteredOn(shape -> shape.attributes().get("class").equals("tick"))
                .hasSizeBetween(4, 8);
    }

    private static Estimate at(double seconds) {
        return new Estimate(0.5, seconds, seconds / 2, seconds * 2, 100, 10);
    }
}
