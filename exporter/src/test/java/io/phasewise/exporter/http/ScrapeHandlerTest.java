/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.common.http.HttpEndpoint;
import io.phasewise.lab.junit.ScrapedPage;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScrapeHandlerTest {
    private final List<String> errors = new CopyOnWriteArrayList<>();
    private final List<String> infos = new CopyOnWriteArrayList<>();
    private final HttpClient client = HttpClient.newHttpClient();
    private final AtomicLong clock = new AtomicLong();
    private final CountDownLatch slowness = new CountDownLatch(1);
    private HttpEndpoint endpoint;
    private volatile double beansError;
    private volatile long beansMillis;

    @BeforeEach
    void serve() throws IOException {
        endpoint = serve(clock::get);
    }

    private HttpEndpoint serve(LongSupplier nanoClock) throws IOException {
        HttpEndpoint served = HttpEndpoint.named("test")
                .get(
                        "/metrics",
                        new ScrapeHandler(
                                new PrometheusRegistry(),
                                () -> List.of(this::beans),
                                nanoClock,
                                errors::add,
                                infos::add))
                .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        served.start();
        return served;
    }

    private MetricSnapshots beans() {
        try {
            slowness.await(beansMillis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return new MetricSnapshots(GaugeSnapshot.builder()
                .name("jmx_scrape_error")
                .dataPoint(GaugeDataPointSnapshot.builder().value(beansError).build())
                .build());
    }

    @AfterEach
    void stop() {
        endpoint.close();
    }

    /** The JMX exporter's collector swallows what a rule throws, and all of its metrics are gone. */
    @Test
    void aScrapeWithoutBeansIsCountedAndSaidOnceAndItsEndIsGoodNews() throws Exception {
        assertThat(scrapeErrors()).isZero();
        beansError = 1;
        scrapeErrors();
        scrapeErrors();
        assertThat(scrapeErrors()).isGreaterThanOrEqualTo(2);
        assertThat(errors)
                .containsExactly("a scrape is incomplete: reading beans by the rules failed (jmx_scrape_error is 1)");
        assertThat(infos).isEmpty();

        beansError = 0;
        scrapeErrors();

        assertThat(errors).hasSize(1);
        assertThat(infos).containsExactly("scrapes are complete again");
    }

    /** A bound of nothing would make every page incomplete, and others get the same page. */
    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "NaN", "-Infinity", "Infinity", "1e-9", "soon"})
    void aTimeoutThatMakesNoSenseLeavesTheScrapeComplete(String timeout) throws Exception {
        assertThat(scrapeErrors(timeout)).isZero();
        assertThat(scrapeErrors(timeout)).isZero();
        assertThat(errors).isEmpty();
    }

    @Test
    void whoHardlyWaitsDoesNotMakeThePageIncompleteForThoseWhoWaitLonger() throws Exception {
        beansMillis = 1_000;
        assertThat(scrapeErrors("10")).isZero();
        scrapeErrors("1");
        assertThat(errors).isEmpty();

        clock.addAndGet(Duration.ofMinutes(2).toNanos());
        scrapeErrors("1");
        assertThat(errors).as("nobody has waited longer for a while").hasSize(1);
    }

    /** Were each timeout a page of its own, the eighth would wait for seven of them. */
    @Test
    @Timeout(60)
    void manyTimeoutsMakeOnePageAndAnotherAddressGetsItSoon() throws Exception {
        beansMillis = 1_000;
        List<Socket> crowd = new ArrayList<>();
        try (HttpEndpoint timed = serve(System::nanoTime)) {
            for (int i = 0; i < 7; i++) {
                crowd.add(ask(timed, "127.0.0.1", 10 + i));
            }
            long began = System.nanoTime();
            try (Socket other = ask(timed, "127.0.0.2", 10)) {
                assertThat(new String(other.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                        .startsWith("HTTP/1.1 200")
                        .contains("jmx_scrape_error");
            }
            // What is being made, a rest of a second, and the next one.
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofMillis(4_500));
        } finally {
            for (Socket each : crowd) {
                each.close();
            }
        }
    }

    private static Socket ask(HttpEndpoint endpoint, String from, int timeout) throws IOException {
        Socket socket = new Socket(InetAddress.getByName("127.0.0.1"), endpoint.port(), InetAddress.getByName(from), 0);
        socket.setSoTimeout(30_000);
        socket.getOutputStream()
                .write(("GET /metrics HTTP/1.1\r\nHost: test\r\nConnection: close\r\n"
                                + "X-Prometheus-Scrape-Timeout-Seconds: " + timeout + "\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    private double scrapeErrors() throws Exception {
        return scrapeErrors("10");
    }

    private double scrapeErrors(String timeout) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + endpoint.port() + "/metrics");
        String page = client.send(
                        HttpRequest.newBuilder(uri)
                                .header("X-Prometheus-Scrape-Timeout-Seconds", timeout)
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .body();
        return ScrapedPage.of(page).value("kafka_exporter_scrape_errors_total");
    }
}
