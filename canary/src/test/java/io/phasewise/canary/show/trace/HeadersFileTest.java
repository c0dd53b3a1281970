/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HeadersFileTest {
    private final AtomicInteger errors = new AtomicInteger();
    private final List<String> log = new ArrayList<>();
    private Path file;
    private HeadersFile headers;

    @BeforeEach
    void write(@TempDir Path directory) throws Exception {
        file = Files.writeString(directory.resolve("headers"), "Authorization: Bearer one\n");
        headers = new HeadersFile(file, errors::incrementAndGet, log::add);
    }

    @Test
    void takesUpWhatChanges() throws Exception {
        assertThat(headers.get()).isEqualTo(Map.of("Authorization", "Bearer one"));

        Files.writeString(file, "# renewed\n\nAuthorization: Bearer two\nX-Scope-OrgID: a:b\n");

        assertThat(headers.get()).isEqualTo(Map.of("Authorization", "Bearer two", "X-Scope-OrgID", "a:b"));
        assertThat(log).isEmpty();
    }

    @Test
    void goesOnWithTheLastWhileTheFileIsUnusableAndSaysSoOnceWithoutWhatIsInIt() throws Exception {
        headers.get();
        Files.writeString(file, "Authorization: Bearer one\nhunter2");

        assertThat(headers.get()).isEqualTo(Map.of("Authorization", "Bearer one"));
        assertThat(headers.get()).isEqualTo(Map.of("Authorization", "Bearer one"));

        assertThat(errors).hasValue(2);
        assertThat(log).hasSize(1);
        assertThat(log.get(0))
                .contains(file.toString(), "line 2 is not \"name: value\"")
                .doesNotContain("hunter2", "Bearer");
        Files.delete(file);
        headers.get();
        Files.writeString(file, "Authorization: Bearer two");
        headers.get();
        assertThat(log).hasSize(2).last().asString().endsWith("can be read again");
    }
}
