/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary;

import io.phasewise.canary.commands.Preflight;
import io.phasewise.canary.commands.PreflightText;
import io.phasewise.canary.commands.Removal;
import io.phasewise.canary.config.CanaryConfig;
import io.phasewise.canary.config.ClusterConfig;
import io.phasewise.canary.config.ConfigLoader;
import io.phasewise.canary.config.Footprint;
import io.phasewise.canary.config.InvalidConfigException;
import io.phasewise.canary.topic.Failures;
import io.phasewise.common.cli.ShellWord;
import io.phasewise.common.cli.UsageErrors;
import io.phasewise.kafka.AnswerLimit;
import io.phasewise.kafka.BootstrapFault;
import io.phasewise.kafka.PortLook;
import io.phasewise.kafka.WrongPortException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command line of the canary; everything else is left to {@link Canary}. */
@Command(
        name = "phasewise-canary",
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        description = {
            "Measures the latency of Kafka clusters, end to end and by phase, on every broker.",
            "",
            "Every key of the file can be overridden by an environment variable: canary.http.port by CANARY_HTTP_PORT.",
            "Without a file, variables are enough: CANARY_CLUSTERS_PROD_BOOTSTRAP_SERVERS=HOST:PORT names a cluster. Without"
                    + " either, it prints a configuration to start from.",
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:stopped by a signal; or the configuration is sound and, with --connect, nothing needed is missing; or one to"
                    + " start from was printed",
            "1:failed while starting, for example because the port is taken; or while removing; or with"
                    + " --connect a cluster could not be asked, or something needed is missing",
            "2:bad usage or configuration; nothing was started",
            "3:the JVM ran out of memory and ended, as -XX:+ExitOnOutOfMemoryError tells it to (set as shipped): give"
                    + " it a larger heap",
        })
public final class Main implements Callable<Integer> {
    private static final Logger LOG = LoggerFactory.getLogger(Main.class);

    private static final Duration REMOVAL_WATCH = Duration.ofSeconds(15);

    /** What messages call a configuration that is in no file. */
    private static final String THE_ENVIRONMENT = "environment variables";

    private final Surroundings surroundings;

    @Spec
    private CommandSpec spec;

    @ArgGroup(multiplicity = "0..1")
    private What what = new What();

    /**
     * Where a configuration comes from that no option names.
     *
     * @param environment environment variables, by name
     * @param file taken where it exists; images set it
     * @param host address to listen on where there is no file; images set all addresses
     */
    record Surroundings(Map<String, String> environment, Optional<Path> file, String host) {
        static Surroundings ofTheProcess() {
            return new Surroundings(
                    System.getenv(),
                    Optional.ofNullable(System.getProperty("phasewise.canary.config"))
                            .map(Path::of),
                    System.getProperty("phasewise.canary.host", "127.0.0.1"));
        }
    }

    private static final class What {
        @Option(names = "--config", paramLabel = "FILE", description = "Run with this configuration (YAML).")
        private Path run;

        @ArgGroup(exclusive = false, multiplicity = "1")
        private Check check;

        @ArgGroup(exclusive = false, multiplicity = "1")
        private Remove remove;

        /** Empty where the option has none. */
        Optional<Path> file() {
            Path named = check != null ? check.file : remove != null ? remove.file : run;
            return Optional.ofNullable(named).filter(file -> !file.toString().isEmpty());
        }

        boolean isNothing() {
            return run == null && check == null && remove == null;
        }
    }

    private static final class Check {
        @Option(
                names = "--check-config",
                required = true,
                arity = "0..1",
                fallbackValue = "",
                paramLabel = "FILE",
                description = "Check this configuration, say what is wrong with it, and end. Without FILE: what the"
                        + " environment variables say.")
        private Path file;

        @Option(
                names = "--connect",
                description = "Also ask each cluster what the canary may do there, whose topic and group it would"
                        + " use, and what it would change. Changes nothing and sends no probe.")
        private boolean connect;
    }

    private static final class Remove {
        @Option(
                names = "--remove",
                required = true,
                arity = "0..1",
                fallbackValue = "",
                paramLabel = "FILE",
                description = "Show which topics and consumer groups canaries of this configuration created in its"
                        + " clusters, and what else there concerns the canaries but would be left. Changes nothing.")
        private Path file;

        @Option(
                names = "--execute",
                description = "Delete what --remove shows as created by a canary. Stop the canaries first.")
        private boolean execute;
    }

    /** Says the version that the build wrote into the jar. */
    static final class Version implements CommandLine.IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {"phasewise-canary " + number()};
        }

        static String number() {
            String version = Main.class.getPackage().getImplementationVersion();
            return version == null ? "development" : version;
        }
    }

    private Main(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    static CommandLine commandLine(Surroundings surroundings) {
        return new CommandLine(new Main(surroundings))
                .setParameterExceptionHandler(new UsageErrors(
                        "phasewise-canary",
                        "--config FILE, --check-config [FILE] [--connect], --remove [FILE] [--execute], or nothing"));
    }

    /**
     * Runs the canary.
     *
     * @param arguments of the command line
     */
    public static void main(String[] arguments) {
        // Otherwise the JDK's HTTP server delays small answers.
        System.setProperty("sun.net.httpserver.nodelay", "true");
        int code = commandLine(Surroundings.ofTheProcess()).execute(arguments);
        if (code != 0) {
            System.exit(code);
        }
    }

    @Override
    public Integer call() throws InterruptedException {
        PrintWriter err = spec.commandLine().getErr();
        Optional<Path> file = what.file().or(() -> surroundings.file().filter(Files::exists));
        ConfigLoader loader = new ConfigLoader(surroundings.environment());
        if (what.isNothing() && file.isEmpty() && !loader.isAnyClusterInTheEnvironment()) {
            return showWhatToStartFrom();
        }
        ConfigLoader.Loaded loaded;
        try {
            loaded = file.isPresent()
                    ? loader.load(file.get())
                    : loader.load("canary: {http: {host: '" + surroundings.host() + "'}}", THE_ENVIRONMENT);
        } catch (InvalidConfigException e) {
            e.faults().forEach(err::println);
            return 2;
        }
        if (!AnswerLimit.isInForce()) {
            LOG.warn("another jar with Kafka's clients comes before this one on the class path: the answer of a"
                    + " server that is no Kafka broker may take any amount of memory");
        }
        if (what.check != null) {
            return check(loaded, file);
        }
        loaded.warnings().forEach(warning -> LOG.warn("{}", warning));
        if (what.remove != null) {
            return remove(loaded.config(), file);
        }
        Canary canary;
        try {
            canary = new Canary(loaded.config(), Version.number());
        } catch (IOException e) {
            err.println(e.getMessage());
            return 1;
        }
        CountDownLatch stopped = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(canary, stopped), "shutdown"));
        loaded.config().clusters().forEach(each -> LOG.info("{}", Footprint.of(each)));
        canary.start();
        LOG.info(
                "measuring {} cluster(s); {}://{}:{}/",
                loaded.config().clusters().size(),
                loaded.config().http().scheme(),
                inUrl(loaded.config().http().host()),
                canary.port());
        stopped.await();
        return 0;
    }

    private static String inUrl(String host) {
        return host.contains(":") && !host.startsWith("[") ? "[" + host + "]" : host;
    }

    /** To stdout the file and nothing else, so that it can be kept; what to do with it to stderr. */
    private int showWhatToStartFrom() {
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        out.print(ConfigLoader.reference());
        out.flush();
        err.println("phasewise-canary: no configuration; above is one to start from, with every key and its default."
                + " Name your cluster in it, then run with --config FILE (in a container: mount it as"
                + " /etc/phasewise/canary.yml). Or set CANARY_CLUSTERS_PROD_BOOTSTRAP_SERVERS=HOST:PORT alone.");
        return 0;
    }

    private int check(ConfigLoader.Loaded loaded, Optional<Path> file) throws InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        List<String> warnings = loaded.warnings();
        String but = warnings.isEmpty() ? "" : ", but look at this:";
        out.println(file.map(Path::toString).orElse(THE_ENVIRONMENT) + ": sound" + but);
        warnings.forEach(warning -> out.println("  " + warning));
        loaded.config().clusters().forEach(each -> out.println(Footprint.of(each)));
        out.flush();
        if (!what.check.connect) {
            return 0;
        }
        Preflight preflight = new Preflight(Admin::create, Preflight.LIMIT, new PreflightText(out), System::nanoTime);
        return preflight.check(loaded.config().byCluster()) ? 0 : 1;
    }

    private int remove(CanaryConfig config, Optional<Path> file) throws InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        boolean all = true;
        boolean any = false;
        for (Map.Entry<String, List<ClusterConfig>> cluster : config.byCluster().entrySet()) {
            ClusterConfig first = cluster.getValue().get(0);
            Consumer<String> lines = line -> {
                out.println("cluster " + cluster.getKey() + ": " + line);
                out.flush();
            };
            Map<String, Object> properties = first.kafka().adminProperties(first.id());
            try {
                new PortLook(System::nanoTime).check(properties, "client.");
            } catch (WrongPortException e) {
                lines.accept(e.getMessage());
                all = false;
                continue;
            }
            try (Admin admin = Admin.create(properties)) {
                Removal removal = new Removal(admin, REMOVAL_WATCH, lines);
                if (what.remove.execute) {
                    all &= removal.remove(cluster.getValue());
                } else {
                    any |= removal.show(cluster.getValue());
                }
            } catch (KafkaException e) {
                lines.accept(BootstrapFault.of(e, first.kafka().bootstrapServers())
                        .map(BootstrapFault::text)
                        .orElseGet(() -> Failures.describe(e)));
                all = false;
            }
        }
        if (any) {
            out.println("Nothing was changed. To delete what was created by a canary, stop it and run:");
            String named =
                    file.map(each -> ShellWord.quoted(each.toString()) + " ").orElse("");
            out.println("    java -jar phasewise-canary.jar --remove " + named + "--execute");
        } else if (!what.remove.execute && all) {
            out.println("Nothing was changed, and there is nothing to delete.");
        }
        return all ? 0 : 1;
    }

    private static void stop(Canary canary, CountDownLatch stopped) {
        LOG.info("stopping");
        try {
            canary.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            stopped.countDown();
        }
    }
}
