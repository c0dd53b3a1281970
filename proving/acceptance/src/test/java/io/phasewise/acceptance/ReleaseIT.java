/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.acceptance;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Makes a release twice, the second time signed, and looks at what is in it: deploy/release/made_test.go does, since what makes it
 * is written in Go.
 */
@Tag("long")
class ReleaseIT {
    @Test
    void aReleaseIsWholeAndTheSameAgain() {
        Command.assumeOnPath("git", "dpkg-deb", "unshare", "openssl", "gpg");
        GoTests.pass(
                "deploy/release",
                Duration.ofHours(2),
                Map.of(),
                "-tags",
                "release",
                "-run",
                "TestAReleaseIsWhole",
                "-timeout",
                "2h",
                ".");
    }
}
