/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.lab.junit.MissingIsSkipped;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.Extension;

/**
 * A module that depends on the lab's tests also skips tests whose program is missing: JUnit finds
 * the extension in their jar.
 */
class MissingIsSkippedTest {
    @Test
    void itIsFoundInTheJarOfTheLabsTests() {
        assertThat(ServiceLoader.load(Extension.class)).hasAtLeastOneElementOfType(MissingIsSkipped.class);
    }
}
