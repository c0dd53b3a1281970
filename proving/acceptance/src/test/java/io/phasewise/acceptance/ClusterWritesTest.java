/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.Test;

/**
 * Every place in the source that can change a Kafka cluster, or read the records of one, is on the
 * page that says what guards it; and the page names no other.
 */
class ClusterWritesTest {
    private static final String PAGE = "docs/explanation/writes.md";

    /**
     * Methods of the admin client that only read. All others count as changing something, also
     * those of later versions.
     */
    private static final Pattern READS = Pattern.compile("(describe|list|metrics|close|clientInstanceId|create$).*"
            + "|(un)?registerMetricForSubscription|getClass|wait|notify.*|equals|hashCode|toString");

    private static final Pattern SENDS =
            Pattern.compile("\\b(?:new|extends) KafkaProducer\\b|\\.(?:commitSync|commitAsync)\\(");
    private static final Pattern CONSUMES = Pattern.compile("\\b(?:new|extends) Kafka(?:Share)?Consumer\\b");
    private static final Pattern NAMED = Pattern.compile("`([A-Z][A-Za-z]+)`");

    /** Named on the page for the reader; they neither write to a cluster nor open a consumer. */
    private static final Set<String> CLASSES_ELSEWHERE = Set.of("ClusterWritesTest", "ProbeRecordLook");

    private static Pattern changes() {
        String methods = Arrays.stream(Admin.class.getMethods())
                .map(Method::getName)
                .filter(name -> !READS.matcher(name).matches())
                .distinct()
                .sorted()
                .collect(Collectors.joining("|"));
        return Pattern.compile("\\.(?:" + methods + ")\\(");
    }

    /** The text that matches, by class, in all sources except tests. */
    private static Map<String, Set<String>> places(Pattern... patterns) {
        Map<String, Set<String>> places = new TreeMap<>();
        for (Path file : Repository.files("", ".java")) {
            String name = Repository.name(file);
            if (name.contains("src/test/")) {
                continue;
            }
            String text = Repository.text(file);
            String own = file.getFileName().toString().replace(".java", "");
            for (Pattern pattern : patterns) {
                pattern.matcher(text)
                        .results()
                        .map(MatchResult::group)
                        .forEach(call -> places.computeIfAbsent(own, each -> new TreeSet<>())
                                .add(call));
            }
        }
        return places;
    }

    private static Set<String> named(String text) {
        return NAMED.matcher(text).results().map(each -> each.group(1)).collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void everyCallThatChangesAClusterIsOnThePage() {
        Map<String, Set<String>> places = places(changes(), SENDS);
        assertThat(places.keySet()).as("found at all").contains("TopicApplier", "Removal", "LeaderMover");
        Set<String> named = named(Repository.text(PAGE));
        assertThat(places)
                .allSatisfy((place, calls) -> assertThat(named)
                        .as("%s calls %s, and %s does not say what guards it", place, calls, PAGE)
                        .contains(place));
    }

    @Test
    void thePageNamesNoClassThatChangesNothing() {
        Set<String> named = named(Repository.text(PAGE));
        named.removeAll(places(changes(), SENDS, CONSUMES).keySet());
        named.removeAll(CLASSES_ELSEWHERE);
        assertThat(named).isEmpty();
    }

    /** Contents of users' records are never read. */
    @Test
    void aConsumerIsOpenedOnlyWhereTheTopicIsOurs() {
        String text = Repository.text(PAGE);
        Set<String> allowed = named(text.substring(text.indexOf("## Who opens a consumer")));
        assertThat(allowed).contains("TrafficClients");
        allowed.removeAll(CLASSES_ELSEWHERE);
        assertThat(places(CONSUMES).keySet()).isEqualTo(allowed);
    }
}
