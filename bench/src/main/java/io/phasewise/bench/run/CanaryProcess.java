/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.run;

import io.phasewise.lab.measure.StandaloneCanary;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;

/** The canary's jar as a process of its own, as users run it, asked for what it exports. */
public final class CanaryProcess implements AutoCloseable {
    static final String PROTOBUF =
            "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;"
                    + "encoding=delimited";
    private static final int LINES_SHOWN = 10;

    private final HttpClient client = HttpClient.newHttpClient();
    private final StandaloneCanary canary;
    private final Path pauses;

    private CanaryProcess(StandaloneCanary canary, Path pauses) {
        this.canary = canary;
        this.pauses = pauses;
    }

    /**
     * Starts it and waits until a probe went all the way round for every broker.
     *
     * @param jar the canary's
     * @param directory for its files; one for each run
     * @param jvm what it runs on
     * @param load what it sends
     * @param bootstrap where to
     * @throws IOException when it cannot be started
     * @throws InterruptedException when interrupted; nothing is left running
     */
    public static CanaryProcess start(
            Path jar, Path directory, Jvm jvm, Load load, String bootstrap)
            throws IOException, InterruptedException {
        Path pauses = directory.resolve("pauses.log");
        return new CanaryProcess(
                StandaloneCanary.start(
                        jar,
                        directory,
                        load.configuration(bootstrap),
                        arguments -> jvm.command(pauses, arguments)),
                pauses);
    }

    /**
     * Lets it run and says what happened in that time.
     *
     * @param warmUp left out before
     * @param length measured
     */
    public CanaryReading measure(Duration warmUp, Duration length) throws InterruptedException {
        Thread.sleep(warmUp.toMillis());
        Mark start = mark();
        Thread.sleep(length.toMillis());
        return since(start);
    }

    /**
     * The state at one instant, to be compared with a later one.
     *
     * @param nanos when, on this process's monotonic clock
     */
    public record Mark(long nanos, Usage usage, Scrape scrape) {}

    /** Takes note of where the canary stands. */
    public Mark mark() throws InterruptedException {
        Usage usage = Usage.of(pid());
        Scrape scrape = scrape();
        return new Mark(System.nanoTime(), usage, scrape);
    }

    /** What happened since a mark. */
    public CanaryReading since(Mark start) throws InterruptedException {
        Scrape after = scrape();
        Usage used = Usage.of(pid());
        double seconds = (System.nanoTime() - start.nanos()) / 1e9;
        return new CanaryReading(
                seconds,
                start.scrape(),
                after,
                used.cpuSeconds() - start.usage().cpuSeconds(),
                used.residentBytes(),
                Pauses.read(pauses, (start.nanos() - canary.startedNanos()) / 1e9));
    }

    private Scrape scrape() throws InterruptedException {
        try {
            return Scrape.of(get("/metrics", PROTOBUF).body());
        } catch (IOException e) {
            String what =
                    canary.process().isAlive()
                            ? "the canary's /metrics does not answer: " + e
                            : "the canary has ended";
            throw new UncheckedIOException(
                    what + "\n" + String.join("\n", canary.process().logExcerpt(LINES_SHOWN)), e);
        }
    }

    private HttpResponse<byte[]> get(String path, String accept)
            throws IOException, InterruptedException {
        return client.send(
                HttpRequest.newBuilder(URI.create(canary.url() + path))
                        .timeout(Duration.ofSeconds(20))
                        .header("Accept", accept)
                        .build(),
                HttpResponse.BodyHandlers.ofByteArray());
    }

    /** Its process id. */
    public long pid() {
        return canary.process().pid();
    }

    @Override
    public void close() {
        canary.close();
    }
}
