/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.lab.stack.CanaryJvm;
import org.junit.jupiter.api.Test;

class CanaryImageTest {
    @Test
    void startsTheCanaryAsTheLauncherDoes() {
        String image = Repository.text("canary/Dockerfile");
        String runtime = Repository.first("FROM eclipse-temurin:(\\d+)", image);
        String options = String.join(" ", CanaryJvm.options(Integer.parseInt(runtime)));
        assertThat(image).contains("ENV JDK_JAVA_OPTIONS=\"" + options + "\"\n");
    }
}
