/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.stack;

import io.phasewise.common.cli.StackOption;
import io.phasewise.common.cli.UsageException;
import io.phasewise.common.progress.Progress;
import io.phasewise.common.progress.Screen;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * What commands use of their process: environment, output, clocks. Tests give them others.
 *
 * @param root of the repository; empty when it is not known, as in a process that does not need it
 * @param workingDirectory directory that relative paths start from
 * @param environment of the process: PATH, XDG_CACHE_HOME and GRAFANA_HOME say where servers are,
 *     PHASEWISE_DOWNLOADS and proxies how they are downloaded
 * @param screen standard output, for people
 * @param client should have a connect time-out of its own
 */
public record Context(
        Optional<Path> root,
        Path workingDirectory,
        Map<String, String> environment,
        Screen screen,
        HttpClient client,
        InstantSource clock,
        LongSupplier nanoClock,
        ZoneId zone) {

    /** A client for servers on this machine. */
    public static HttpClient httpClient() {
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(Duration.ofSeconds(1))
                .build();
    }

    /**
     * The paths of the stack's parts.
     *
     * @throws UsageException when the root is not known
     */
    public Installation installation() {
        String where = "start through ./phasewise, or say where the repository is: -Dphasewise.root=DIR";
        return new Installation(root.orElseThrow(() -> new UsageException(where)));
    }

    /** The directory of a stack: from the option, else from the environment. */
    public StateDirectory stateDirectory(StackOption stack) {
        Path base = root.orElse(workingDirectory);
        return new StateDirectory(stack.stack(environment, base, workingDirectory));
    }

    /** Shows a step for each of these names. */
    Progress progress(List<String> names) {
        return Progress.open(screen, names, nanoClock);
    }

    void print(String line) {
        screen.print(line);
    }
}
