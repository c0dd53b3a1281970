/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.jmx;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.exporter.TextFormat;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is known of this JVM, of which only open files cost. */
class JvmPartTest {

    private final AtomicLong nanos = new AtomicLong(1);
    private final JvmPart part = new JvmPart(nanos::get);

    @Test
    void openFilesAreCountedEveryMinuteAndAllElseAtEveryScrape(@TempDir Path directory) throws Exception {
        double before = openFiles();
        List<InputStream> many = new ArrayList<>();
        try {
            Path file = Files.createFile(directory.resolve("file"));
            for (int i = 0; i < 100; i++) {
                many.add(Files.newInputStream(file));
            }
            nanos.addAndGet(59_999_999_999L);
            assertThat(openFiles()).isEqualTo(before);
            nanos.incrementAndGet();
            assertThat(openFiles()).isGreaterThan(before + 50);
        } finally {
            for (InputStream each : many) {
                each.close();
            }
        }
        assertThat(part.collect().stream().map(metric -> metric.getMetadata().getName()))
                .contains("process_cpu_seconds", "process_max_fds", "jvm_threads_current", "jvm_available_processors")
                .doesNotContain("jvm_threads_state", "jvm_threads_deadlocked")
                .doesNotHaveDuplicates();
    }

    private double openFiles() {
        return TextFormat.scrape(part.collect()).value("process_open_fds");
    }
}
