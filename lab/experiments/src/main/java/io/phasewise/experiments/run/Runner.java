/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.run;

import io.phasewise.experiments.fault.Fault;
import io.phasewise.experiments.measure.CanaryProcess;
import io.phasewise.experiments.measure.ProbeRecord;
import io.phasewise.experiments.measure.Scrape;
import io.phasewise.experiments.plan.Load;
import io.phasewise.experiments.plan.Pace;
import io.phasewise.experiments.plan.Plan;
import io.phasewise.experiments.plan.UsageException;
import io.phasewise.experiments.plan.Variant;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * Gives every variant its turns, interleaved: a first turn of each, then a second of each in
 * another order, and so on, so that whatever drifts on the machine meets all alike. What the turns
 * say is left to the statistics.
 *
 * <p>The canary runs on from one variant to the next where its settings do not differ, and is
 * another process where they do. The warm-up is cut from every turn either way.
 */
public final class Runner {
    private static final Duration ADMIN_BOUND = Duration.ofSeconds(30);

    /** Probes that are due at a turn's end get so long to come back. */
    private static final Duration LAST_PROBES = Duration.ofSeconds(3);

    private final Path canaryJar;
    private final Path directory;
    private final Target target;
    private final Consumer<String> progress;
    private CanaryProcess canary;
    private Map<String, Object> settings;
    private final Set<String> topics = new TreeSet<>();

    /**
     * @param canaryJar the canary's
     * @param directory for files of the run
     * @param target what to measure
     * @param progress takes a line now and then
     */
    public Runner(Path canaryJar, Path directory, Target target, Consumer<String> progress) {
        this.canaryJar = canaryJar;
        this.directory = directory;
        this.target = target;
        this.progress = progress;
    }

    /**
     * Runs all turns.
     *
     * @throws UsageException when a fault is asked for on a cluster that is not the lab's
     * @throws IOException when a process cannot be started or asked
     * @throws InterruptedException when interrupted; nothing stays broken, nothing is left running
     */
    public List<Turn> run(Plan plan, Pace pace)
            throws UsageException, IOException, InterruptedException {
        List<Turn> turns = new ArrayList<>();
        int variants = plan.variants().size();
        try {
            progress.accept("settling");
            canary(plan.variants().get(0), pace);
            Thread.sleep(pace.settle().toMillis());
            for (int repeat = 0; repeat < pace.repeats(); repeat++) {
                for (int i = 0; i < variants; i++) {
                    Variant variant = plan.variants().get((repeat + i) % variants);
                    progress.accept(
                            String.format(
                                    "[%d/%d] %s",
                                    turns.size() + 1, pace.repeats() * variants, variant.name()));
                    turns.add(turn(plan, variant, repeat, pace));
                }
            }
        } finally {
            end();
        }
        return turns;
    }

    private Turn turn(Plan plan, Variant variant, int repeat, Pace pace)
            throws UsageException, IOException, InterruptedException {
        canary(variant, pace);
        List<BackgroundLoad> loads = new ArrayList<>();
        Optional<Fault.Broken> broken = Optional.empty();
        try {
            for (Load load : variant.loads()) {
                BackgroundLoad background =
                        BackgroundLoad.start(load, loads.size(), target.client());
                loads.add(background);
                topics.add(background.topic());
            }
            if (variant.fault().isPresent()) {
                broken = Optional.of(variant.fault().get().begin(target.toBreak(), canary));
            }
            Thread.sleep(pace.warmUp().toMillis());
            Scrape before = canary.scrape();
            List<Scrape> brokersBefore = exporters();
            ProcessorTime processors = ProcessorTime.now();
            long records = loads.stream().mapToLong(BackgroundLoad::acknowledged).sum();
            Instant from = Instant.now();
            Thread.sleep(pace.measured().toMillis());
            Instant to = Instant.now();
            double seconds = Duration.between(from, to).toNanos() / 1e9;
            double share = ProcessorTime.now().shareSince(processors);
            List<Scrape> brokersAfter = exporters();
            double acknowledged =
                    loads.stream().mapToLong(BackgroundLoad::acknowledged).sum() - records;
            Thread.sleep(LAST_PROBES.toMillis());
            Scrape after = canary.scrape();
            long unseen =
                    Math.round(
                            after.grown(before, "kafka_canary_probes_total", "outcome=\"lost\"")
                                    + after.grown(
                                            before,
                                            "kafka_canary_probes_total",
                                            "outcome=\"send_failed\""));
            List<ProbeRecord> probes =
                    canary.probes(from, to).stream()
                            .filter(probe -> plan.compares(probe.leader()))
                            .toList();
            return new Turn(
                    variant.name(),
                    repeat,
                    from,
                    to,
                    probes,
                    unseen,
                    circumstances(brokersBefore, brokersAfter, seconds, acknowledged, share));
        } finally {
            try {
                if (broken.isPresent()) {
                    broken.get().close();
                }
            } finally {
                loads.forEach(BackgroundLoad::close);
            }
        }
    }

    /** Nothing where one is down, as brokers are while they are restarted. */
    private List<Scrape> exporters() throws InterruptedException {
        try {
            return target.exporters();
        } catch (IOException down) {
            return List.of();
        }
    }

    private static Circumstances circumstances(
            List<Scrape> before,
            List<Scrape> after,
            double seconds,
            double records,
            double processorShare) {
        boolean told = !after.isEmpty() && before.size() == after.size();
        double requests = told ? 0 : Double.NaN;
        double waited = requests;
        for (int i = 0; told && i < after.size(); i++) {
            String name = "kafka_request_phase_seconds";
            String produce = "request=\"Produce\"";
            requests +=
                    after.get(i).grown(before.get(i), name + "_count", produce, "phase=\"total\"");
            waited +=
                    after.get(i)
                            .grown(
                                    before.get(i),
                                    name + "_sum",
                                    produce,
                                    "phase=\"request_queue\"");
        }
        if (requests < 0) {
            // A broker that was started anew counts from zero.
            requests = Double.NaN;
        }
        return new Circumstances(
                requests / seconds, waited / requests * 1e3, records / seconds, processorShare);
    }

    /** Another canary where the settings differ from those of the one that runs. */
    private void canary(Variant variant, Pace pace) throws IOException, InterruptedException {
        if (canary != null && variant.canary().equals(settings)) {
            return;
        }
        if (canary != null) {
            canary.close();
        }
        Map<String, Object> given = new HashMap<>(variant.canary());
        String topic = Target.TOPICS + variant.name().replaceAll("[^A-Za-z0-9]+", "-");
        topics.add(topic);
        given.merge("topic", Map.of("name", topic), Runner::both);
        given.merge("probe", Map.of("seed", pace.seed()), Runner::both);
        Map<String, Object> client = target.client();
        client.remove("bootstrap.servers");
        given.merge("client", client, Runner::both);
        canary =
                CanaryProcess.start(
                        canaryJar,
                        Files.createTempDirectory(directory, "canary"),
                        CanaryProcess.configuration(target.bootstrap(), pace.rate(), given));
        settings = variant.canary();
    }

    private static Object both(Object given, Object added) {
        Map<Object, Object> all = new HashMap<>((Map<?, ?>) added);
        all.putAll((Map<?, ?>) given);
        return all;
    }

    private void end() throws InterruptedException {
        if (canary != null) {
            canary.close();
            canary = null;
        }
        if (target.own().isEmpty()) {
            deleteTopics();
        }
    }

    /** On somebody else's cluster nothing is left behind. */
    private void deleteTopics() throws InterruptedException {
        try (Admin admin = Admin.create(target.client())) {
            for (String topic : topics) {
                try {
                    admin.deleteTopics(Set.of(topic))
                            .all()
                            .get(ADMIN_BOUND.toSeconds(), TimeUnit.SECONDS);
                } catch (ExecutionException | TimeoutException e) {
                    if (!(e.getCause() instanceof UnknownTopicOrPartitionException)) {
                        progress.accept("topic " + topic + " could not be deleted: " + e);
                    }
                }
            }
        }
    }
}
