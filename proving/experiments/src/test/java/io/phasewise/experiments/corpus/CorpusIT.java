/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.corpus;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.phasewise.experiments.cluster.ClusterSpec;
import io.phasewise.experiments.cluster.LabCluster;
import io.phasewise.experiments.fault.ActiveFault;
import io.phasewise.experiments.fault.ActiveFaults;
import io.phasewise.experiments.fault.Fault;
import io.phasewise.experiments.fault.FaultTarget;
import io.phasewise.experiments.fault.debugger.Debugger;
import io.phasewise.experiments.measure.CanaryProcess;
import io.phasewise.lab.measure.StandaloneCanary;
import io.phasewise.lab.net.PortLease;
import io.phasewise.lab.stack.CanaryJvm;
import io.phasewise.lab.stack.Installation;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Records cases of the corpus on real brokers, in place of the recordings that are there: {@code proving/corpus --renew}.
 * Cases with the same layout share a cluster, one after the other. What is recorded is judged by {@link CorpusTest}.
 */
@Tag("long")
@EnabledIfSystemProperty(named = "corpus.renew", matches = ".+")
class CorpusIT {
    private static final Path ROOT = Path.of(System.getProperty("phasewise.root"));
    private static final Path CORPUS = ROOT.resolve("proving/experiments/src/test/resources/corpus");

    /** Names of cases, or {@code all}. */
    private static final List<String> WANTED =
            List.of(System.getProperty("corpus.renew", "").split(","));

    private static final Duration WARM_UP = Duration.ofSeconds(20);
    private static final Duration QUIET = Duration.ofSeconds(20);
    private static final Duration AFTER = Duration.ofSeconds(8);
    private static final Duration RECOVERS = Duration.ofSeconds(60);
    private static final long MOST_BYTES = 500_000;

    private final List<String> notRecorded = new ArrayList<>();

    @Test
    void record(@TempDir Path directory) throws Exception {
        Map<String, List<Case>> byLayout = new TreeMap<>();
        Case.all(CORPUS).stream()
                .filter(each -> WANTED.contains("all") || WANTED.contains(each.name()))
                .forEach(each -> byLayout.computeIfAbsent(key(each), key -> new ArrayList<>())
                        .add(each));
        assertThat(byLayout).as("cases of %s", WANTED).isNotEmpty();
        for (List<Case> cases : byLayout.values()) {
            record(Files.createTempDirectory(directory, "cluster"), cases);
        }
        assertThat(notRecorded).isEmpty();
    }

    private static String key(Case of) {
        return of.layout() + " " + of.settings();
    }

    private void record(Path directory, List<Case> cases) throws Exception {
        ClusterSpec layout = cases.get(0).layout();
        Path raw = directory.resolve("recording");
        try (PortLease debugger = PortLease.take(1);
                LabCluster brokers = LabCluster.start(ROOT, directory, layout, builder -> builder.shortLived());
                CanaryProcess canary = canary(brokers, cases.get(0), directory, raw, debugger.port(0))) {
            FaultTarget target = FaultTarget.of(brokers.kafka(), canary);
            Thread.sleep(WARM_UP.toMillis());
            for (Case each : cases) {
                Optional<String> obstacle = obstacle(each, directory);
                try {
                    if (obstacle.isEmpty()) {
                        record(each, target, raw);
                    }
                } catch (IOException | RuntimeException failed) {
                    obstacle = Optional.of(failed.toString()); // the next one may succeed all the same
                }
                obstacle.ifPresent(why -> notRecorded.add(each.name() + ": " + why));
            }
        }
    }

    private static Optional<String> obstacle(Case of, Path data) throws InterruptedException {
        for (Fault fault : of.faults()) {
            Optional<String> obstacle = fault.obstacle(data);
            if (obstacle.isPresent()) {
                return obstacle;
            }
        }
        return Optional.empty();
    }

    private static CanaryProcess canary(LabCluster brokers, Case of, Path directory, Path raw, int debugger)
            throws IOException, InterruptedException {
        Map<String, String> addresses = new TreeMap<>();
        brokers.kafka().brokers().forEach(each -> addresses.put("" + each.id(), brokers.exporter(each.id())));
        List<Map<String, Object>> settings = new ArrayList<>();
        settings.add(Map.of("exporters", Map.of("addresses", addresses)));
        if (of.settings() != null) {
            settings.add(new ObjectMapper().convertValue(of.settings(), new TypeReference<>() {}));
        }
        List<String> options = new ArrayList<>(CanaryJvm.options());
        options.add("-D" + RecordingCanary.FILE + "=" + raw);
        options.add(Debugger.listening(debugger));
        return new CanaryProcess(StandaloneCanary.start(
                jar(directory),
                directory.resolve("canary"),
                CanaryProcess.configuration(brokers.kafka().bootstrap(), settings),
                options));
    }

    /** A jar with nothing but the names of two others: of the canary's, and of these classes. */
    private static Path jar(Path directory) throws IOException {
        Manifest manifest = new Manifest();
        Path own = ROOT.resolve("proving/experiments/target/test-classes");
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, RecordingCanary.class.getName());
        manifest.getMainAttributes()
                .put(
                        Attributes.Name.CLASS_PATH,
                        new Installation(ROOT).canaryJar().toUri() + " " + own.toUri());
        Path jar = directory.resolve("recording-canary.jar");
        try (OutputStream file = Files.newOutputStream(jar)) {
            new JarOutputStream(file, manifest).close();
        }
        return jar;
    }

    private static void record(Case of, FaultTarget target, Path raw) throws Exception {
        try (ActiveFault given = ActiveFaults.begin(of.given(), target)) {
            awaitNobody(target.canaries().get(0));
            long from = System.nanoTime();
            Thread.sleep(QUIET.toMillis());
            long begins = System.nanoTime();
            long ends;
            try (ActiveFault fault = ActiveFaults.begin(of.faults(), target)) {
                Thread.sleep(of.holds().toMillis());
                ends = System.nanoTime();
            }
            Thread.sleep(AFTER.toMillis());
            List<Event> kept = Recordings.cut(Recordings.ofCanary(raw), from, begins, ends, System.nanoTime());
            Path file = of.recording(CORPUS);
            Recordings.write(file, kept);
            System.out.printf("%s: %d events, %d bytes%n", of.name(), kept.size(), Files.size(file));
            if (Files.size(file) > MOST_BYTES) {
                throw new IOException(file + " has more than " + MOST_BYTES + " bytes");
            }
        }
    }

    /**
     * A case begins when nobody is named for the one before it.
     *
     * @throws IllegalStateException when somebody still is after {@link #RECOVERS}: the case is not recorded
     */
    private static void awaitNobody(CanaryProcess canary) throws Exception {
        long bound = System.nanoTime() + RECOVERS.toNanos();
        while (canary.scrape().find("kafka_canary_suspect_seconds").findAny().isPresent()) {
            if (System.nanoTime() - bound >= 0) {
                throw new IllegalStateException("somebody is still named " + RECOVERS.toSeconds() + " s later");
            }
            Thread.sleep(1_000);
        }
    }
}
