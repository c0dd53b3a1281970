/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.cli;

import io.phasewise.common.file.UnusableFileException;
import io.phasewise.common.progress.Progress;
import io.phasewise.common.progress.Screen;
import io.phasewise.report.page.ReportFiles;
import io.phasewise.report.review.Fleet;
import io.phasewise.report.review.FleetQuestion;
import io.phasewise.report.review.FleetReviewer;
import io.phasewise.report.review.Question;
import io.phasewise.report.review.RefusedException;
import io.phasewise.report.review.Review;
import io.phasewise.report.review.Reviewer;
import io.phasewise.report.review.Window;
import io.phasewise.report.source.Access;
import io.phasewise.report.source.Server;
import io.phasewise.report.source.SourceException;
import io.phasewise.report.source.Warnings;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.LongSupplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Checks the options, has the review made, and writes it. */
@Command(
        name = "phasewise report",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Writes a capacity review of one cluster, or with --fleet of many beside each other:"
                    + " report.html, report.md and report.json.",
            "",
            "Reads Prometheus, or what speaks its API (Mimir, Thanos, VictoriaMetrics), by its own"
                    + " queries only; nothing is changed there. How each number is worked out:"
                    + " docs/explanation/statistics.md.",
            ""
        },
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            " 0:done",
            " 1:failed at run time: the report could not be written, or was interrupted",
            " 2:bad usage, or the server does not let in, has not what was asked for, or stays"
                    + " away (it is asked again for 40 s once it has answered); nothing is written,"
                    + " and a report that was there stays"
        })
final class ReportCommand implements Callable<Integer> {

    private static final int FAILED = 1;
    private static final int USAGE = 2;

    private final Screen screen;
    private final InstantSource clock;
    private final LongSupplier nanoClock;
    private final Server.Pause pause;

    @Spec private CommandSpec spec;

    @Option(
            names = "--prometheus",
            required = true,
            paramLabel = "URL",
            description = "The server, e.g. http://127.0.0.1:9090.")
    private String prometheus;

    @Option(
            names = "--cluster",
            paramLabel = "NAME",
            description = "The cluster, as the canary's configuration names it.")
    private String cluster;

    @Option(
            names = "--fleet",
            arity = "0..1",
            fallbackValue = ".*",
            paramLabel = "REGEX",
            description = {
                "In place of --cluster: all clusters, worst first, or those whose whole name"
                        + " matches, e.g. --fleet='prod-.*'."
            })
    private String fleet;

    @Option(
            names = "--profile",
            paramLabel = "NAME",
            defaultValue = "default",
            description = "Which of the canary's profiles (default: ${DEFAULT-VALUE}).")
    private String profile;

    @Option(
            names = "--site",
            paramLabel = "NAME",
            description =
                    "The canaries of which site, where there are several; --site= for those that"
                            + " name none.")
    private String site;

    @Option(
            names = "--from",
            paramLabel = "TIME",
            defaultValue = "now-7d",
            description = {
                "Begin of the window (default: ${DEFAULT-VALUE}).",
                "A time is written: " + Times.ALLOWED
            })
    private String from;

    @Option(
            names = "--to",
            paramLabel = "TIME",
            defaultValue = "now",
            description = "End of the window (default: ${DEFAULT-VALUE}).")
    private String to;

    @Option(
            names = "--compare-from",
            paramLabel = "TIME",
            description =
                    "Begin of an earlier window to compare with, hour of week by hour of week.")
    private String compareFrom;

    @Option(names = "--compare-to", paramLabel = "TIME", description = "End of that window.")
    private String compareTo;

    @Option(
            names = "--zone",
            paramLabel = "ZONE",
            defaultValue = "UTC",
            description =
                    "Time zone of hours and days, e.g. Europe/Berlin (default: ${DEFAULT-VALUE}).")
    private String zone;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            defaultValue = "phasewise-report",
            description = "Where the files go (default: ${DEFAULT-VALUE}).")
    private Path out;

    @Option(names = "--user", paramLabel = "NAME", description = "User for basic authentication.")
    private String user;

    @Option(
            names = "--password-file",
            paramLabel = "FILE",
            description = "File with the user's password.")
    private Path passwordFile;

    @Option(
            names = "--bearer-token-file",
            paramLabel = "FILE",
            description = "File with a bearer token.")
    private Path bearerTokenFile;

    @Option(
            names = "--header",
            paramLabel = "NAME=VALUE",
            description = "A header for each request, e.g. X-Scope-OrgID=team (repeatable).")
    private final Map<String, String> headers = new LinkedHashMap<>();

    @Option(
            names = "--ca-file",
            paramLabel = "FILE",
            description = "PEM file with the authorities to trust, in place of Java's own.")
    private Path caFile;

    @Option(
            names = "--client-certificate",
            paramLabel = "FILE",
            description = "PKCS#12 file with a certificate and its key, to show to the server.")
    private Path clientCertificate;

    @Option(
            names = "--client-password-file",
            paramLabel = "FILE",
            description = "File with the password of that file.")
    private Path clientPasswordFile;

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            defaultValue = "120",
            description =
                    "How long one answer may take (default: ${DEFAULT-VALUE}); the server's own"
                            + " limit of a query counts, too.")
    private int timeout;

    /** The times that were asked for. */
    private record Asked(Window window, Optional<Window> before, ZoneId zone) {}

    /**
     * @param screen where progress is shown
     * @param pause between two tries of the same question
     */
    ReportCommand(Screen screen, InstantSource clock, LongSupplier nanoClock, Server.Pause pause) {
        this.screen = screen;
        this.clock = clock;
        this.nanoClock = nanoClock;
        this.pause = pause;
    }

    @Override
    public Integer call() {
        List<String> faults = new ArrayList<>();
        Optional<Asked> asked = asked(faults);
        Optional<Access> access = access(faults);
        Optional<HttpClient> http = access.flatMap(each -> client(each, faults));
        if (Files.exists(out) && !Files.isDirectory(out)) {
            faults.add("--out: " + out + " is there and is no directory");
        }
        if (!faults.isEmpty()) {
            throw new ParameterException(spec.commandLine(), String.join("\n", faults));
        }
        Server server = new Server(access.orElseThrow(), http.orElseThrow(), pause);
        try (Progress progress = Progress.open(screen, List.of(), nanoClock)) {
            ShownSteps steps = new ShownSteps(progress);
            try {
                List<Path> files = made(asked.orElseThrow(), access.get(), server, steps);
                steps.over("report", files.get(0).toString());
                return 0;
            } catch (SourceException | RefusedException e) {
                steps.failed();
                return end(USAGE, e.getMessage() + ". No report was written");
            } catch (IOException e) {
                steps.failed();
                return end(FAILED, "the report cannot be written to " + out + ": " + e);
            } catch (InterruptedException e) {
                steps.failed();
                return end(FAILED, "interrupted; no report was written");
            }
        }
    }

    private List<Path> made(Asked asked, Access access, Server server, ShownSteps steps)
            throws SourceException, RefusedException, IOException, InterruptedException {
        try {
            return written(asked, access, server, steps);
        } catch (RefusedException e) {
            warn(server.warnings());
            throw e;
        }
    }

    private List<Path> written(Asked asked, Access access, Server server, ShownSteps steps)
            throws SourceException, RefusedException, IOException, InterruptedException {
        ReportFiles files = new ReportFiles(out);
        if (fleet == null) {
            Review review =
                    new Reviewer(access, server, steps, clock)
                            .review(
                                    new Question(
                                            cluster,
                                            profile,
                                            Optional.ofNullable(site),
                                            asked.window(),
                                            asked.before(),
                                            asked.zone()));
            warn(review.warnings());
            steps.at("report", 0, 1);
            return files.write(review);
        }
        Fleet review =
                new FleetReviewer(access, server, steps, clock)
                        .review(
                                new FleetQuestion(
                                        fleet,
                                        profile,
                                        Optional.ofNullable(site),
                                        asked.window(),
                                        asked.zone()));
        warn(review.warnings());
        steps.at("report", 0, 1);
        return files.write(review);
    }

    private void warn(Warnings warnings) {
        if (!warnings.texts().isEmpty()) {
            say("the server's answers may not be whole: " + String.join(" | ", warnings.texts()));
        }
    }

    private int end(int status, String message) {
        say(message);
        return status;
    }

    private void say(String message) {
        spec.commandLine().getErr().println("phasewise report: " + message);
    }

    private Optional<Asked> asked(List<String> faults) {
        ZoneId zoneId = ZoneId.of("UTC");
        try {
            zoneId = ZoneId.of(zone);
        } catch (DateTimeException e) {
            faults.add("--zone: '" + zone + "'; allowed: a name as Europe/Berlin, or UTC");
        }
        Times times = new Times(clock.instant(), zoneId);
        Optional<Window> window = window("--from", from, "--to", to, times, faults);
        if ((cluster == null) == (fleet == null)) {
            faults.add("--cluster and --fleet; allowed: one of them");
        } else if (cluster != null && cluster.isBlank()) {
            faults.add("--cluster: empty; allowed: the name of a cluster");
        } else if (fleet != null && fleet.isBlank()) {
            faults.add("--fleet: empty; allowed: a regular expression, or --fleet alone for all");
        }
        if (fleet != null && (compareFrom != null || compareTo != null)) {
            faults.add("--compare-from, --compare-to: with --fleet; allowed: with --cluster");
        }
        Optional<Window> before = Optional.empty();
        if ((compareFrom == null) != (compareTo == null)) {
            faults.add("--compare-from and --compare-to; allowed: both or neither");
        } else if (compareFrom != null) {
            before =
                    window("--compare-from", compareFrom, "--compare-to", compareTo, times, faults);
        }
        if (window.isPresent()
                && before.isPresent()
                && before.get().from().isBefore(window.get().to())
                && window.get().from().isBefore(before.get().to())) {
            faults.add(
                    "--compare-from, --compare-to: a window that overlaps with the other; allowed:"
                            + " one before or after it");
        }
        ZoneId chosen = zoneId;
        Optional<Window> compared = before;
        return window.map(each -> new Asked(each, compared, chosen));
    }

    private Optional<Window> window(
            String fromOption,
            String fromText,
            String toOption,
            String toText,
            Times times,
            List<String> faults) {
        Optional<Instant> begin = time(fromOption, fromText, times, faults);
        Optional<Instant> end = time(toOption, toText, times, faults);
        if (begin.isEmpty() || end.isEmpty()) {
            return Optional.empty();
        }
        if (Duration.between(begin.get(), end.get()).compareTo(Window.SHORTEST) < 0) {
            faults.add(
                    fromOption
                            + " "
                            + fromText
                            + ", "
                            + toOption
                            + " "
                            + toText
                            + "; allowed: an end that is ten minutes or more after the begin");
            return Optional.empty();
        }
        return Optional.of(Window.fine(begin.get(), end.get()));
    }

    private static Optional<Instant> time(
            String option, String text, Times times, List<String> faults) {
        try {
            return Optional.of(times.parse(text));
        } catch (DateTimeException e) {
            faults.add(option + ": '" + text + "'; allowed: " + Times.ALLOWED);
            return Optional.empty();
        }
    }

    private Optional<Access> access(List<String> faults) {
        int before = faults.size();
        URI server = URI.create("http://localhost");
        try {
            URI given = URI.create(prometheus);
            if (given.getUserInfo() != null) {
                faults.add(
                        "--prometheus: an address with a user in it; allowed: --user and"
                                + " --password-file beside it");
            } else if (given.getHost() == null
                    || !("http".equals(given.getScheme()) || "https".equals(given.getScheme()))
                    || given.getQuery() != null) {
                faults.add(
                        "--prometheus: '"
                                + prometheus
                                + "'; allowed: http://HOST[:PORT][/PATH] or"
                                + " https://");
            } else {
                server = given;
            }
        } catch (IllegalArgumentException e) {
            faults.add("--prometheus: '" + prometheus + "'; allowed: an address");
        }
        if (timeout < 1 || timeout > 3600) {
            faults.add("--timeout: " + timeout + "; allowed: 1 to 3600");
        }
        if ((user == null) != (passwordFile == null)) {
            faults.add("--user and --password-file; allowed: both or neither");
        }
        if (user != null && bearerTokenFile != null) {
            faults.add("--user and --bearer-token-file; allowed: one of them");
        }
        Map<String, String> all = new LinkedHashMap<>(headers);
        if (passwordFile != null && user != null) {
            secret("--password-file", passwordFile, faults)
                    .ifPresent(password -> all.put("Authorization", Access.basic(user, password)));
        }
        if (bearerTokenFile != null) {
            secret("--bearer-token-file", bearerTokenFile, faults)
                    .ifPresent(token -> all.put("Authorization", "Bearer " + token));
        }
        String password =
                clientPasswordFile == null
                        ? ""
                        : secret("--client-password-file", clientPasswordFile, faults).orElse("");
        if (faults.size() > before) {
            return Optional.empty();
        }
        return Optional.of(
                new Access(
                        server,
                        all,
                        Optional.ofNullable(caFile),
                        Optional.ofNullable(clientCertificate),
                        password,
                        Duration.ofSeconds(timeout)));
    }

    private static Optional<String> secret(String option, Path file, List<String> faults) {
        try {
            return Optional.of(Files.readString(file).strip());
        } catch (IOException e) {
            faults.add(option + ": " + file + " cannot be read: " + e.getClass().getSimpleName());
            return Optional.empty();
        }
    }

    private Optional<HttpClient> client(Access access, List<String> faults) {
        try {
            return Optional.of(access.client());
        } catch (UnusableFileException e) {
            Path file = e.key().equals("--ca-file") ? caFile : clientCertificate;
            faults.add(e.key() + ": " + file + " " + e.getMessage());
            return Optional.empty();
        } catch (GeneralSecurityException e) {
            faults.add("--ca-file or --client-certificate cannot be used: " + e.getMessage());
            return Optional.empty();
        }
    }
}
