/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.marks;

import io.phasewise.canary.config.ExportersConfig;
import io.phasewise.common.client.BoundedClient;
import io.phasewise.common.file.ConfiguredFile;
import io.phasewise.common.file.Fingerprints;
import io.phasewise.common.file.ImpatientRead;
import io.phasewise.common.file.UnusableFileException;
import io.phasewise.common.prometheus.Access;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;

/**
 * Sends requests to exporters, with the password and the trust that the configuration names. Never
 * waits for an exporter. For one thread.
 */
final class ExporterRequests {

    /** How long to wait for the files with password and authorities, whose disk may hang. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    /**
     * The authorities' file is read again no more often than this: an exporter whose certificate is
     * refused asks for it again and again.
     */
    private static final long BETWEEN_RENEWALS = Duration.ofMinutes(1).toNanos();

    /** Looks a host up. */
    interface Resolver {
        /**
         * @throws IOException when it is not known
         */
        InetAddress address(String host) throws IOException;
    }

    private final ExportersConfig config;
    private final Resolver resolver;
    private final BoundedClient.Limits limits;
    private final LongSupplier nanoClock;
    private final ImpatientRead<Entry> reads;
    private final Map<String, CompletableFuture<InetAddress>> lookups = new ConcurrentHashMap<>();
    private Optional<Entry> entry = Optional.empty();
    private IOException unusable = new IOException("the files of exporters have not been read yet");

    /** Whether the authorities are to be looked at again. */
    private boolean renews;

    /** When that was last asked for and heeded; null before. */
    private Long renewedAt;

    /**
     * What a request needs to be let in.
     *
     * @param authorities what their file held, as hashes
     */
    private record Entry(BoundedClient client, Map<Path, String> authorities, Optional<String> authorization) {}

    /**
     * @param thread name of the threads that read files
     * @param nanoClock monotonic nanoseconds
     */
    ExporterRequests(
            ExportersConfig config,
            String thread,
            BoundedClient.Limits limits,
            Resolver resolver,
            LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
        this.config = config;
        this.resolver = resolver;
        this.limits = limits;
        this.reads = new ImpatientRead<>(thread, PATIENCE);
    }

    /**
     * Has the next request read the authorities' file again, and use what is in it if that has
     * changed. Heeded once a minute at most. All exporters share the client; while the file cannot
     * be read it stays as it is.
     */
    void renew() {
        long now = nanoClock.getAsLong();
        if (config.ca().isPresent() && (renewedAt == null || now - renewedAt >= BETWEEN_RENEWALS)) {
            renewedAt = now;
            renews = true;
        }
    }

    /**
     * Sends a request.
     *
     * @param address host and port
     * @return fails with an {@link IOException} where there is no answer within the limits
     */
    CompletableFuture<HttpResponse<byte[]>> get(String address, String path) throws InterruptedException {
        readFiles();
        if (entry.isEmpty()) {
            return CompletableFuture.failedFuture(unusable);
        }
        try {
            return get(entry.get(), address, path);
        } catch (IllegalArgumentException e) {
            return CompletableFuture.failedFuture(new IOException("not an address: " + address, e));
        }
    }

    private CompletableFuture<HttpResponse<byte[]>> get(Entry as, String address, String path) {
        URI uri = URI.create((config.tls() ? "https://" : "http://") + address + path);
        if (uri.getHost() != null) {
            return send(as, uri);
        }
        // Java's URIs refuse host names with an underscore, which Kafka and Compose allow: asked by IP address.
        int colon = address.lastIndexOf(':');
        return number(address.substring(0, colon))
                .thenCompose(number -> send(
                        as, URI.create(uri.getScheme() + "://" + bracketed(number) + address.substring(colon) + path)));
    }

    private CompletableFuture<HttpResponse<byte[]>> send(Entry as, URI uri) {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri);
        as.authorization().ifPresent(value -> request.header("Authorization", value));
        return as.client().sendAsync(request, limits);
    }

    /** One look-up of a host at a time, however often it is asked: it may take long. */
    private CompletableFuture<InetAddress> number(String host) {
        CompletableFuture<InetAddress> lookup = lookups.computeIfAbsent(host, name -> {
            CompletableFuture<InetAddress> begun = new CompletableFuture<>();
            Thread thread = new Thread(() -> lookUp(name, begun), "marks-lookup");
            thread.setDaemon(true);
            thread.start();
            return begun;
        });
        return lookup.copy()
                .orTimeout(limits.time().toNanos(), TimeUnit.NANOSECONDS)
                .exceptionallyCompose(failure -> CompletableFuture.failedFuture(
                        failure instanceof TimeoutException
                                ? new IOException("no address yet of host " + host)
                                : failure));
    }

    private void lookUp(String host, CompletableFuture<InetAddress> begun) {
        try {
            InetAddress found = resolver.address(host);
            lookups.remove(host);
            begun.complete(found);
        } catch (IOException e) {
            lookups.remove(host);
            begun.completeExceptionally(new IOException("unknown host " + host, e));
        }
    }

    private static String bracketed(InetAddress address) {
        return address instanceof Inet6Address ? "[" + address.getHostAddress() + "]" : address.getHostAddress();
    }

    private void readFiles() throws InterruptedException {
        if (entry.isPresent() && config.passwordFile().isEmpty() && !renews) {
            return;
        }
        Optional<Entry> before = entry;
        boolean looksAgain = renews;
        try {
            if (config.ca().isEmpty() && config.passwordFile().isEmpty()) {
                entry = Optional.of(new Entry(client(), Map.of(), Optional.empty()));
                return;
            }
            // Where it takes longer, what was read before goes on being used.
            reads.read(() -> read(before, looksAgain)).ifPresent(read -> {
                entry = Optional.of(read);
                renews = false;
            });
        } catch (UnusableFileException | GeneralSecurityException e) {
            throw new IllegalStateException("no file is read", e);
        } catch (ExecutionException e) {
            renews = false; // what was read before goes on being used, if there is anything
            unusable = new IOException(
                    e.getCause() instanceof UnusableFileException file
                            ? file.key() + " " + file.getMessage()
                            : e.getCause().toString());
        }
    }

    private Entry read(Optional<Entry> before, boolean looksAgain)
            throws UnusableFileException, GeneralSecurityException {
        Map<Path, String> authorities = before.isEmpty() || looksAgain
                ? Fingerprints.of(config.ca().stream().toList())
                : before.get().authorities();
        boolean isSame = before.isPresent() && authorities.equals(before.get().authorities());
        BoundedClient http = isSame ? before.get().client() : client();
        if (config.username().isEmpty()) {
            return new Entry(http, authorities, Optional.empty());
        }
        String password = ConfiguredFile.text(
                "exporters.password-file", config.passwordFile().orElseThrow());
        return new Entry(
                http, authorities, Optional.of(Access.basic(config.username().get(), password.strip())));
    }

    private BoundedClient client() throws UnusableFileException, GeneralSecurityException {
        try {
            return new BoundedClient(Access.client(config.ca(), Optional.empty(), ""));
        } catch (UnusableFileException e) {
            throw new UnusableFileException("exporters.ca", e.getMessage());
        }
    }
}
