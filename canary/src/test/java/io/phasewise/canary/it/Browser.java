/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import io.phasewise.lab.process.Programs;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.openqa.selenium.By;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/** The system's Chromium without a window, for tests; what it shows is the test's business. */
final class Browser implements AutoCloseable {
    /**
     * Warns of every Chromium newer than itself; what it looks for is not used here. Held, or lost.
     */
    private final Logger devTools = Logger.getLogger("org.openqa.selenium.devtools.CdpVersionFinder");

    private final ChromeDriver driver;

    private Browser(Path chromium, Path chromedriver, Path directory) {
        devTools.setLevel(Level.SEVERE);
        ChromeOptions options = new ChromeOptions();
        options.setBinary(chromium.toString());
        // A container has neither the kernel features of the sandbox nor much of /dev/shm.
        options.addArguments(
                "--headless=new",
                "--no-sandbox",
                "--disable-dev-shm-usage",
                "--disable-gpu",
                "--window-size=1440,1000",
                "--no-first-run",
                "--disable-background-networking");
        LoggingPreferences logging = new LoggingPreferences();
        logging.enable(LogType.BROWSER, Level.ALL);
        options.setCapability(ChromeOptions.LOGGING_PREFS, logging);
        driver = new ChromeDriver(
                new ChromeDriverService.Builder()
                        .usingDriverExecutable(chromedriver.toFile())
                        // The driver ends Chromium without letting it tidy up.
                        .withEnvironment(Map.of("TMPDIR", directory.toString()))
                        .withSilent(true)
                        .build(),
                options);
        driver.manage().timeouts().scriptTimeout(Duration.ofSeconds(30));
    }

    /**
     * Starts it; empty where Chromium or its driver is not installed.
     *
     * @param directory where it leaves its profile and its sockets; its path has to be short (a
     *     socket's address has at most 107 bytes)
     */
    static Optional<Browser> start(Path directory) {
        Optional<Path> chromium = Programs.find("chromium", System.getenv("PATH"));
        Optional<Path> chromedriver = Programs.find("chromedriver", System.getenv("PATH"));
        return chromium.isPresent() && chromedriver.isPresent()
                ? Optional.of(new Browser(chromium.get(), chromedriver.get(), directory))
                : Optional.empty();
    }

    void open(String url) {
        driver.get(url);
    }

    /** Runs a function's body in the page. */
    Object script(String body, Object... arguments) {
        return driver.executeScript(body, arguments);
    }

    /** The visible text of the first element that the selector finds. */
    String text(String selector) {
        return element(selector).getText();
    }

    WebElement element(String selector) {
        return driver.findElement(By.cssSelector(selector));
    }

    int count(String selector) {
        return driver.findElements(By.cssSelector(selector)).size();
    }

    String title() {
        return driver.getTitle();
    }

    /** Has pages believe that their reader prefers "dark" or "light". */
    void prefer(String scheme) {
        driver.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
    }

    /** What was written to the console, and what the browser complained of, since the last call. */
    List<String> console() {
        List<String> lines = new ArrayList<>();
        driver.manage().logs().get(LogType.BROWSER).forEach(entry -> lines.add(entry.toString()));
        return lines;
    }

    /** Ends it and waits until all its processes are gone: none writes any more. */
    @Override
    public void close() {
        List<ProcessHandle> processes = ProcessHandle.current()
                .descendants()
                .filter(Browser::isOfBrowser)
                .toList();
        driver.quit();
        processes.forEach(
                process -> process.onExit().orTimeout(30, TimeUnit.SECONDS).join());
    }

    private static boolean isOfBrowser(ProcessHandle process) {
        return process.info()
                .command()
                .map(command -> Path.of(command).getFileName().toString().startsWith("chrom"))
                .orElse(false);
    }
}
