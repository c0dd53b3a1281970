/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.phasewise.canary.Canary;
import io.phasewise.canary.config.ConfigLoader;
import io.phasewise.lab.measure.Scrape;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

/**
 * A canary of one cluster within the test's process, which makes its clock the test's, read by way
 * of its web pages; what it measures is the test's business.
 */
final class EmbeddedCanary implements AutoCloseable {
    private final Canary canary;
    private final CanaryPages pages;

    /**
     * Starts it and waits until it is ready.
     *
     * @param cluster the configuration below canary.clusters.it
     * @param nanoClock monotonic nanoseconds
     */
    EmbeddedCanary(Map<String, ?> cluster, LongSupplier nanoClock) throws Exception {
        this(nanoClock, cluster);
        try {
            await("ready").atMost(Duration.ofMinutes(3)).until(pages::ready);
        } catch (RuntimeException e) {
            canary.close();
            throw e;
        }
    }

    /** As the constructor, without waiting for anything. */
    static EmbeddedCanary started(Map<String, ?> cluster, LongSupplier nanoClock) throws Exception {
        return new EmbeddedCanary(nanoClock, cluster);
    }

    private EmbeddedCanary(LongSupplier nanoClock, Map<String, ?> cluster) throws Exception {
        Map<String, ?> all =
                Map.of(
                        "canary",
                        Map.of("http", Map.of("port", 0), "clusters", Map.of("it", cluster)));
        // JSON is YAML.
        canary =
                new Canary(
                        new ConfigLoader(Map.of())
                                .load(new ObjectMapper().writeValueAsString(all), "test")
                                .config(),
                        "test",
                        nanoClock);
        canary.start();
        pages = new CanaryPages("http://127.0.0.1:" + canary.port());
    }

    CanaryPages pages() {
        return pages;
    }

    /** Until so many more probes of a profile are back through each leader. */
    Stretch probes(String profile, int each, int leaders) {
        Scrape from = pages.scrape();
        long fromNanos = System.nanoTime();
        Scrape to =
                pages.awaitProbes(
                        from,
                        each,
                        List.of(PhaseSums.profile(profile)),
                        IntStream.rangeClosed(1, leaders).toArray());
        return new Stretch(from, to, fromNanos, System.nanoTime());
    }

    @Override
    public void close() throws InterruptedException {
        canary.close();
    }
}
