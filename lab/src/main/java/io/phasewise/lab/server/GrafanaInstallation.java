/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.server;

import java.nio.file.Path;

/**
 * A Grafana that can be run.
 *
 * @param program the server, with the subcommand {@code server}
 * @param home its home directory, with defaults and web pages
 * @param version of the server
 */
public record GrafanaInstallation(Path program, Path home, Version version) {}
