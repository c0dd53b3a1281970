/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */

import io.phasewise.experiments.matrix.page.MatrixRuns;
import io.phasewise.experiments.matrix.row.Row;
import io.phasewise.experiments.matrix.result.RowResult;
import io.phasewise.lab.measure.EvidenceRun;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * The long tests, {@code ./phasewise test --long}: every class with tests tagged {@code long}, one
 * at a time, then every row of the fault matrix. What passed is not run again while the sources are
 * the same. What failed, was not judged or was broken off is run again. It ends with a table, and
 * writes it to {@code target/long} in the form of {@code docs/evidence/runs}.
 *
 * <p>Arguments: the root of the checkout, then the command of Maven. Exit code 0 when all passed, 1
 * otherwise: a row that was not judged is no pass, nor is a test skipped without a reason.
 */
public final class LongTest {
    private static final String REPORTS = "long-reports";
    private static final String MATRIX = "fault-matrix";

    /** How a class or a row of the matrix ended. */
    private record Outcome(String what, String verdict, double seconds, List<String> reasons) {
        boolean passed() {
            return verdict.equals("passed") || verdict.equals("skipped");
        }
    }

    private final Path root;
    private final List<String> maven;
    private final Path results;
    private final Path matrix;

    private LongTest(Path root, List<String> maven) {
        this.root = root;
        this.maven = maven;
        results = root.resolve("target/long");
        matrix = results.resolve("matrix");
    }

    public static void main(String[] arguments) throws Exception {
        List<String> all = Arrays.asList(arguments);
        System.exit(new LongTest(Path.of(all.get(0)), all.subList(1, all.size())).run() ? 0 : 1);
    }

    private boolean run() throws Exception {
        Map<String, Path> reports = reports();
        forgetOtherSources(reports);
        runClasses(reports);
        runRows();
        List<Outcome> outcomes = new ArrayList<>();
        for (Map.Entry<String, Path> entry : reports.entrySet()) {
            outcomes.add(outcome(entry.getKey(), entry.getValue()));
        }
        outcomes.addAll(rows());
        EvidenceRun evidence = evidence(outcomes);
        Path file = evidence.write(results, "long-tests");
        System.out.printf("%n%s%nThe table is in %s%n", EvidenceRun.markdown(List.of(evidence)), file);
        return outcomes.stream().allMatch(Outcome::passed);
    }

    /** The classes with long tests: by name, the file of Maven's report. */
    private Map<String, Path> reports() throws Exception {
        Map<String, Path> reports = new TreeMap<>();
        for (String file : output("git", "ls-files", "*IT.java").lines().toList()) {
            if (Files.readString(root.resolve(file)).contains("@Tag(\"long\")")) {
                String[] parts = file.split("/src/test/java/");
                String name = parts[1].replace(".java", "").replace('/', '.');
                Path target = root.resolve(parts[0]).resolve("target");
                reports.put(name, target.resolve(REPORTS).resolve("TEST-" + name + ".xml"));
            }
        }
        return reports;
    }

    /**
     * A digest of the sources that a result depends on; results of other sources do not count.
     * Documents are left out; for a class tests of other modules too, for the matrix all tests.
     */
    private void forgetOtherSources(Map<String, Path> reports) throws Exception {
        Files.createDirectories(matrix);
        Map<String, byte[]> sources = new TreeMap<>();
        for (String source :
                output("git", "ls-files", "--", ":!docs", ":!*.md").lines().toList()) {
            Path content = root.resolve(source);
            sources.put(source, sha256(Files.isRegularFile(content) ? Files.readAllBytes(content) : new byte[0]));
        }
        Properties before = new Properties();
        Path file = results.resolve("sources.properties");
        if (Files.isRegularFile(file)) {
            try (var reader = Files.newBufferedReader(file)) {
                before.load(reader);
            }
        }
        Properties now = new Properties();
        for (Map.Entry<String, Path> entry : reports.entrySet()) {
            String report = root.relativize(entry.getValue()).toString();
            now.put(entry.getKey(), digest(sources, report.substring(0, report.indexOf("target/"))));
        }
        now.put(MATRIX, digest(sources, null));
        for (String name : now.stringPropertyNames()) {
            if (!now.getProperty(name).equals(before.getProperty(name))) {
                if (name.equals(MATRIX)) {
                    forgetRuns();
                } else {
                    Files.deleteIfExists(reports.get(name));
                }
            }
        }
        try (var writer = Files.newBufferedWriter(file)) {
            now.store(writer, null);
        }
    }

    private void forgetRuns() throws IOException {
        if (Files.isDirectory(matrix.resolve("runs"))) {
            try (Stream<Path> runs = Files.list(matrix.resolve("runs"))) {
                for (Path run : runs.toList()) {
                    Files.delete(run);
                }
            }
        }
    }

    /** The digest of all sources, with the tests of one module only. */
    private static String digest(Map<String, byte[]> sources, String module) throws Exception {
        StringBuilder these = new StringBuilder();
        sources.forEach((source, content) -> {
            if (!source.contains("/src/test/") || module != null && source.startsWith(module)) {
                these.append(source)
                        .append(' ')
                        .append(HexFormat.of().formatHex(content))
                        .append('\n');
            }
        });
        return HexFormat.of().formatHex(sha256(these.toString().getBytes(StandardCharsets.UTF_8)));
    }

    private static byte[] sha256(byte[] content) throws Exception {
        return MessageDigest.getInstance("SHA-256").digest(content);
    }

    private void runClasses(Map<String, Path> reports) throws Exception {
        List<String> remaining = new ArrayList<>();
        for (Map.Entry<String, Path> entry : reports.entrySet()) {
            if (!outcome(entry.getKey(), entry.getValue()).passed()) {
                Files.deleteIfExists(entry.getValue());
                remaining.add(entry.getKey());
            }
        }
        System.out.printf("%d of %d classes to run%n", remaining.size(), reports.size());
        if (remaining.isEmpty()) {
            return;
        }
        List<String> command = new ArrayList<>(maven);
        command.addAll(List.of(
                "-f",
                root.resolve("pom.xml").toString(),
                "-B",
                "-ntp",
                "verify",
                "-Dtests.included=long",
                "-Dtests.excluded=none",
                "-Dtests.classes=1",
                "-Dtests.reports=" + REPORTS,
                "-Dit.test=" + String.join(",", remaining),
                "-Dfailsafe.failIfNoSpecifiedTests=false",
                "-Dsurefire.failIfNoSpecifiedTests=false",
                "-Dtest=None",
                "-Djacoco.skip=true",
                // The report of each class says how it ended; a class without a report has failed.
                "-Dmaven.test.failure.ignore=true"));
        Path log = results.resolve("maven.log");
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try (BufferedReader lines = process.inputReader();
                var out = Files.newBufferedWriter(log)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                out.write(line + "\n");
                if (line.matches(".*(Running |Tests run:.* -- in |BUILD FAILURE).*")) {
                    System.out.println(line);
                }
            }
        }
        if (process.waitFor() != 0) {
            throw new IOException("the build failed, all of Maven's output is in " + log);
        }
    }

    private void runRows() throws Exception {
        Set<String> remaining =
                new LinkedHashSet<>(Row.all().stream().map(Row::name).toList());
        rows().stream().filter(Outcome::passed).forEach(row -> remaining.remove(row.what()));
        System.out.printf("%d rows of the fault matrix to run%n", remaining.size());
        if (remaining.isEmpty()) {
            return;
        }
        List<String> command = List.of(
                root.resolve("phasewise").toString(),
                "lab",
                "matrix",
                "--out",
                matrix.toString(),
                "--row",
                String.join(",", remaining));
        new ProcessBuilder(command)
                .redirectOutput(results.resolve("matrix.log").toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start()
                .waitFor();
    }

    /**
     * The verdict on a class, from its report. Without a report, or without a test that passed, it
     * is a failure.
     */
    private static Outcome outcome(String name, Path report) throws Exception {
        if (!Files.isRegularFile(report)) {
            return new Outcome(name, "not run", 0, List.of());
        }
        Element suite = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(report.toFile())
                .getDocumentElement();
        int passed = 0;
        boolean failed = false;
        List<String> reasons = new ArrayList<>();
        NodeList cases = suite.getElementsByTagName("testcase");
        for (int i = 0; i < cases.getLength(); i++) {
            Element test = (Element) cases.item(i);
            Element skip = (Element) test.getElementsByTagName("skipped").item(0);
            boolean fault = test.getElementsByTagName("failure").getLength()
                            + test.getElementsByTagName("error").getLength()
                    > 0;
            if (fault) {
                reasons.add(test.getAttribute("name"));
            } else if (skip != null) {
                String reason = skip.getAttribute("message") + skip.getTextContent();
                reasons.add(test.getAttribute("name") + ": " + firstLine(reason));
                failed |= reason.isBlank();
            } else {
                passed++;
            }
            failed |= fault;
        }
        String verdict = failed ? "failed" : passed > 0 ? "passed" : "skipped";
        double seconds = Double.parseDouble(suite.getAttribute("time").replace(",", ""));
        return new Outcome(name, verdict, seconds, reasons);
    }

    private List<Outcome> rows() throws IOException {
        MatrixRuns runs = MatrixRuns.read(matrix.resolve("runs"));
        if (runs.all().isEmpty()) {
            return List.of(new Outcome("fault matrix", "not run", 0, List.of()));
        }
        return Stream.concat(
                        runs.last().stream()
                                .map(row ->
                                        new Outcome(row.name(), verdict(row.state()), row.seconds(), row.reasons())),
                        runs.notReached().stream().map(name -> new Outcome(name, "not run", 0, List.of())))
                .toList();
    }

    private static String verdict(RowResult.State state) {
        return switch (state) {
            case GOOD -> "passed";
            case BAD -> "failed";
            case NOT_JUDGED -> "not judged";
            case SKIPPED -> "skipped";
        };
    }

    /** Writes the run in the form of {@code docs/evidence/runs}. */
    private EvidenceRun evidence(List<Outcome> outcomes) throws Exception {
        List<List<String>> rows = new ArrayList<>();
        List<String> notes = new ArrayList<>();
        notes.add("Of a row of the fault matrix the seconds are those of the fault.");
        for (Outcome outcome : outcomes) {
            String what = outcome.what().replaceFirst("^(io|org)[.\\w]*\\.(?=[A-Z])", "");
            String why = String.join(
                    "; ", outcome.reasons().stream().map(LongTest::firstLine).toList());
            if (!outcome.verdict().equals("passed")) {
                notes.add(what + ": " + outcome.verdict() + (why.isEmpty() ? "." : ", " + why + "."));
            }
            rows.add(List.of(
                    what,
                    outcome.verdict(),
                    String.format(Locale.ROOT, "%.0f", outcome.seconds()),
                    why));
        }
        return EvidenceRun.now(
                root,
                "./phasewise test --long",
                outcomes.stream().allMatch(Outcome::passed),
                notes,
                List.of("test", "result", "seconds", "why"),
                rows);
    }

    private static String firstLine(String text) {
        return text.strip().lines().findFirst().orElse("no reason given");
    }

    private String output(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .directory(root.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(String.join(" ", command) + " ended with " + process.exitValue());
        }
        return output;
    }
}
