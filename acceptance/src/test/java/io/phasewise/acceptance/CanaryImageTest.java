/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.lab.stack.CanaryJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class CanaryImageTest {
    private static final Path DOCKERFILE =
            Path.of(System.getProperty("phasewise.root"), "canary", "Dockerfile");
    private static final Pattern RUNTIME = Pattern.compile("FROM eclipse-temurin:(\\d+)");

    @Test
    void startsTheCanaryAsTheLauncherDoes() throws IOException {
        String image = Files.readString(DOCKERFILE);
        Matcher runtime = RUNTIME.matcher(image);
        assertThat(runtime.find()).isTrue();
        String options = String.join(" ", CanaryJvm.options(Integer.parseInt(runtime.group(1))));
        assertThat(image).contains("ENV JDK_JAVA_OPTIONS=\"" + options + "\"\n");
    }
}
