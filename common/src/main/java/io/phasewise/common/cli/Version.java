/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.cli;

import java.util.Optional;
import picocli.CommandLine.IVersionProvider;

/** The version as the manifest of the program's jar says it. */
public final class Version implements IVersionProvider {

    @Override
    public String[] getVersion() {
        String version = Version.class.getPackage().getImplementationVersion();
        return new String[] {"phasewise " + Optional.ofNullable(version).orElse("(not packaged)")};
    }
}
