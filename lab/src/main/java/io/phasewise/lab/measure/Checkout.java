/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.measure;

import io.phasewise.lab.process.CommandOutput;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** The commit that a figure was measured with. */
public final class Checkout {
    private static final Duration GIT_BOUND = Duration.ofSeconds(30);

    private Checkout() {}

    /**
     * The commit that is checked out, with "-changed" behind it when files differ from it.
     *
     * @param directory in the repository
     * @return "not a checkout" when there is no repository, or no git
     */
    public static String commit(Path directory) throws InterruptedException {
        try {
            String describe = "git describe --always --abbrev=40 --exclude=* --dirty=-changed";
            CommandOutput git = CommandOutput.of(List.of(describe.split(" ")), directory, GIT_BOUND);
            return git.status() == 0 ? git.text() : "not a checkout";
        } catch (IOException noGit) {
            return "not a checkout";
        }
    }
}
