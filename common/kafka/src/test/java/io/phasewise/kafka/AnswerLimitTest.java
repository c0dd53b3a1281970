/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AnswerLimitTest {
    private static final long MIB = 1 << 20;

    @ParameterizedTest
    @CsvSource({"32, 8", "128, 16", "512, 64", "2048, 100"})
    void anAnswerMayHaveAnEighthOfTheHeapWithinBounds(long heap, long most) {
        assertThat(new AnswerLimit(heap * MIB).bytes()).isEqualTo((int) (most * MIB));
        assertThat(new AnswerLimit(heap * MIB).fetchBytes()).isEqualTo((int) (most * MIB / 2));
    }

    @Test
    void togetherTheyMayHaveTwiceAsMuch() throws IOException {
        AnswerLimit limit = new AnswerLimit(128 * MIB);
        limit.take(limit.bytes());
        limit.take(limit.bytes());
        assertThatThrownBy(() -> limit.take(1)).isInstanceOf(IOException.class).hasMessageContaining("33554432");
        limit.giveBack(limit.bytes());
        limit.take(1);
        assertThat(limit.arriving()).isEqualTo(limit.bytes() + 1);
    }

    @Test
    void itIsInForceWhereThisModuleComesFirstOnTheClassPath() {
        assertThat(AnswerLimit.isInForce()).isTrue();
    }
}
