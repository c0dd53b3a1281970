/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.web;

import io.phasewise.canary.config.CredentialFiles;
import io.phasewise.canary.config.UnusableFileException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Something made of files, made again once their content has changed. Where the new files are of no
 * use, which is so for a moment while one of two has been replaced, what was made of the earlier
 * ones stays. Looks when it is asked, at most every five seconds. Thread-safe.
 *
 * @param <T> what is made
 */
final class Reloaded<T> {
    private static final Logger LOG = LoggerFactory.getLogger(Reloaded.class);
    private static final long BETWEEN_LOOKS = Duration.ofSeconds(5).toNanos();

    private final String key;
    private final CredentialFiles files;
    private final Maker<T> maker;
    private final Runnable failures;
    private final LongSupplier nanoClock;
    private Map<Path, String> tried;
    private long looked;
    private boolean failing;
    private T value;

    /** Makes it of the files. */
    interface Maker<T> {
        /**
         * @throws UnusableFileException when it cannot be made of what is in them
         */
        T make() throws UnusableFileException;
    }

    /**
     * Makes it for the first time.
     *
     * @param key of the configuration, for messages
     * @param files that it is made of
     * @param failures is run for each change that is of no use
     * @param nanoClock monotonic nanoseconds
     * @throws IOException when it cannot be made
     */
    Reloaded(String key, Set<Path> files, Maker<T> maker, Runnable failures, LongSupplier nanoClock)
            throws IOException {
        this.key = key;
        this.files = CredentialFiles.of(files);
        this.maker = maker;
        this.failures = failures;
        this.nanoClock = nanoClock;
        // First: what changes while it is read is then seen as a change.
        tried = this.files.fingerprint();
        looked = nanoClock.getAsLong();
        try {
            value = maker.make();
        } catch (UnusableFileException e) {
            throw new IOException(key + "." + e.key() + ": the file " + e.getMessage(), e);
        }
    }

    /** Of the newest files that were of use. */
    synchronized T current() {
        long now = nanoClock.getAsLong();
        if (now - looked < BETWEEN_LOOKS) {
            return value;
        }
        looked = now;
        Map<Path, String> found = files.fingerprint();
        if (found.equals(tried)) {
            return value;
        }
        tried = found;
        try {
            value = maker.make();
            failing = false;
            LOG.info("{}: what the files hold now is in use", key);
        } catch (UnusableFileException e) {
            failures.run();
            if (!failing) {
                LOG.error(
                        "{}.{}: the file {}; the earlier content stays in use",
                        key,
                        e.key(),
                        e.getMessage());
            }
            failing = true;
        }
        return value;
    }
}
