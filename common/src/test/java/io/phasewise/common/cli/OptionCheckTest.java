/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.cli;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

import org.junit.jupiter.api.Test;

class OptionCheckTest {
    @Test
    void bothBoundsAreAllowed() {
        OptionCheck check = new OptionCheck().within("--low", 1, 1, 5).within("--high", 5, 1, 5);
        assertThatNoException().isThrownBy(check::done);
    }

    @Test
    void allFaultsAreToldAtOnce() {
        OptionCheck check = new OptionCheck()
                .within("--low", 0, 1, 5)
                .within("--good", 3, 1, 5)
                .within("--high", 6, 1, 5)
                .holds(true, "--there: is not")
                .holds(false, "--file: no file");
        assertThatExceptionOfType(UsageException.class)
                .isThrownBy(check::done)
                .withMessage("--low: 0; allowed: 1 to 5\n--high: 6; allowed: 1 to 5\n--file: no file");
    }
}
