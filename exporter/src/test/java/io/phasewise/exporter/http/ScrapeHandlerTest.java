/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.common.http.HttpEndpoint;
import io.phasewise.lab.junit.ScrapedPage;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ScrapeHandlerTest {
    private final List<String> errors = new CopyOnWriteArrayList<>();
    private final List<String> infos = new CopyOnWriteArrayList<>();
    private final HttpClient client = HttpClient.newHttpClient();
    private final AtomicLong clock = new AtomicLong();
    private HttpEndpoint endpoint;
    private volatile double beansError;

    @BeforeEach
    void serve() throws IOException {
        MultiCollector beans = () -> new MetricSnapshots(GaugeSnapshot.builder()
                .name("jmx_scrape_error")
                .dataPoint(GaugeDataPointSnapshot.builder().value(beansError).build())
                .build());
        endpoint = HttpEndpoint.named("test")
                .get(
                        "/metrics",
                        new ScrapeHandler(
                                new PrometheusRegistry(), () -> List.of(beans), clock::get, errors::add, infos::add))
                .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        endpoint.start();
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

    /** Of a scrape after the last answer has grown too old to be given again. */
    private double scrapeErrors() throws Exception {
        clock.addAndGet(Duration.ofSeconds(2).toNanos());
        URI uri = URI.create("http://127.0.0.1:" + endpoint.port() + "/metrics");
        String page = client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
                .body();
        return ScrapedPage.of(page).value("kafka_exporter_scrape_errors_total");
    }
}
