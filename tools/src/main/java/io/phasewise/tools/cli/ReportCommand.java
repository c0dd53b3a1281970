/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.tools.cli;

import io.phasewise.common.progress.Progress;
import io.phasewise.common.prometheus.Access;
import io.phasewise.report.fleet.Fleet;
import io.phasewise.report.fleet.FleetReviewer;
import io.phasewise.report.page.ReportFiles;
import io.phasewise.report.query.FleetQuestion;
import io.phasewise.report.query.Question;
import io.phasewise.report.query.RefusedException;
import io.phasewise.report.query.Window;
import io.phasewise.report.review.Review;
import io.phasewise.report.review.Reviewer;
import io.phasewise.report.source.PrometheusReader;
import io.phasewise.report.source.SourceException;
import io.phasewise.report.source.Warnings;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Checks the options, has the review made, and writes it. What the options mean is in the resource
 * bundle.
 */
@Command(name = "report", resourceBundle = "io.phasewise.tools.cli.ReportCommand")
final class ReportCommand implements Callable<Integer> {

    private static final int FAILED = 1;
    private static final int USAGE = 2;

    private final Context context;

    @Spec
    private CommandSpec spec;

    @Option(names = "--cluster", paramLabel = "NAME")
    private String cluster;

    @Option(names = "--fleet", arity = "0..1", fallbackValue = ".*", paramLabel = "REGEX")
    private String fleet;

    @Option(names = "--profile", paramLabel = "NAME", defaultValue = "default")
    private String profile;

    @Option(names = "--site", paramLabel = "NAME")
    private String site;

    @Option(names = "--from", paramLabel = "TIME", defaultValue = "now-7d")
    private String from;

    @Option(names = "--to", paramLabel = "TIME", defaultValue = "now")
    private String to;

    @Option(names = "--compare-from", paramLabel = "TIME")
    private String compareFrom;

    @Option(names = "--compare-to", paramLabel = "TIME")
    private String compareTo;

    @Option(names = "--zone", paramLabel = "ZONE", defaultValue = "UTC")
    private String zone;

    @Option(names = "--out", paramLabel = "DIR", defaultValue = "phasewise-report")
    private Path out;

    @Mixin
    private final AccessOptions entry = new AccessOptions();

    /** The times that were asked for. */
    private record Asked(Window window, Optional<Window> before, ZoneId zone) {}

    ReportCommand(Context context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        List<String> faults = new ArrayList<>();
        Optional<Asked> asked = asked(faults);
        Optional<Access> access = entry.access(faults);
        Optional<HttpClient> http = access.flatMap(each -> entry.client(faults));
        if (Files.exists(out) && !Files.isDirectory(out)) {
            faults.add("--out: " + out + " exists and is not a directory");
        }
        if (!faults.isEmpty()) {
            throw new ParameterException(spec.commandLine(), String.join("\n", faults));
        }
        PrometheusReader server =
                new PrometheusReader(access.orElseThrow(), http.orElseThrow(), context.pause()::pause);
        try (Progress progress = Progress.open(context.screen(), List.of(), context.nanoClock())) {
            ShownSteps steps = new ShownSteps(progress);
            try {
                List<Path> files = written(asked.orElseThrow(), server, steps);
                steps.over("report", files.get(0).toString());
                return 0;
            } catch (RefusedException e) {
                steps.failed();
                warn(server.warnings());
                return end(USAGE, e.getMessage() + ". No report was written");
            } catch (SourceException e) {
                steps.failed();
                return end(FAILED, e.getMessage() + ". No report was written");
            } catch (IOException e) {
                steps.failed();
                return end(FAILED, "the report cannot be written to " + out + ": " + e);
            }
        } catch (InterruptedException e) {
            return end(FAILED, "interrupted; no report was written");
        }
    }

    private List<Path> written(Asked asked, PrometheusReader server, ShownSteps steps)
            throws SourceException, RefusedException, IOException, InterruptedException {
        ReportFiles files = new ReportFiles(out);
        Optional<String> where = Optional.ofNullable(site);
        Window window = asked.window();
        if (fleet == null) {
            Question question = new Question(cluster, profile, where, window, asked.before(), asked.zone());
            Review review = new Reviewer(server, steps, context.clock()).review(question);
            warn(review.warnings());
            steps.at("report", 0, 1);
            return files.write(review);
        }
        FleetQuestion question = new FleetQuestion(fleet, profile, where, window, asked.zone());
        Fleet review = new FleetReviewer(server, steps, context.clock()).review(question);
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
            faults.add("--zone: '" + zone + "'; allowed: a name such as Europe/Berlin, or UTC");
        }
        TimeParser times = new TimeParser(context.clock().instant(), zoneId);
        Optional<Window> window = window("--from", from, "--to", to, times, faults);
        if ((cluster == null) == (fleet == null)) {
            faults.add(
                    cluster == null
                            ? "give --cluster NAME, or --fleet for all clusters"
                            : "--cluster and --fleet; allowed: one of them");
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
            before = window("--compare-from", compareFrom, "--compare-to", compareTo, times, faults);
        }
        if (window.isPresent() && before.isPresent() && window.get().overlaps(before.get())) {
            faults.add("--compare-from, --compare-to: overlaps the other window; allowed: one before or after it");
        }
        return window.isEmpty() ? Optional.empty() : Optional.of(new Asked(window.get(), before, zoneId));
    }

    private static Optional<Window> window(
            String fromOption, String fromText, String toOption, String toText, TimeParser times, List<String> faults) {
        Optional<Instant> begin = times.parse(fromOption, fromText, faults);
        Optional<Instant> end = times.parse(toOption, toText, faults);
        if (begin.isEmpty() || end.isEmpty()) {
            return Optional.empty();
        }
        if (Duration.between(begin.get(), end.get()).compareTo(Window.SHORTEST) < 0) {
            faults.add("%s %s, %s %s; allowed: an end at least ten minutes after the start"
                    .formatted(fromOption, fromText, toOption, toText));
            return Optional.empty();
        }
        return Optional.of(Window.fine(begin.get(), end.get()));
    }
}
