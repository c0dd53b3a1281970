/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.server;

import java.nio.file.Path;
import java.util.List;

/**
 * A Grafana that can be run.
 *
 * @param command the program, with its subcommand where it has one
 * @param home its home path: defaults and the web pages
 * @param version of the server
 */
public record GrafanaInstallation(List<String> command, Path home, Version version) {

    /** The oldest that can read the dashboards. */
    public static final Version MINIMUM = new Version(9, 4, 0);

    /** Takes a copy of the command. */
    public GrafanaInstallation {
        command = List.copyOf(command);
    }
}
