/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.jmx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.phasewise.exporter.TextFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;

class RuleFileTest {

    private final MBeanServer server = MBeanServerFactory.newMBeanServer();

    @Test
    void theRulesThatAreBuiltInAreAccepted() throws IOException {
        RuleFile rules = RuleFile.parse(Files.readString(Path.of("rules/kafka-broker.yml")));

        assertThat(rules.included())
                .filteredOn(ObjectName::isPattern)
                .extracting(ObjectName::getDomain)
                .as("domains with a bean for each partition")
                .doesNotContain("kafka.log", "kafka.cluster");
    }

    @Test
    void patternsBecomeTheBeansThatMatchThem() throws Exception {
        register("d:type=B,id=0");
        RuleFile rules = RuleFile.parse("includeObjectNames: ['d:type=A', 'd:type=B,id=*']\nrules: []\n");
        BeanIndex index = BeanIndex.follow(server, rules.included());
        assertThat(included(rules, index)).containsExactly("d:type=B,id=0");

        long before = index.version();
        register("d:type=A");
        register("d:type=B,id=1");
        register("d:type=C,id=1");
        assertThat(index.version()).isEqualTo(before + 2);
        assertThat(included(rules, index)).containsExactlyInAnyOrder("d:type=A", "d:type=B,id=0", "d:type=B,id=1");

        server.unregisterMBean(new ObjectName("d:type=B,id=1"));
        assertThat(included(rules, index)).containsExactlyInAnyOrder("d:type=A", "d:type=B,id=0");
    }

    @SuppressWarnings("unchecked")
    private static List<String> included(RuleFile rules, BeanIndex index) {
        return (List<String>) named(rules, index).get("includeObjectNames");
    }

    @Test
    void excludedBeansAndAttributesOfPatternsAreLeftOut() throws Exception {
        register("d:type=B,id=1");
        register("d:type=B,id=2");
        RuleFile rules = RuleFile.parse("""
                        includeObjectNames: ['d:type=B,id=*']
                        excludeObjectNames: ['d:type=*,id=2']
                        excludeObjectNameAttributes: {'d:type=B,id=*': [Rate]}
                        """);
        Map<String, Object> named = named(rules, BeanIndex.follow(server, rules.included()));

        assertThat(named)
                .containsEntry("includeObjectNames", List.of("d:type=B,id=1"))
                .containsEntry("excludeObjectNameAttributes", Map.of("d:type=B,id=1", List.of("Rate")))
                .doesNotContainKey("excludeObjectNames");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'ruels: []'|key 'ruels' is unknown",
                "'rules: [{pattren: a}]'|rule 1: 'pattren' is unknown",
                "'rules: [{pattern: \"(\"}]'|is no regular expression",
                "'rules: [{name: a}]'|a name needs a pattern",
                "'includeObjectNames: [nonsense]'|is no bean name",
                "'includeObjectNames: a'|allowed is a list",
                "'excludeObjectNameAttributes: {\"d:a=b\": c}'|allowed is a list",
                "'rules: [{pattern: \"a(b)c\", name: n, labels: {l: $2}}]'|rule 1: label 'l' '$2' asks for a group that pattern 'a(b)c' lacks: No group 2",
                "'rules: [{pattern: \"a(b)c\", name: n, labels: {$2: l}}]'|label '$2' asks",
                "'rules: [{pattern: a, name: n}, {pattern: \"(b)\", name: n$9}]'|rule 2: name 'n$9' asks",
                "'rules: [{pattern: a, name: n, value: $1}]'|value '$1' asks",
                "'rules: [{pattern: a, name: n, help: \"${x}\"}]'|help '${x}' asks",
                "'rules: [{pattern: a, name: n, labels: [l]}]'|labels: allowed are names",
                "'['|not YAML",
                "''|no keys in it"
            })
    void malformedRulesAreRefused(String text, String message) {
        assertThatThrownBy(() -> RuleFile.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message)
                .hasMessageNotContaining("\n");
    }

    /** Of two digits only those count that name a group; one that does not match is empty. */
    @ParameterizedTest
    @ValueSource(
            strings = {"pattern: 'a(b)c', name: n_$12", "pattern: '(?<x>a)|b', name: 'n_${x}', labels: {l: 'c\\$'}"})
    void groupsThatThePatternHasAreAccepted(String rule) {
        assertThatCode(() -> RuleFile.parse("rules: [{" + rule + "}]")).doesNotThrowAnyException();
    }

    @Test
    void onlyTheBusiestTopicsAreShownAndOneThatIsShownStaysUntilAnotherIsClearlyBusier() throws Exception {
        BusiestTopics topics = new BusiestTopics(server, 1, true);
        FakeBean a = traffic("a").with("Count", 1_000L);
        FakeBean b = traffic("b").with("Count", 900L);
        for (String topic : List.of("a", "b")) {
            register("kafka.log:type=Log,name=Size,topic=" + topic + ",partition=0");
        }
        topics.rank();
        assertThat(shown(topics)).containsExactly("a");

        // b: 1,100 more, a: 1,000 more; then b 5,000 more.
        a.with("Count", 2_000L);
        b.with("Count", 2_000L);
        topics.rank();
        assertThat(shown(topics)).containsExactly("a");
        b.with("Count", 7_000L);
        topics.rank();
        assertThat(shown(topics)).containsExactly("b");
        topics.rank();
        assertThat(shown(topics)).as("without traffic").containsExactly("b");
        assertThat(TextFormat.scrape(topics.collect()).value("kafka_log_log_size_bytes"))
                .isEqualTo(2);
    }

    private static List<String> shown(BusiestTopics topics) {
        String series = "kafka_server_brokertopicmetrics_topic_bytesin_total";
        return TextFormat.scrape(topics.collect()).named(series).stream()
                .map(sample -> sample.labels().get("topic"))
                .toList();
    }

    private FakeBean traffic(String topic) throws JMException {
        return register("kafka.server:type=BrokerTopicMetrics,name=BytesInPerSec,topic=" + topic);
    }

    private FakeBean register(String name) throws JMException {
        FakeBean bean = new FakeBean().with("Count", 1L).with("Value", 1.0);
        server.registerMBean(bean, new ObjectName(name));
        return bean;
    }

    private static Map<String, Object> named(RuleFile rules, BeanIndex index) {
        return new Yaml().load(rules.named(rules.beans(index), Map.of(), Set.of(), true));
    }
}
