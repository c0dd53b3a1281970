/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.run;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.phasewise.lab.process.Await;
import io.phasewise.lab.process.ManagedProcess;
import io.phasewise.lab.process.ProcessSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The canary's jar as a process of its own, as users run it, asked for what it exports. */
public final class CanaryProcess implements AutoCloseable {
    private static final Pattern ADDRESS = Pattern.compile("http://127\\.0\\.0\\.1:(\\d+)/");
    private static final String PROTOBUF =
            "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;"
                    + "encoding=delimited";
    private static final int LINES_SHOWN = 10;
    private static final Duration START_BOUND = Duration.ofSeconds(90);

    private final HttpClient client = HttpClient.newHttpClient();
    private final ManagedProcess process;
    private final Path pauses;
    private final long startedNanos = System.nanoTime();
    private final String base;

    private CanaryProcess(ManagedProcess process, Path pauses)
            throws IOException, InterruptedException {
        this.process = process;
        this.pauses = pauses;
        Await.that("the canary serves", START_BOUND)
                .every(Duration.ofMillis(50))
                .needing(process)
                .until(
                        () ->
                                address().isPresent()
                                        ? Optional.empty()
                                        : Optional.of("no address in its log"));
        this.base = address().orElseThrow();
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
        Files.createDirectories(directory);
        Path config = directory.resolve("canary.yml");
        new ObjectMapper().writeValue(config.toFile(), load.configuration(bootstrap));
        Path pauses = directory.resolve("pauses.log");
        List<String> arguments = new ArrayList<>();
        arguments.add("-XX:+ExitOnOutOfMemoryError");
        arguments.addAll(List.of("-jar", jar.toString(), "--config", config.toString()));
        ManagedProcess process =
                ManagedProcess.start(
                        new ProcessSpec(
                                "canary",
                                jvm.command(pauses, arguments),
                                Map.of(),
                                directory,
                                directory.resolve("canary.log")));
        boolean up = false;
        try {
            CanaryProcess canary = new CanaryProcess(process, pauses);
            canary.awaitReady();
            up = true;
            return canary;
        } finally {
            if (!up) {
                process.close();
            }
        }
    }

    private Optional<String> address() throws IOException {
        if (!Files.exists(process.log())) {
            return Optional.empty();
        }
        Matcher matcher = ADDRESS.matcher(Files.readString(process.log()));
        return matcher.find()
                ? Optional.of("http://127.0.0.1:" + matcher.group(1))
                : Optional.empty();
    }

    private void awaitReady() throws InterruptedException {
        Await.that("the canary is ready", START_BOUND)
                .every(Duration.ofMillis(100))
                .needing(process)
                .until(
                        () -> {
                            HttpResponse<byte[]> answer = get("/-/ready", "*/*");
                            return answer.statusCode() == 200
                                    ? Optional.empty()
                                    : Optional.of(new String(answer.body()));
                        });
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
        Usage usage = Usage.of(process.pid());
        Scrape scrape = scrape();
        return new Mark(System.nanoTime(), usage, scrape);
    }

    /** What happened since a mark. */
    public CanaryReading since(Mark start) throws InterruptedException {
        Scrape after = scrape();
        Usage used = Usage.of(process.pid());
        double seconds = (System.nanoTime() - start.nanos()) / 1e9;
        return new CanaryReading(
                seconds,
                start.scrape(),
                after,
                used.cpuSeconds() - start.usage().cpuSeconds(),
                used.residentBytes(),
                Pauses.read(pauses, (start.nanos() - startedNanos) / 1e9));
    }

    private Scrape scrape() throws InterruptedException {
        try {
            return Scrape.of(get("/metrics", PROTOBUF).body());
        } catch (IOException e) {
            String what =
                    process.isAlive()
                            ? "the canary's /metrics does not answer: " + e
                            : "the canary has ended";
            throw new UncheckedIOException(
                    what + "\n" + String.join("\n", process.logExcerpt(LINES_SHOWN)), e);
        }
    }

    private HttpResponse<byte[]> get(String path, String accept)
            throws IOException, InterruptedException {
        return client.send(
                HttpRequest.newBuilder(URI.create(base + path))
                        .timeout(Duration.ofSeconds(20))
                        .header("Accept", accept)
                        .build(),
                HttpResponse.BodyHandlers.ofByteArray());
    }

    /** Its process id. */
    public long pid() {
        return process.pid();
    }

    @Override
    public void close() {
        process.close();
    }
}
