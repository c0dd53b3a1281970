/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.http;

import io.phasewise.exporter.config.ExporterConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Who may read the endpoint, as the files say now: they are read again when their content has
 * changed. Where the new content is of no use, which is so for a moment while one of two files has
 * been replaced, the earlier one stays. Looks when it is asked, at most every five seconds.
 * Thread-safe.
 */
public final class Access {

    private static final long BETWEEN_LOOKS = Duration.ofSeconds(5).toNanos();

    private final Supplier<ExporterConfig> reader;
    private final Listener listener;
    private final LongSupplier nanoClock;
    private Set<Path> watched;
    private Map<Path, String> tried;
    private long looked;
    private boolean failing;
    private ExporterConfig.Http http;

    /** Hears what became of a change. */
    public interface Listener {

        /** The new content is in use; of the rest of the file nothing is. */
        void taken(ExporterConfig config);

        /** It is not; said once, until a change is of use again. Holds no secret. */
        void refused(String why);
    }

    /**
     * @param first what the files held at the start
     * @param reader reads the configuration again
     * @param nanoClock monotonic nanoseconds
     */
    public Access(
            ExporterConfig.Http first,
            Supplier<ExporterConfig> reader,
            Listener listener,
            LongSupplier nanoClock) {
        this.http = first;
        this.reader = reader;
        this.listener = listener;
        this.nanoClock = nanoClock;
        watched = first.files();
        tried = fingerprint();
        looked = nanoClock.getAsLong();
    }

    /** Of the newest files that were of use. */
    synchronized ExporterConfig.Http current() {
        long now = nanoClock.getAsLong();
        if (watched.isEmpty() || now - looked < BETWEEN_LOOKS) {
            return http;
        }
        looked = now;
        Map<Path, String> found = fingerprint();
        if (found.equals(tried)) {
            return http;
        }
        tried = found;
        ExporterConfig config = reader.get();
        // What it names now: where that is another set, the next look reads once more.
        watched = config.http().files();
        String fault = fault(config);
        if (fault == null) {
            http = config.http();
            failing = false;
            listener.taken(config);
        } else if (!failing) {
            failing = true;
            listener.refused(fault);
        }
        return http;
    }

    private String fault(ExporterConfig config) {
        if (config.isAccessInDoubt()) {
            return config.faults().toString();
        }
        boolean sameWay =
                config.http().basicAuth().isPresent() == http.basicAuth().isPresent()
                        && config.http().tls().isPresent() == http.tls().isPresent();
        return sameWay ? null : "switching http.tls or http.basic-auth on or off needs a restart";
    }

    private Map<Path, String> fingerprint() {
        Map<Path, String> all = new TreeMap<>();
        for (Path file : watched) {
            try {
                byte[] digest =
                        MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
                all.put(file, Base64.getEncoder().encodeToString(digest));
            } catch (IOException e) {
                all.put(file, "unreadable");
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException("every JVM has SHA-256", e);
            }
        }
        return all;
    }
}
