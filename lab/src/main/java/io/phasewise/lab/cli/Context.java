/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.cli;

import io.phasewise.common.progress.Screen;
import java.io.PrintStream;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * What the commands get from the process they run in, so that tests can give them something else.
 *
 * @param root of the repository; empty when not told, as in a child that does not need it
 * @param workingDirectory what relative paths are relative to
 * @param screen standard output, for people
 * @param out standard output, for programs
 */
record Context(
        Optional<Path> root,
        Path workingDirectory,
        Map<String, String> environment,
        Screen screen,
        PrintStream out,
        HttpClient client,
        InstantSource clock,
        LongSupplier nanoClock,
        ZoneId zone) {

    static HttpClient httpClient() {
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(Duration.ofSeconds(1))
                .build();
    }
}
