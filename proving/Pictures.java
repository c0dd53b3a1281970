/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.phasewise.common.cli.MissingException;
import io.phasewise.common.prometheus.PrometheusClient;
import io.phasewise.common.prometheus.Sample;
import io.phasewise.experiments.cluster.Administration;
import io.phasewise.experiments.fault.overload.BusyHandlers;
import io.phasewise.experiments.fault.ActiveFault;
import io.phasewise.experiments.fault.FaultException;
import io.phasewise.experiments.fault.pause.StallingProcess;
import io.phasewise.lab.fault.SlowDisk;
import io.phasewise.lab.process.Await;
import io.phasewise.lab.process.CommandOutput;
import io.phasewise.lab.process.ManagedProcess;
import io.phasewise.lab.process.ProcessIdentity;
import io.phasewise.lab.process.ProcessSpec;
import io.phasewise.lab.process.Programs;
import io.phasewise.lab.server.GrafanaFinder;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import javax.imageio.ImageIO;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.quota.ClientQuotaAlteration;
import org.apache.kafka.common.quota.ClientQuotaEntity;

/**
 * Takes the pictures of docs/images: starts the local stack with Grafana and a second canary of
 * four small clusters, waits until no alert is pending, then begins faults, one after the other,
 * each long enough for its alerts. proving/pictures runs it.
 *
 * <p>Arguments: the root of the checkout, a directory for the run, then names of pictures; without
 * names, all. proving/pictures stops what was started.
 */
public final class Pictures {
    private static final int WIDTH = 1200;
    private static final String PROMETHEUS = "http://127.0.0.1:9090";
    private static final String CANARY = "http://127.0.0.1:9470";
    private static final String BROKERS = "127.0.0.1:19092";
    private static final Map<String, Object> CLIENT = Map.of("bootstrap.servers", BROKERS);
    private static final String ALERTS = "ALERTS{alertname!=\"Watchdog\"}";
    private static final String BASELINE = "kafka_canary:phase_latency_seconds_by_leader:baseline1d{cluster=\"local\"}";
    private static final List<String> FLEET = List.of("logistics", "orders", "payments", "search");

    /** The first baseline takes 35 minutes. */
    private static final Duration CALM_BOUND = Duration.ofMinutes(75);

    /** Longer than the alert BrokerDegraded needs. */
    private static final Duration FAULT = Duration.ofMinutes(4);

    /** The first tile of the overview looks back five minutes. */
    private static final Duration RECOVERY = Duration.ofMinutes(6);

    private static final Duration COMMAND_BOUND = Duration.ofMinutes(15);

    /**
     * Options of Chromium. A container lacks the kernel features of its sandbox, and has little
     * /dev/shm. Without a time budget the picture is taken before the panels have their data.
     */
    private static final List<String> BROWSER_OPTIONS =
            List.of(("--headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage --hide-scrollbars"
                            + " --disable-background-networking --virtual-time-budget=30000")
                    .split(" "));

    private static final Duration BROWSER_BOUND = Duration.ofMinutes(2);
    private static final Duration PAUSED = Duration.ofMillis(500);
    private static final Duration PERIOD = Duration.ofSeconds(1);
    private static final int WRITES_PER_SECOND = 150;

    /** A quota holds for each broker; this is a little less than what the canary reads from one. */
    private static final double CONSUMER_BYTES_PER_SECOND = 23_000;

    /**
     * One picture.
     *
     * @param name without .png
     * @param url of what it shows; computed when the picture is taken
     * @param top how much is cut off at the top of the page, pixels
     * @param height pixels
     */
    private record Picture(String name, Callable<String> url, int top, int height) {}

    private record Scene(String what, Optional<Callable<ActiveFault>> fault, List<Picture> pictures) {}

    private final Path root;
    private final Path scratch;
    private final Set<String> wanted;
    private final Path chromium;
    private final PrometheusClient prometheus = PrometheusClient.open(URI.create(PROMETHEUS));
    private final List<String> failed = new ArrayList<>();

    private Pictures(Path root, Path scratch, Set<String> wanted, Path chromium) {
        this.root = root;
        this.scratch = scratch;
        this.wanted = wanted;
        this.chromium = chromium;
    }

    public static void main(String[] arguments) throws Exception {
        Optional<Path> chromium = Programs.find("chromium", System.getenv("PATH"));
        if (chromium.isEmpty()) {
            exit(3, "no chromium on PATH. Install it (Debian: apt-get install chromium).");
        }
        try {
            new GrafanaFinder(System.getenv()).find();
        } catch (MissingException missing) {
            exit(3, missing.getMessage());
        }
        List<String> all = List.of(arguments);
        Pictures pictures = new Pictures(
                Path.of(all.get(0)), Path.of(all.get(1)), new TreeSet<>(all.subList(2, all.size())), chromium.get());
        pictures.takeAll();
        if (!pictures.failed.isEmpty()) {
            exit(1, "not taken: " + String.join("; ", pictures.failed));
        }
    }

    private static void exit(int status, String why) {
        System.err.println("proving/pictures: " + why);
        System.exit(status);
    }

    private List<Scene> scenes() {
        return List.of(
                new Scene(
                        "nothing is broken",
                        Optional.empty(),
                        List.of(new Picture("overview-healthy", this::overview, 0, 980))),
                new Scene(
                        "broker 2 is paused for half of each second",
                        Optional.of(this::pauseBroker),
                        List.of(
                                new Picture("overview-slow-follower", this::overview, 0, 980),
                                new Picture("canary-page", () -> CANARY, 0, 800),
                                new Picture("probe-waterfall", () -> CANARY, 500, 500))),
                new Scene(
                        "every record is forced to disk, and broker 1 writes slowly",
                        Optional.of(this::slowDisk),
                        List.of(new Picture("overview-slow-disk", this::overview, 0, 980))),
                new Scene(
                        "broker 3 has one request handler, which is busy",
                        Optional.of(this::busyBroker),
                        List.of(
                                new Picture("overview-saturated-broker", this::overview, 0, 980),
                                new Picture("answer-saturated-broker", this::overview, 0, 546),
                                new Picture("demote-dry-run", this::demotion, 0, 230),
                                new Picture("page", this::newestPage, 0, 370))),
                new Scene(
                        "the canary's consumer has a quota",
                        Optional.of(this::throttledConsumer),
                        List.of(
                                new Picture("overview-lagging-consumer", this::overview, 0, 980),
                                new Picture("fleet", () -> dashboard("fleet", "15m"), 0, 760))),
                new Scene(
                        "all of it is looked back upon",
                        Optional.empty(),
                        List.of(new Picture("capacity-review", this::review, 0, 1100))));
    }

    private void takeAll() throws Exception {
        List<Scene> scenes = scenes();
        Set<String> known = scenes.stream()
                .flatMap(scene -> scene.pictures().stream())
                .map(Picture::name)
                .collect(Collectors.toCollection(TreeSet::new));
        if (!known.containsAll(wanted)) {
            exit(2, "unknown picture among " + wanted + "; allowed: " + known);
        }
        say("starts the stack");
        phasewise("up", "--detach");
        try (ManagedProcess fleet = startFleet()) {
            awaitCalm();
            for (Scene scene : scenes) {
                if (scene.pictures().stream().anyMatch(this::isWanted)) {
                    play(scene);
                }
            }
        }
    }

    private boolean isWanted(Picture picture) {
        return wanted.isEmpty() || wanted.contains(picture.name());
    }

    private void play(Scene scene) throws Exception {
        say(scene.what());
        if (scene.fault().isEmpty()) {
            take(scene);
            return;
        }
        try (ActiveFault broken = scene.fault().get().call()) {
            Thread.sleep(FAULT.toMillis());
            take(scene);
        } catch (IOException | FaultException impossible) {
            failed.add(scene.what() + ": " + impossible.getMessage());
        }
        say("it recovers");
        Thread.sleep(RECOVERY.toMillis());
    }

    private void take(Scene scene) throws Exception {
        for (Picture picture : scene.pictures()) {
            if (isWanted(picture)) {
                take(picture);
            }
        }
    }

    private void take(Picture picture) throws Exception {
        Path whole = scratch.resolve(picture.name() + ".png");
        List<String> command = new ArrayList<>(List.of(chromium.toString()));
        command.addAll(BROWSER_OPTIONS);
        command.add("--user-data-dir=" + scratch.resolve("chromium"));
        command.add("--window-size=" + WIDTH + "," + (picture.top() + picture.height()));
        command.add("--screenshot=" + whole);
        command.add(picture.url().call());
        CommandOutput said = CommandOutput.of(command, null, BROWSER_BOUND);
        if (!Files.exists(whole)) {
            failed.add(picture.name() + ": " + said.text());
            return;
        }
        BufferedImage image = ImageIO.read(whole.toFile());
        int height = Math.min(picture.height(), image.getHeight() - picture.top());
        Path file = root.resolve("docs/images").resolve(picture.name() + ".png");
        ImageIO.write(image.getSubimage(0, picture.top(), image.getWidth(), height), "png", file.toFile());
        say("took " + root.relativize(file));
    }

    /** Waits until no alert is pending and the baselines exist. */
    private void awaitCalm() throws InterruptedException {
        say("waits until no alert is pending or firing and there is a baseline, 35 minutes or more");
        Await.that("the stack is calm", CALM_BOUND)
                .every(Duration.ofSeconds(15))
                .until(() -> {
                    List<Sample> alerts = prometheus.query(ALERTS);
                    if (!alerts.isEmpty()) {
                        return Optional.of("alerts: " + alerts);
                    }
                    return prometheus.query(BASELINE).isEmpty() ? Optional.of("no baseline yet") : Optional.empty();
                });
    }

    /** Four more clusters, on the same brokers, for the fleet dashboard. */
    private ManagedProcess startFleet() throws Exception {
        String cluster = "    %1$s:\n      bootstrap-servers: %2$s\n      preset: fleet\n"
                + "      topic: {name: phasewise-canary-%1$s}\n";
        String configuration =
                FLEET.stream().map(name -> cluster.formatted(name, BROKERS)).collect(Collectors.joining());
        Path file = scratch.resolve("fleet.yml");
        Files.writeString(file, "canary:\n  http: {port: 9471}\n  clusters:\n" + configuration);
        Path jar = root.resolve("canary/target/phasewise-canary.jar");
        List<String> command = List.of(Programs.java(), "-Xmx128m", "-jar", "" + jar, "--config", "" + file);
        Path targets = state().resolve("prometheus/targets");
        Path fresh = targets.resolve("fleet.tmp");
        Files.writeString(fresh, "- targets: [\"127.0.0.1:9470\", \"127.0.0.1:9471\"]\n");
        Files.move(fresh, targets.resolve("kafka-canary.yml"), StandardCopyOption.ATOMIC_MOVE);
        return ManagedProcess.start(new ProcessSpec("fleet", command, Map.of(), scratch, scratch.resolve("fleet.log")));
    }

    private ActiveFault pauseBroker() throws Exception {
        ManagedProcess broker = ManagedProcess.attach(
                "broker-2", ProcessIdentity.of(pid(2)).orElseThrow(), scratch.resolve("broker-2.log"));
        return new StallingProcess(PAUSED, PERIOD).begin(broker);
    }

    private ActiveFault slowDisk() throws Exception {
        Optional<String> obstacle = SlowDisk.obstacle(state());
        if (obstacle.isPresent()) {
            throw new IOException(obstacle.get());
        }
        long broker = pid(1);
        flushEach("1");
        SlowDisk disk = SlowDisk.begin(broker, state().resolve("broker-1/data"), WRITES_PER_SECOND);
        return () -> {
            disk.close();
            flushEach(null);
        };
    }

    private static void flushEach(String records) throws InterruptedException {
        try (Admin admin = Admin.create(CLIENT)) {
            Administration.configure(admin, "", "log.flush.interval.messages", records);
        }
    }

    private ActiveFault busyBroker() throws Exception {
        Admin admin = Admin.create(CLIENT);
        if (!admin.listTopics().names().get().contains("orders")) {
            admin.createTopics(List.of(new NewTopic("orders", 6, (short) 3)))
                    .all()
                    .get();
        }
        ActiveFault busy = new BusyHandlers(3, 40, 50_000).begin(admin, CLIENT);
        return () -> {
            try (admin) {
                busy.close();
            }
        };
    }

    private ActiveFault throttledConsumer() throws Exception {
        throttle(CONSUMER_BYTES_PER_SECOND);
        return () -> throttle(null);
    }

    private static void throttle(Double bytesPerSecond) throws InterruptedException {
        ClientQuotaEntity consumer =
                new ClientQuotaEntity(Map.of(ClientQuotaEntity.CLIENT_ID, "phasewise-canary-local-consumer"));
        ClientQuotaAlteration.Op change = new ClientQuotaAlteration.Op("consumer_byte_rate", bytesPerSecond);
        try (Admin admin = Admin.create(CLIENT)) {
            Administration.await(
                    "set a quota",
                    admin.alterClientQuotas(List.of(new ClientQuotaAlteration(consumer, List.of(change))))
                            .all());
        }
    }

    private String overview() {
        return dashboard("latency-overview", "10m");
    }

    private static String dashboard(String name, String past) {
        return "http://127.0.0.1:3000/d/phasewise-%s?kiosk&var-cluster=local&from=now-%s&to=now".formatted(name, past);
    }

    private String demotion() throws Exception {
        return terminal(
                "./phasewise demote 3 --cluster local --keep 'phasewise.*'",
                phasewise("demote", "3", "--cluster=local", "--keep=phasewise.*", "--window=180"));
    }

    private String newestPage() throws Exception {
        String told = phasewise("logs", "receiver");
        return terminal(
                "./phasewise logs receiver",
                Arrays.stream(told.split("(?m)^(?=\\d\\d:)"))
                        .filter(each -> each.contains("FIRING    LeaderProbesBad"))
                        .reduce((earlier, later) -> later)
                        .orElseThrow(() -> new IOException("no page of a leader")));
    }

    private String terminal(String command, String said) throws IOException {
        String text = said.replace("&", "&amp;").replace("<", "&lt;");
        Path page = scratch.resolve("terminal.html");
        Files.writeString(page, """
                <!DOCTYPE html><meta charset="utf-8">
                <body style="margin:0;background:#111217;color:#d8d9da">
                <pre style="margin:0;padding:20px;font:14px/1.5 monospace;white-space:pre-wrap">$ %s
                %s</pre>
                """.formatted(command, text));
        return page.toUri().toString();
    }

    private String review() throws Exception {
        Path out = scratch.resolve("review");
        command("report", "--prometheus=" + PROMETHEUS, "--cluster=local", "--from=now-2h", "--out=" + out);
        return out.resolve("report.html").toUri().toString();
    }

    private long pid(int broker) throws Exception {
        // A JVM may print warnings before the JSON.
        // Its exit status is not looked at: some components are unhealthy during a fault.
        String said = said("status", "--json", "--state-dir=" + state()).text();
        JsonNode status = new ObjectMapper().readTree(said.substring(said.indexOf('{')));
        for (JsonNode component : status.path("components")) {
            if (component.path("name").asText().equals("broker-" + broker)) {
                return component.path("pid").asLong();
            }
        }
        throw new IOException("status does not list broker " + broker);
    }

    private Path state() {
        return scratch.resolve("state");
    }

    /** Runs a command of the launcher on the local stack. */
    private String phasewise(String... arguments) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.add("--state-dir=" + state());
        return command(all.toArray(String[]::new));
    }

    private String command(String... arguments) throws IOException, InterruptedException {
        CommandOutput said = said(arguments);
        if (said.status() != 0) {
            throw new IOException(String.join(" ", arguments) + ": " + said.text());
        }
        return said.text();
    }

    private CommandOutput said(String... arguments) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(List.of(root.resolve("phasewise").toString()));
        all.addAll(List.of(arguments));
        return CommandOutput.of(all, root, COMMAND_BOUND);
    }

    private static void say(String what) {
        System.err.printf("%tT  %s%n", LocalTime.now(), what);
    }
}
