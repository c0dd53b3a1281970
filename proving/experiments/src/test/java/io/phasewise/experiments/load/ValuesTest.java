/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.zip.Deflater;
import org.junit.jupiter.api.Test;

class ValuesTest {
    @Test
    void aBatchCompressesToAboutHalf() {
        Values values = new Values(1_024, 1);
        byte[] batch = new byte[128 * 1_024];
        for (int i = 0; i < 128; i++) {
            System.arraycopy(values.next(), 0, batch, i * 1_024, 1_024);
        }
        Deflater deflater = new Deflater();
        deflater.setInput(batch);
        deflater.finish();

        assertThat((double) deflater.deflate(new byte[batch.length]) / batch.length)
                .isBetween(0.49, 0.56);
    }

    @Test
    void theSameSeedGivesTheSameValues() {
        Values one = new Values(100, 1);
        Values same = new Values(100, 1);
        byte[] first = one.next().clone();

        assertThat(same.next()).isEqualTo(first);
        assertThat(one.next()).isNotEqualTo(first);
        assertThat(new Values(100, 2).next()).isNotEqualTo(first);
        assertThat(new Values(1, 1).next()).hasSize(1);
    }
}
