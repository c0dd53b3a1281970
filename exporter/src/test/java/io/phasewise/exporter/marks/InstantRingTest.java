/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.marks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class InstantRingTest {

    private final InstantRing ring = new InstantRing(4, 2);
    private final List<Long> read = new ArrayList<>();

    private void write(long from, long to) {
        for (long i = from; i < to; i++) {
            ring.begin();
            ring.set(0, i);
            ring.set(1, -i);
            ring.end();
        }
    }

    private long drain() {
        return ring.drain(row -> {
            assertThat(row[1]).isEqualTo(-row[0]);
            read.add(row[0]);
        });
    }

    @Test
    void rowsAreReadOnceAndInOrder() {
        write(0, 3);
        assertThat(drain()).isZero();
        write(3, 5);
        assertThat(drain()).isZero();
        assertThat(drain()).isZero();

        assertThat(read).containsExactly(0L, 1L, 2L, 3L, 4L);
    }

    @Test
    void whatIsOverwrittenIsCounted() {
        write(0, 2);
        drain();
        write(2, 12);

        assertThat(drain()).isEqualTo(6);
        assertThat(read).containsExactly(0L, 1L, 8L, 9L, 10L, 11L);
    }

    @Test
    void aRowThatIsBeingWrittenIsNotRead() {
        write(0, 4);
        ring.begin();
        ring.set(0, 77);

        assertThat(drain()).as("its place had the first").isOne();
        assertThat(read).containsExactly(1L, 2L, 3L);
        ring.set(1, -77);
        ring.end();
        assertThat(drain()).isZero();
        assertThat(read).endsWith(77L);
    }

    @Test
    void whateverAWriterDoesRowsAreWholeAndAllAreCounted() throws Exception {
        long rows = 300_000;
        Thread writer = new Thread(() -> write(0, rows));
        writer.start();
        long missed = 0;
        while (writer.isAlive()) {
            missed += drain();
        }
        missed += drain();

        assertThat(read).isSorted().doesNotHaveDuplicates();
        assertThat(read.size() + missed).isEqualTo(rows);
    }
}
