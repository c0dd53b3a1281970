/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix.scene;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.common.file.JarResource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The rules that named before the canary did run beside today's, and are not in their way. */
class FormerRulesTest {
    private static final Path RULES =
            Path.of(System.getProperty("phasewise.root")).resolve("prometheus/rules");
    private final String former = JarResource.text(Monitoring.class, Monitoring.FORMER_RULES);

    @Test
    void whatTheyReadIsRecordedByThemOrByTodaysRules() throws IOException {
        Set<String> read = all("\\bkafka_\\w+:\\w+:\\w+", former);
        Set<String> recorded = recorded(former);
        recorded.addAll(recorded(today()));

        assertThat(read).hasSizeGreaterThan(30);
        assertThat(recorded).containsAll(read);
    }

    @Test
    void theyRecordNothingThatTodaysRulesRecord() throws IOException {
        assertThat(recorded(former)).contains("kafka_suspect_before").allMatch(series -> series.endsWith("_before"));
        assertThat(recorded(today())).noneMatch(series -> series.endsWith("_before"));
    }

    private static String today() throws IOException {
        StringBuilder all = new StringBuilder();
        try (Stream<Path> files = Stream.concat(Files.list(RULES), Files.list(RULES.resolve("native")))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                all.append(Files.readString(file));
            }
        }
        return all.toString();
    }

    private static Set<String> recorded(String rules) {
        return all("(?<=- record: )\\S+", rules);
    }

    private static Set<String> all(String pattern, String text) {
        List<String> found = Pattern.compile(pattern)
                .matcher(text)
                .results()
                .map(MatchResult::group)
                .toList();
        return found.stream().collect(Collectors.toCollection(TreeSet::new));
    }
}
