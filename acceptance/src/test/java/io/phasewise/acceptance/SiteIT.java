/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** {@code ./phasewise docs} builds a site, with no link that leads nowhere: MkDocs checks them. */
@Tag("long")
class SiteIT {
    private static final Path ROOT = Path.of(System.getProperty("phasewise.root"));

    @Test
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void theSiteHasPagesAndASearch() throws Exception {
        Process docs =
                new ProcessBuilder(ROOT.resolve("phasewise").toString(), "docs")
                        .redirectErrorStream(true)
                        .start();
        String output = new String(docs.getInputStream().readAllBytes());

        assertThat(docs.waitFor()).as(output).isZero();
        Path site = ROOT.resolve("target/site");
        assertThat(site.resolve("docs/tutorial/first-look.html")).exists();
        assertThat(site.resolve("alerting/runbooks/MostProbesBad.html")).exists();
        assertThat(Files.readString(site.resolve("search/search_index.json")))
                .contains("first-look.html", "high watermark");
    }
}
