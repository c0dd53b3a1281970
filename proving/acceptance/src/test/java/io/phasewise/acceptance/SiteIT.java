/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@code ./phasewise docs} builds a site; MkDocs checks that all links lead somewhere. */
@Tag("long")
class SiteIT {
    @Test
    void theSiteHasPagesAndASearch() throws Exception {
        Command.phasewise("docs").output(Duration.ofMinutes(5));

        Path site = Repository.path("target/site");
        assertThat(site.resolve("docs/tutorial/first-look.html")).exists();
        assertThat(site.resolve("alerting/runbooks/MostProbesBad.html")).exists();
        assertThat(Files.readString(site.resolve("search/search_index.json")))
                .contains("first-look.html", "high watermark");
    }
}
