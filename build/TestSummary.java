/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * Closes a test run: reads the JUnit XML reports named as arguments, names every test that was
 * skipped (with its reason) or failed, and prints one summary line. Running the tests is left to
 * Maven. Exit code 0 if nothing failed, 1 otherwise.
 */
public final class TestSummary {
    private TestSummary() {}

    public static void main(String[] reports) throws Exception {
        DocumentBuilder parser = DocumentBuilderFactory.newInstance().newDocumentBuilder();
        int tests = 0;
        List<String> skipped = new ArrayList<>();
        List<String> failed = new ArrayList<>();
        for (String report : reports) {
            NodeList cases = parser.parse(Path.of(report).toFile()).getElementsByTagName("testcase");
            tests += cases.getLength();
            for (int i = 0; i < cases.getLength(); i++) {
                Element test = (Element) cases.item(i);
                String name = test.getAttribute("classname") + "." + test.getAttribute("name");
                Element skip = child(test, "skipped");
                if (skip != null) {
                    skipped.add(name + ": " + reason(skip));
                } else if (child(test, "failure") != null || child(test, "error") != null) {
                    failed.add(name);
                }
            }
        }
        skipped.forEach(line -> System.out.println("skipped " + line));
        failed.forEach(line -> System.out.println("FAILED  " + line));
        // The line before may be one that Maven left open; the summary stands alone.
        System.out.println();
        int passed = tests - failed.size() - skipped.size();
        System.out.printf("%d passed, %d failed, %d skipped%n", passed, failed.size(), skipped.size());
        System.exit(failed.isEmpty() && passed > 0 ? 0 : 1);
    }

    /** That of a test that gave up is told by its exception only: its first line is enough. */
    private static String reason(Element skip) {
        String message = skip.getAttribute("message");
        String reason = message.isBlank() ? skip.getTextContent().strip() : message;
        return reason.isEmpty()
                ? "no reason given"
                : reason.lines().findFirst().orElseThrow().replaceFirst("^[\\w.$]+Exception: ", "");
    }

    private static Element child(Element parent, String tag) {
        return (Element) parent.getElementsByTagName(tag).item(0);
    }
}
