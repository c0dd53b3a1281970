/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.experiments.fault.BrokerSetting;
import io.phasewise.experiments.fault.BusyHandlers;
import io.phasewise.experiments.fault.Fault;
import io.phasewise.experiments.fault.StallingBroker;
import io.phasewise.lab.fault.SlowDisk;
import io.phasewise.lab.fault.Way;
import io.phasewise.lab.kafka.KafkaBroker;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Faults whose kind, broker and size are drawn: is the right broker named, in the right role and
 * phase? What is drawn is decided by {@link #SEED} alone; what counts as right, by {@link Kind}.
 */
@Tag("long")
class RandomFaultsIT {
    private static final long SEED = 26;

    /** All of the matrix' fifty and fifteen take two hours; so many do every time. */
    private static final int FAULTS = Integer.getInteger("faults.count", 4);

    private static final int PLACEBOS = Integer.getInteger("faults.placebos", 1);

    /** Of what is drawn, the first ones that are left out. */
    private static final int SKIPPED = Integer.getInteger("faults.skipped", 0);

    private static final Duration HOLDS = Duration.ofSeconds(60);
    private static final Duration RECOVERS = Duration.ofSeconds(30);

    /** Brokers, canary and Prometheus are new, and slow at first. */
    private static final Duration WARM_UP = Duration.ofSeconds(150);

    /** A minute's mean forgets what was a minute ago. */
    private static final Duration FORGETS = Duration.ofSeconds(90);

    private static final int BROKERS = 3;
    private static final Path ROOT = Path.of(System.getProperty("phasewise.root"));

    /** Of faults, and as whom each may be named; the first is what it is. */
    private enum Kind {
        STANDS_STILL("process/publish", "process/commit", "follower/commit"),
        REQUESTS_LATE("network/publish"),
        ANSWERS_LATE("network/fetch"),
        FOLLOWERS_LATE("network/commit"),
        HANDLERS_BUSY("handlers/publish", "handlers/commit"),
        DISK_SLOW("disk/publish", "disk/commit"),
        PLACEBO;

        final Set<String> right;

        Kind(String... right) {
            this.right = Set.of(right);
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

        Fault.Broken begin(Scene scene) throws Exception {
            return switch (kind) {
                case STANDS_STILL ->
                        new StallingBroker(broker, Duration.ofMillis(4L * size), STALL)
                                .begin(scene);
                case REQUESTS_LATE -> later(scene.cluster().clientLink(broker).there());
                case ANSWERS_LATE -> later(scene.cluster().clientLink(broker).back());
                case FOLLOWERS_LATE -> later(scene.cluster().replicationLink(broker).back());
                case HANDLERS_BUSY -> new BusyHandlers(broker, 40, 50_000).begin(scene);
                case DISK_SLOW -> slowDisk(scene);
                case PLACEBO -> () -> {};
            };
        }

        private static final Duration STALL = Duration.ofSeconds(2);

        private Fault.Broken later(Way way) {
            way.delay(Duration.ofMillis(size));
            return () -> way.delay(Duration.ZERO);
        }

        private Fault.Broken slowDisk(Scene scene) throws Exception {
            KafkaBroker slow = scene.cluster().broker(broker);
            SlowDisk disk = SlowDisk.begin(slow.pid(), slow.dataDirectory(), 60);
            return disk::close;
        }
    }

    /** Faults are drawn first: the same ones in the same order, however many. */
    private static List<Drawn> drawn() {
        Random random = new Random(SEED);
        List<Kind> kinds = new ArrayList<>(List.of(Kind.values()));
        kinds.remove(Kind.PLACEBO);
        List<Drawn> all = new ArrayList<>();
        for (int i = 0; i < FAULTS; i++) {
            all.add(
                    new Drawn(
                            kinds.get(random.nextInt(kinds.size())),
                            1 + random.nextInt(BROKERS),
                            50 + random.nextInt(151)));
        }
        for (int i = 0; i < PLACEBOS; i++) {
            all.add(random.nextInt(all.size() + 1), new Drawn(Kind.PLACEBO, 0, 0));
        }
        return all.subList(SKIPPED, all.size());
    }

    @Test
    void whoIsNamed(@TempDir Path directory) throws Exception {
        assertThat(SlowDisk.obstacle(directory)).isEmpty();
        int faults = 0;
        int right = 0;
        int placebosNamed = 0;
        List<String> wrong = new ArrayList<>();
        StringBuilder table =
                new StringBuilder(
                        "| fault | first named rightly after | named at the end |  |\n"
                                + "|---|---|---|---|\n");
        try (Scene scene = Scene.start(ROOT, directory, true, Optional.empty(), false)) {
            Monitoring monitoring = scene.monitoring().orElseThrow();
            // So that a slow disk is felt: else only the operating system waits for it.
            try (Fault.Broken flushed = BrokerSetting.FLUSHED_LOGS.begin(scene)) {
                Thread.sleep(WARM_UP.toMillis());
                for (Drawn each : drawn()) {
                    awaitNobody(monitoring);
                    Map<String, Double> named = Map.of();
                    double after = Double.NaN;
                    long begun = System.nanoTime();
                    try (Fault.Broken fault = each.begin(scene)) {
                        long end = System.nanoTime() + HOLDS.toNanos();
                        while (System.nanoTime() < end) {
                            Thread.sleep(1_000);
                            named = monitoring.suspects();
                            if (Double.isNaN(after) && right(each, named)) {
                                after = (System.nanoTime() - begun) / 1e9;
                            }
                        }
                    }
                    String verdict = verdict(each, named);
                    faults += each.kind() == Kind.PLACEBO ? 0 : 1;
                    right += verdict.equals("right") && each.kind() != Kind.PLACEBO ? 1 : 0;
                    placebosNamed += each.kind() == Kind.PLACEBO && !named.isEmpty() ? 1 : 0;
                    if (verdict.equals("wrong")) {
                        wrong.add(each + ": " + named);
                    }
                    String line =
                            String.format(
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
            Files.writeString(ROOT.resolve("lab/experiments/target/random-faults.md"), table);
        }
        assertThat(wrong).as("%s", table).isEmpty();
        assertThat(placebosNamed).as("%s", table).isZero();
        assertThat(right).as("%s", table).isGreaterThanOrEqualTo((int) Math.ceil(0.9 * faults));
    }

    /** A fault is judged by itself: nobody is named any more for the one before. */
    private static void awaitNobody(Monitoring monitoring) throws Exception {
        long bound = System.nanoTime() + FORGETS.toNanos();
        while (!monitoring.suspects().isEmpty() && System.nanoTime() < bound) {
            Thread.sleep(1_000);
        }
    }

    private static boolean right(Drawn fault, Map<String, Double> named) {
        return top(named)
                .filter(first -> first.startsWith(fault.broker() + " "))
                .filter(first -> fault.kind().right.contains(first.substring(2)))
                .isPresent();
    }

    /**
     * Wrong is another broker than the fault's; nobody, or the broker for another reason, is a
     * miss.
     */
    private static String verdict(Drawn fault, Map<String, Double> named) {
        if (fault.kind() == Kind.PLACEBO) {
            return named.isEmpty() ? "right" : "wrong";
        }
        if (right(fault, named)) {
            return "right";
        }
        return top(named)
                        .filter(first -> !first.startsWith("several "))
                        .filter(first -> !first.startsWith(fault.broker() + " "))
                        .isPresent()
                ? "wrong"
                : "missed";
    }

    /** They come the longest first. */
    private static Optional<String> top(Map<String, Double> named) {
        return named.keySet().stream().findFirst();
    }

    private static String text(Map<String, Double> named) {
        List<String> all = new ArrayList<>();
        named.forEach((who, seconds) -> all.add(who + " " + Math.round(1e3 * seconds) + " ms"));
        return all.isEmpty() ? "nobody" : String.join(", ", all);
    }
}
