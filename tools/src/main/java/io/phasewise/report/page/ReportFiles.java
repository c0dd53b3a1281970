/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.page;

import io.phasewise.report.document.Document;
import io.phasewise.report.document.HtmlWriter;
import io.phasewise.report.document.MarkdownWriter;
import io.phasewise.report.fleet.Fleet;
import io.phasewise.report.review.Review;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes a report's three files: all of them first under other names, then each into its place, so
 * that a report that is there is only ever replaced by a whole one.
 */
public final class ReportFiles {

    private final Path directory;

    public ReportFiles(Path directory) {
        this.directory = directory;
    }

    /**
     * Writes the review of one cluster.
     *
     * @return the files, the one to look at first
     * @throws IOException when it cannot be written; what was there before is then still there
     */
    public List<Path> write(Review review) throws IOException {
        return write(ReviewDocument.of(review), review);
    }

    /**
     * Writes the review of many clusters.
     *
     * @return the files, the one to look at first
     * @throws IOException when it cannot be written; what was there before is then still there
     */
    public List<Path> write(Fleet fleet) throws IOException {
        return write(FleetDocument.of(fleet), fleet);
    }

    private List<Path> write(Document report, Object numbers) throws IOException {
        Map<String, String> contents = new LinkedHashMap<>();
        contents.put("report.html", HtmlWriter.written(report));
        contents.put("report.md", MarkdownWriter.written(report));
        contents.put("report.json", new Json().of(numbers));
        long pid = ProcessHandle.current().pid();
        Files.createDirectories(directory);
        Map<Path, Path> places = new LinkedHashMap<>();
        try {
            for (Map.Entry<String, String> each : contents.entrySet()) {
                Path place = directory.resolve(each.getKey());
                Path written = directory.resolve(".%s.%d.part".formatted(each.getKey(), pid));
                places.put(written, place);
                Files.writeString(written, each.getValue(), StandardCharsets.UTF_8);
                // The content must be on the disk before the name is: a crash must not leave an empty report.
                try (FileChannel channel = FileChannel.open(written, StandardOpenOption.WRITE)) {
                    channel.force(true);
                }
            }
            for (Map.Entry<Path, Path> each : places.entrySet()) {
                Files.move(
                        each.getKey(),
                        each.getValue(),
                        StandardCopyOption.ATOMIC_MOVE,
                        StandardCopyOption.REPLACE_EXISTING);
            }
        } finally {
            for (Path written : places.keySet()) {
                Files.deleteIfExists(written);
            }
        }
        return List.copyOf(places.values());
    }
}
