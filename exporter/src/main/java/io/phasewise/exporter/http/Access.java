/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.http;

import io.phasewise.common.file.FileSource;
import io.phasewise.common.file.UnusableFileException;
import io.phasewise.exporter.config.ExporterConfig;
import java.nio.file.Path;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Who may read the endpoint, as the configuration and the files that it names say now. Whether the
 * endpoint has TLS and a password at all stays as it was at the start.
 */
public final class Access implements FileSource<ExporterConfig> {

    private final ExporterConfig first;
    private final Supplier<ExporterConfig> reader;
    private volatile Set<Path> files;

    /**
     * @param first what the files held at the start
     * @param reader reads the configuration again
     */
    public Access(ExporterConfig first, Supplier<ExporterConfig> reader) {
        this.first = first;
        this.reader = reader;
        files = first.files;
    }

    @Override
    public Set<Path> files() {
        return files;
    }

    @Override
    public ExporterConfig read() throws UnusableFileException {
        ExporterConfig config = reader.get();
        // Where that is another set, the next look reads once more.
        files = config.files;
        if (config.isAccessInDoubt()) {
            throw new UnusableFileException("", config.faults.toString());
        }
        if (config.basicAuth.isPresent() != first.basicAuth.isPresent()
                || config.tls.isPresent() != first.tls.isPresent()) {
            throw new UnusableFileException("", "switching http.tls or http.basic-auth on or off needs a restart");
        }
        return config;
    }
}
