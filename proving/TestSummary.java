/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * Sums up a test run. Copies the JUnit XML reports that are named as arguments into the directory
 * of the first argument, and prints the ten slowest classes, every test that was skipped (with its
 * reason) or failed (with the first lines of its message), and one summary line. Maven runs the
 * tests.
 *
 * <p>Exit code 0 if no test failed and one passed, 1 otherwise. With CI=true in the environment a
 * skipped test counts as a failure, as everything should be installed there.
 */
public final class TestSummary {
    private static final int SLOWEST = 10;

    /** Of a failed test's message: enough for what was expected and what there was instead. */
    private static final int LINES = 12;

    private static final int LINE_LENGTH = 1_500;

    /** A test class and how long it ran, with its fixtures. */
    private record TestClass(String name, double seconds) {}

    private final List<TestClass> classes = new ArrayList<>();
    private final List<String> skipped = new ArrayList<>();
    private final List<String> failed = new ArrayList<>();
    private int tests;

    public static void main(String[] arguments) throws Exception {
        Path results = Files.createDirectories(Path.of(arguments[0]));
        TestSummary summary = new TestSummary();
        DocumentBuilder parser = DocumentBuilderFactory.newInstance().newDocumentBuilder();
        for (String report : List.of(arguments).subList(1, arguments.length)) {
            Path file = Path.of(report);
            summary.add(parser.parse(file.toFile()).getDocumentElement());
            Files.copy(file, results.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
        }
        String text = summary.text();
        Files.writeString(results.resolve("summary.txt"), text);
        // Maven may have left a line open.
        System.out.print("\n" + text);
        System.exit(summary.passed() ? 0 : 1);
    }

    private void add(Element suite) {
        classes.add(new TestClass(
                suite.getAttribute("name"),
                Double.parseDouble(suite.getAttribute("time").replace(",", ""))));
        NodeList cases = suite.getElementsByTagName("testcase");
        tests += cases.getLength();
        for (int i = 0; i < cases.getLength(); i++) {
            Element test = (Element) cases.item(i);
            String name = test.getAttribute("classname") + "." + test.getAttribute("name");
            Element skip = child(test, "skipped");
            Element fault = child(test, "failure") != null ? child(test, "failure") : child(test, "error");
            if (skip != null) {
                skipped.add(name + ": " + reason(skip, 1));
            } else if (fault != null) {
                failed.add(name + ": " + reason(fault, LINES));
            }
        }
    }

    private boolean passed() {
        boolean mayNotSkip = "true".equals(System.getenv("CI"));
        return failed.isEmpty() && tests > skipped.size() && !(mayNotSkip && !skipped.isEmpty());
    }

    private String text() {
        StringBuilder text = new StringBuilder("Slowest classes, in seconds:\n");
        classes.stream()
                .sorted(Comparator.comparingDouble(TestClass::seconds).reversed())
                .limit(SLOWEST)
                .forEach(c -> text.append(String.format(Locale.ROOT, "%7.1f  %s%n", c.seconds(), c.name())));
        skipped.forEach(line -> text.append("skipped ").append(line).append('\n'));
        failed.forEach(line -> text.append("FAILED  ").append(line).append('\n'));
        return text.append(String.format(
                        Locale.ROOT,
                        "%d passed, %d failed, %d skipped%n",
                        tests - failed.size() - skipped.size(),
                        failed.size(),
                        skipped.size()))
                .toString();
    }

    /** The first lines of a test's message; of an aborted test it is only in the exception. */
    private static String reason(Element end, int lines) {
        String message = end.getAttribute("message");
        String reason = message.isBlank() ? end.getTextContent().strip() : message.strip();
        return reason.isEmpty()
                ? "no reason given"
                : reason.replaceFirst("^[\\w.$]+Exception: ", "")
                        .lines()
                        .filter(line -> !line.isBlank())
                        .limit(lines)
                        .map(line -> line.substring(0, Math.min(line.length(), LINE_LENGTH)))
                        .collect(Collectors.joining("\n        "));
    }

    private static Element child(Element parent, String tag) {
        return (Element) parent.getElementsByTagName(tag).item(0);
    }
}
