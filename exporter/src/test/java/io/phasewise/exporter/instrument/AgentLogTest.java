/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.instrument;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AgentLogTest {

    /** As under a security manager: the error itself says nothing. */
    @Test
    void whatHasNoWordsOfItsOwnIsExplainedByItsCauses() {
        Throwable denied = new SecurityException("access denied (java.lang.RuntimePermission)");
        Throwable failure = new ExceptionInInitializerError(new IllegalStateException("no beans", denied));

        assertThat(AgentLog.words(failure))
                .isEqualTo("java.lang.ExceptionInInitializerError"
                        + ", caused by java.lang.IllegalStateException: no beans"
                        + ", caused by java.lang.SecurityException: access denied (java.lang.RuntimePermission)");
    }

    @Test
    void aCauseThatIsSaidAlreadyIsNotRepeated() {
        Throwable cause = new IllegalStateException("gone");

        assertThat(AgentLog.words(new RuntimeException(cause)))
                .isEqualTo("java.lang.RuntimeException: java.lang.IllegalStateException: gone");
    }
}
