/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import static io.phasewise.canary.it.RunningCanary.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.phasewise.canary.show.status.ClusterStatus;
import io.phasewise.canary.show.status.MadeUpStatus;
import io.phasewise.canary.show.status.MadeUpStatus.MadeUpBroker;
import io.phasewise.canary.show.web.MadeUpServer;
import io.phasewise.canary.show.web.WebServer;
import io.phasewise.canary.supervise.Problem;
import io.phasewise.common.file.JarResource;
import io.phasewise.common.phase.Phase;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;

/**
 * The canary's own page in a real browser, on figures made up here, so that what the page must say
 * is known to the digit.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CanaryPageIT {
    private Browser browser;
    private WebServer server;
    private volatile List<ClusterStatus> clusters = List.of(new MadeUpStatus("prod").make());

    @BeforeAll
    void start(@TempDir Path chromium) throws Exception {
        browser = Browser.start(chromium).orElse(null);
        assumeTrue(
                browser != null,
                "no chromium or no chromedriver in PATH (Debian: apt-get install chromium chromium-driver)");
        server = MadeUpServer.open(new PrometheusRegistry(), () -> clusters);
    }

    @AfterAll
    void stop() {
        if (browser != null) {
            browser.close();
            server.close();
        }
    }

    @BeforeEach
    void oneClusterAndALightTheme() {
        clusters = List.of(new MadeUpStatus("prod").make());
        browser.prefer("light");
    }

    @AfterEach
    void theConsoleIsEmpty() {
        assertThat(browser.console()).isEmpty();
    }

    @Test
    void aBrokersLatencyIsDrawnAsAWholeAndByPhase() {
        open();
        assertThat(browser.count("#c0 .brokers tr[data-key='1'] rect")).isEqualTo(1 + Phase.values().length);
    }

    @Test
    void theFiguresAreThoseOfTheStatus() {
        open();

        assertThat(browser.title()).isEqualTo("SLO recovering · Phasewise canary");
        assertThat(browser.text(".tile.slo")).contains("Recovering", "99 % within 50 ms");
        assertThat(browser.text(".tile.five")).contains("100 %", "0 bad of 1,200 in 5 min");
        assertThat(browser.text(".tile.hour"))
                .contains("98.765 %", "1,235 bad of 100,000 in 60 min, 35 by the canary's own stalls; burn rate 1.23");
        assertThat(browser.text(".tile.leaders")).contains("12.0 to 96.0 ms", "leader 1: 12.0", "leader 2: 96.0 ms");
        assertThat(row("2")).containsSubsequence("96.0", "2.00", "4.00", "72.0", "0.00", "18.0");

        choose("p50");
        assertThat(row("2")).containsSubsequence("48.0", "1.00", "2.00", "36.0", "0.00", "9.00");
        assertThat(browser.text(".brokers caption")).startsWith("Medians").contains("not add up");
        choose("mean");
        assertThat(row("2")).containsSubsequence("54.0", "40.5", "0.00", "10.1");

        assertThat(browser.text(".slow tbody"))
                .containsSubsequence(
                        "5 min ago",
                        "301",
                        "request queue 1.00, handler 0.50, append 18.7, follower 2 after 2.00,"
                                + " follower 3 after 90.0, committed after 90.4, answer 1.00",
                        "late, canary stalled for 40",
                        "feed-1-7",
                        "not reported");
        assertThat(browser.text(".undelivered tbody")).contains("lost", "3.00 ms", "never", "feed-1-8");
        assertThat(row("3")).contains("address unknown, does not lead partition 2", "–");
        String details = "cluster id|Vk3xQ|topic|phasewise-canary, 3 partitions, 3 replicas|acks|all"
                + "|linger ms|0|seed of the schedule|42|lanes|4";
        assertThat(browser.text("dl")).containsSubsequence(details.split("\\|"));
        assertThat(browser.text("h1")).contains("1.2.3, site fra-1, up since 2026-01-02T03:04Z");
    }

    @Test
    void whoIsSuspectedIsSaidInTheCanarysOwnWords() {
        clusters = List.of(new MadeUpStatus("prod").make(), new MadeUpStatus("other").make());
        open();
        assertThat(browser.text("#c0 .suspects"))
                .isEqualTo(MadeUpStatus.suspects("prod").sentence());
        assertThat(browser.script("return document.querySelector('#c1 .suspects').hidden"))
                .isEqualTo(true);
    }

    /** A leader that waits for its follower is as slow as the follower. */
    @Test
    void noTilePointsAtABroker() {
        open();
        assertThat(browser.text(".tiles"))
                .doesNotContainIgnoringCase("slowest")
                .doesNotContainIgnoringCase("worst")
                .doesNotContain("broker");
    }

    @Test
    void barsAreAsLongAsTheirFigures() {
        open();
        // The longest is 96 ms, so the scale ends at 100 ms.
        assertThat(browser.text(".brokers th.g")).endsWith("100 ms");
        assertThat(bar(2, "commit", "width")).isEqualTo("72.000%");
        assertThat(bar(2, "commit", "x")).as("percentiles are not stacked").isEqualTo("0.000%");
        assertThat(bar(2, "all", "width")).isEqualTo("96.000%");

        choose("mean");
        assertThat(bar(2, "commit", "x"))
                .as("means are: produce and publish come before")
                .isEqualTo("3.375%");
    }

    @Test
    void newFiguresAppearWithoutReloading() {
        open();
        browser.script("window.before = true");
        ClusterStatus slower = new MadeUpStatus("prod")
                .brokers(new MadeUpBroker(1, 0, true, 0.033))
                .make();
        clusters = List.of(slower);
        await("the next look", () -> row("1").contains("33.0") && row("1").contains("host1:9092"));
        assertThat(browser.script("return window.before")).isEqualTo(true);

        clusters = List.of(new MadeUpStatus("other").make(), slower);
        await("another cluster is another section", () -> browser.text("nav").equals("cluster other · cluster prod"));
        assertThat(browser.count("section")).isEqualTo(2);
        assertThat(browser.script("return window.before")).isEqualTo(true);
    }

    @Test
    void whatOthersWroteIsTextForTheScriptToo() {
        String evil = "<img src=x onerror='document.title=1'>";
        clusters = List.of(new MadeUpStatus(evil).make());
        open();
        clusters = List.of(
                new MadeUpStatus(evil).problems(new Problem("key", evil + evil)).make());

        await("the problem is shown", () -> browser.text(".problems").equals("key: " + evil + evil));
        assertThat(browser.text("h2")).startsWith(evil);
        assertThat(browser.count("img")).isZero();
    }

    @Test
    void everythingCanBeReachedAndChangedByTheKeyboard() {
        open();
        browser.element("body").sendKeys(Keys.TAB);
        assertThat(focused()).isEqualTo("Skip to the figures");
        browser.element("input[value=p99]").sendKeys(Keys.ARROW_LEFT);
        assertThat(browser.text(".brokers caption")).startsWith("Medians");
        browser.element("input[value=p50]").sendKeys(Keys.ARROW_RIGHT);
        browser.element("#pause").sendKeys(Keys.ENTER);
        assertThat(browser.text("#pause")).isEqualTo("Resume");
        assertThat(browser.text("#live")).isEqualTo("paused at");
        assertThat(browser.count(".scroll"))
                .as("tables that scroll can have the focus")
                .isEqualTo(browser.count(".scroll[tabindex='0'][aria-label]"));
    }

    @Test
    void textStandsOutFromItsBackgroundInBothThemes() {
        for (String scheme : List.of("light", "dark")) {
            browser.prefer(scheme);
            open();
            String weak = JarResource.text(CanaryPageIT.class, "contrast.js");
            assertThat(browser.script(weak)).as(scheme).isEqualTo(List.of());
        }
    }

    /** As its reader finds it who has chosen nothing yet. */
    private void open() {
        String url = "http://127.0.0.1:" + server.port() + "/";
        browser.open(url);
        if (browser.script(FORGET_CHOICES).equals(true)) {
            browser.open(url);
        }
        await("the script has drawn", () -> browser.script("return document.documentElement.dataset.at") != null);
    }

    private static final String FORGET_CHOICES = """
            const any = sessionStorage.length > 0;
            sessionStorage.clear();
            return any;
            """;

    private String row(String broker) {
        return browser.text(".brokers tr[data-key='" + broker + "']");
    }

    private void choose(String value) {
        browser.script("document.querySelector('input[value=' + arguments[0] + ']').click()", value);
    }

    private Object focused() {
        return browser.script("return document.activeElement.textContent");
    }

    private String bar(int broker, String part, String attribute) {
        String rect = ".brokers tr[data-key='%d'] rect.%s".formatted(broker, part);
        return browser.element(rect).getDomAttribute(attribute);
    }
}
