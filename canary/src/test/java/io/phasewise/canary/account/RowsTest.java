/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.account;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RowsTest {
    private static final int MOST = 40;

    /** As a sorted list does it, of which the first go. */
    @Test
    void rowsAreInOrderAndTheNewestAreKept() {
        Random random = new Random(7);
        Rows rows = new Rows(2, MOST);
        List<Long> expected = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            long key = i + random.nextInt(20);
            if (expected.size() == MOST) {
                expected.remove(0);
            }
            expected.add(key);
            expected.sort(null);
            rows.add(key, -key);
            long asked = i + random.nextInt(40) - 20;
            if (random.nextInt(50) == 0) {
                rows.dropBefore(asked);
                expected.removeIf(each -> each < asked);
            } else if (random.nextInt(50) == 0) {
                rows.dropFrom(asked);
                expected.removeIf(each -> each >= asked);
            }

            assertThat(rows.size()).isEqualTo(expected.size());
            assertThat(rows.firstAt(asked)).isEqualTo((int)
                    expected.stream().filter(each -> each < asked).count());
            for (int row = 0; row < rows.size(); row++) {
                assertThat(rows.at(row, 0)).isEqualTo(expected.get(row));
                assertThat(rows.at(row, 1)).isEqualTo(-expected.get(row));
            }
        }
    }
}
