/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary;

import io.phasewise.canary.config.ConfigFault;
import io.phasewise.canary.config.ConfigLoader;
import io.phasewise.canary.config.InvalidConfigException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
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
            "Measures the latency of Kafka clusters, end to end, by way of every broker.",
            "",
            "Every key of the file can be overridden by an environment variable: canary.http.port"
                    + " by CANARY_HTTP_PORT.",
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:stopped by a signal, or the file is sound",
            "1:failed while starting, for example because the port is taken",
            "2:bad usage or configuration; nothing was started",
        })
public final class Main implements Callable<Integer> {
    private static final Logger LOG = LoggerFactory.getLogger(Main.class);

    @Spec private CommandSpec spec;

    @ArgGroup(multiplicity = "1")
    private What what;

    private static final class What {
        @Option(
                names = "--config",
                paramLabel = "FILE",
                description = "Run with this configuration (YAML).")
        private Path run;

        @Option(
                names = "--check-config",
                paramLabel = "FILE",
                description = "Check this configuration, say what is wrong with it, and end.")
        private Path check;
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

    private Main() {}

    /**
     * Runs the canary.
     *
     * @param arguments of the command line
     */
    public static void main(String[] arguments) {
        // Otherwise the JDK's HTTP server delays small answers.
        System.setProperty("sun.net.httpserver.nodelay", "true");
        int code = new CommandLine(new Main()).execute(arguments);
        if (code != 0) {
            System.exit(code);
        }
    }

    @Override
    public Integer call() throws InterruptedException {
        PrintWriter err = spec.commandLine().getErr();
        Path file = what.run != null ? what.run : what.check;
        ConfigLoader.Loaded loaded;
        try {
            loaded = new ConfigLoader(System.getenv()).load(file);
        } catch (InvalidConfigException e) {
            for (ConfigFault fault : e.faults()) {
                err.println(fault);
            }
            return 2;
        }
        loaded.warnings().forEach(warning -> LOG.warn("{}", warning));
        if (what.check != null) {
            spec.commandLine().getOut().println(file + ": sound");
            return 0;
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
        canary.start();
        LOG.info(
                "measuring {} cluster(s); {}://{}:{}/",
                loaded.config().clusters().size(),
                loaded.config().http().scheme(),
                loaded.config().http().host(),
                canary.port());
        stopped.await();
        return 0;
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
