/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.experiments.fault.ActiveFault;
import io.phasewise.experiments.fault.Fault;
import io.phasewise.experiments.fault.host.SlowBrokerDisk;
import io.phasewise.experiments.fault.network.SlowPath;
import io.phasewise.experiments.fault.overload.BusyHandlers;
import io.phasewise.experiments.fault.pause.StallingBroker;
import io.phasewise.experiments.matrix.row.Row;
import io.phasewise.experiments.matrix.row.Suspect;
import io.phasewise.experiments.matrix.scene.Monitoring;
import io.phasewise.experiments.matrix.scene.Scene;
import io.phasewise.lab.fault.SlowDisk;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Faults whose kind, broker and size are drawn: is the right broker named, in the right role and
 * phase? What is drawn is decided by {@link #SEED} alone; what counts as right, by the rows of the
 * matrix.
 */
@Tag("long")
class RandomFaultsIT {
    private static final long SEED = 26;

    /** All of the matrix' fifty and fifteen take two hours; so many do every time. */
    private static final int FAULTS = Integer.getInteger("faults.count", 4);

    private static final int PLACEBOS = Integer.getInteger("faults.placebos", 1);

    /** Of what is drawn, the first ones that are left out. */
    private static final int SKIPPED = Integer.getInteger("faults.skipped", 0);

    /** Of what is left then, the first so many: two halves can run beside each other. */
    private static final int TAKEN = Integer.getInteger("faults.taken", Integer.MAX_VALUE);

    private static final Duration HOLDS = Duration.ofSeconds(60);
    private static final Duration RECOVERS = Duration.ofSeconds(30);

    /** Brokers, canary and Prometheus are new, and slow at first. */
    private static final Duration WARM_UP = Duration.ofSeconds(150);

    /** A name ends half a minute after the last probe that waited. */
    private static final Duration FORGETS = Duration.ofSeconds(90);

    private static final int BROKERS = 3;
    private static final Path ROOT = Path.of(System.getProperty("phasewise.root"));

    private static final Duration STALL = Duration.ofSeconds(2);
    private static final Map<String, Row> ROWS =
            Row.all().stream().collect(Collectors.toMap(Row::name, Function.identity()));

    /** Of faults; as whom each must be named, a row of the matrix declares. */
    private enum Kind {
        STANDS_STILL("leader-stalls"),
        REQUESTS_LATE("delay-to-leader"),
        ANSWERS_LATE("delay-from-leader"),
        FOLLOWERS_LATE("delay-replication"),
        HANDLERS_BUSY("handlers-busy"),
        DISK_SLOW("disk-starved"),
        PLACEBO("nothing");

        final String row;

        Kind(String row) {
            this.row = row;
        }

        /** Who must be named where it is this broker. */
        List<Suspect> right(int broker) {
            return ROWS.get(row).expect().suspects().must().stream()
                    .map(who -> new Suspect(Integer.toString(broker), who.role(), who.phase()))
                    .toList();
        }
    }

    /**
     * A fault.
     *
     * @param size in milliseconds, where it has one
     */
    private record Drawn(Kind kind, int broker, int size) {
        @Override
        public String toString() {
            return kind.name().toLowerCase(Locale.ROOT).replace('_', ' ')
                    + (kind == Kind.PLACEBO ? "" : ", broker " + broker)
                    + (sized() ? ", " + size + " ms" : "");
        }

        private boolean sized() {
            return kind != Kind.PLACEBO && kind != Kind.HANDLERS_BUSY && kind != Kind.DISK_SLOW;
        }

        Fault fault() {
            return switch (kind) {
                case STANDS_STILL -> new StallingBroker(broker, Duration.ofMillis(4L * size), STALL);
                case REQUESTS_LATE -> late(SlowPath.Path.CLIENTS, SlowPath.Direction.TO_BROKER);
                case ANSWERS_LATE -> late(SlowPath.Path.CLIENTS, SlowPath.Direction.FROM_BROKER);
                case FOLLOWERS_LATE -> late(SlowPath.Path.BROKERS, SlowPath.Direction.FROM_BROKER);
                case HANDLERS_BUSY -> new BusyHandlers(broker, 40, 50_000);
                case DISK_SLOW -> new SlowBrokerDisk(broker, 60);
                case PLACEBO -> target -> () -> {};
            };
        }

        private Fault late(SlowPath.Path path, SlowPath.Direction direction) {
            return new SlowPath(
                    List.of(broker), path, direction, Optional.of(Duration.ofMillis(size)), Optional.empty());
        }
    }

    /** Faults are drawn first: the same ones in the same order, however many. */
    private static List<Drawn> drawn() {
        Random random = new Random(SEED);
        List<Kind> kinds = new ArrayList<>(List.of(Kind.values()));
        kinds.remove(Kind.PLACEBO);
        List<Drawn> all = new ArrayList<>();
        for (int i = 0; i < FAULTS; i++) {
            all.add(new Drawn(
                    kinds.get(random.nextInt(kinds.size())), 1 + random.nextInt(BROKERS), 50 + random.nextInt(151)));
        }
        for (int i = 0; i < PLACEBOS; i++) {
            all.add(random.nextInt(all.size() + 1), new Drawn(Kind.PLACEBO, 0, 0));
        }
        return all.stream().skip(SKIPPED).limit(TAKEN).toList();
    }

    @Test
    void whoIsNamed(@TempDir Path directory) throws Exception {
        assertThat(SlowDisk.obstacle(directory)).isEmpty();
        List<String> verdicts = new ArrayList<>();
        List<String> wrong = new ArrayList<>();
        StringBuilder table =
                new StringBuilder("| fault | first named rightly after | named at the end |  |\n|---|---|---|---|\n");
        try (Scene scene = Scene.start(ROOT, directory, Scene.USUAL)) {
            Monitoring monitoring = scene.monitoring();
            // So that a slow disk is felt: else only the operating system waits for it.
            Fault flushed = ROWS.get("disk-starved").given().get(0);
            try (ActiveFault forcing = flushed.begin(scene.target())) {
                Thread.sleep(WARM_UP.toMillis());
                scene.canary().awaitLearned();
                for (Drawn each : drawn()) {
                    awaitNobody(monitoring);
                    Map<Suspect, Double> named = Map.of();
                    double after = Double.NaN;
                    long begun = System.nanoTime();
                    try (ActiveFault fault = each.fault().begin(scene.target())) {
                        long end = System.nanoTime() + HOLDS.toNanos();
                        while (System.nanoTime() < end) {
                            Thread.sleep(1_000);
                            named = monitoring.waits(Scene.WITH_EXPORTERS);
                            if (Double.isNaN(after) && right(each, named)) {
                                after = (System.nanoTime() - begun) / 1e9;
                            }
                        }
                    }
                    String verdict = verdict(each, named);
                    if (each.kind() != Kind.PLACEBO) {
                        verdicts.add(verdict);
                    }
                    if (verdict.equals("wrong")) {
                        wrong.add(each + ": " + named);
                    }
                    String line = String.format(
                            Locale.ROOT,
                            "| %s | %s | %s | %s |%n",
                            each,
                            Double.isNaN(after) ? "-" : Math.round(after) + " s",
                            text(named),
                            verdict);
                    table.append(line);
                    System.out.print(line);
                    Thread.sleep(RECOVERS.toMillis());
                }
            }
        } finally {
            Files.writeString(ROOT.resolve("proving/experiments/target/random-faults.md"), table);
        }
        assertThat(wrong).as("%s", table).isEmpty();
        assertThat((double) Collections.frequency(verdicts, "right"))
                .as("%s", table)
                .isGreaterThanOrEqualTo(0.9 * verdicts.size());
    }

    /** A fault is judged by itself: nobody is named any more for the one before. */
    private static void awaitNobody(Monitoring monitoring) throws Exception {
        long bound = System.nanoTime() + FORGETS.toNanos();
        while (!monitoring.waits(Scene.WITH_EXPORTERS).isEmpty() && System.nanoTime() < bound) {
            Thread.sleep(1_000);
        }
    }

    private static boolean right(Drawn fault, Map<Suspect, Double> named) {
        return top(named).filter(fault.kind().right(fault.broker())::contains).isPresent();
    }

    /**
     * Wrong is another broker than the fault's; nobody, or the broker for another reason, is a
     * miss.
     */
    private static String verdict(Drawn fault, Map<Suspect, Double> named) {
        if (fault.kind() == Kind.PLACEBO) {
            return named.isEmpty() ? "right" : "wrong";
        }
        if (right(fault, named)) {
            return "right";
        }
        return top(named)
                        .filter(first -> !first.broker().equals(Integer.toString(fault.broker())))
                        .isPresent()
                ? "wrong"
                : "missed";
    }

    /** They come the longest first. */
    private static Optional<Suspect> top(Map<Suspect, Double> named) {
        return named.keySet().stream().findFirst();
    }

    private static String text(Map<Suspect, Double> named) {
        List<String> all = new ArrayList<>();
        named.forEach((who, seconds) -> all.add(who + " " + Math.round(1e3 * seconds) + " ms"));
        return all.isEmpty() ? "nobody" : String.join(", ", all);
    }
}
