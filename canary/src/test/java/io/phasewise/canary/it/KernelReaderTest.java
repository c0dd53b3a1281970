/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.canary.it.Fitness.Role;
import io.phasewise.canary.it.KernelReader.Subject;
import io.phasewise.canary.it.KernelSample.ThreadId;
import io.phasewise.canary.it.KernelSample.Waits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KernelReaderTest {
    private static final Role REQUESTS = new Role("requests", "data-pl", 6);

    @TempDir private Path proc;

    @Test
    void countersOfProcessorsAndOfTheThreadsAskedForAreRead() throws IOException {
        write("stat", "cpu  10 1 20 300 4 5 6 70 8 9\ncpu0 1 1 1 1 1 1 1 1 1 1\n");
        write("7/task/71/comm", "data-plane-kafk\n");
        write("7/task/71/schedstat", "1142280 211880 2\n");
        write("7/task/72/comm", "C1 CompilerThre\n");
        write("7/task/72/schedstat", "9 9 9\n");
        // It ended while it was looked at.
        write("7/task/73/comm", "data-plane-kafk\n");

        KernelSample sample =
                new KernelReader(proc, List.of(new Subject("broker 1", 7, List.of(REQUESTS))))
                        .read();

        assertThat(sample.stolen()).isEqualTo(70);
        assertThat(sample.ticks()).isEqualTo(416);
        assertThat(sample.threads())
                .containsOnlyKeys(new ThreadId("broker 1", REQUESTS, 71))
                .containsValue(new Waits(211_880, 2));
    }

    private void write(String name, String text) throws IOException {
        Path file = proc.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }
}
