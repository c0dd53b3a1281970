/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.ops.cli;

import java.util.Optional;
import picocli.CommandLine.IVersionProvider;

/** The version as the jar's manifest says it. */
final class Version implements IVersionProvider {

    @Override
    public String[] getVersion() {
        String version = Version.class.getPackage().getImplementationVersion();
        return new String[] {"phasewise " + Optional.ofNullable(version).orElse("(not packaged)")};
    }
}
