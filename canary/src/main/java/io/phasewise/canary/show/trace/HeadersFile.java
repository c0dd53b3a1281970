/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.trace;

import io.phasewise.canary.config.TraceHeaders;
import io.phasewise.common.file.UnusableFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The headers of a file, read again for each attempt, so that a renewed token is used without a
 * restart. While the file cannot be used, the headers read last are. One thread at a time.
 */
final class HeadersFile implements Supplier<Map<String, String>> {
    private final Path file;
    private final Runnable onError;
    private final Consumer<String> log;
    private Map<String, String> last = Map.of();
    private boolean failing;

    /**
     * @param file one {@code name: value} a line
     * @param onError counts each failure
     * @param log takes a line when the file cannot be used and when it can again
     */
    HeadersFile(Path file, Runnable onError, Consumer<String> log) {
        this.file = file;
        this.onError = onError;
        this.log = log;
    }

    @Override
    public Map<String, String> get() {
        try {
            last = TraceHeaders.read(file);
            if (failing) {
                failing = false;
                log.accept(file + " can be read again");
            }
        } catch (UnusableFileException e) {
            onError.run();
            if (!failing) {
                failing = true;
                String fault = e.getMessage();
                log.accept(file + " " + fault + "; traces are sent with the headers read before");
            }
        }
        return last;
    }
}
