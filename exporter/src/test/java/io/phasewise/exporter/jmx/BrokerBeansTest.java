/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.jmx;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.exporter.TextFormat;
import io.prometheus.jmx.JmxCollector;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Holds what is read of beans to what the JMX exporter's collector makes of the same rules. */
class BrokerBeansTest {

    /** No other test, and nothing in the JVM, has beans of it. */
    private static final String DOMAIN = "phasewise.test";

    private static final String REPLICA_MANAGER = "kafka.server:type=ReplicaManager";

    private static final String INCLUDE =
            "includeObjectNames: ['phasewise.test:type=A', 'phasewise.test:type=B,id=*']\n";

    private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    private final AtomicLong nanos = new AtomicLong();
    private final List<String> errors = new ArrayList<>();
    private final List<String> infos = new ArrayList<>();

    private FakeBean register(String name, FakeBean bean) throws JMException {
        server.registerMBean(bean, new ObjectName(name));
        return bean;
    }

    @AfterEach
    void removeBeans() throws JMException {
        for (String pattern : List.of(DOMAIN + ":*", REPLICA_MANAGER + ",*")) {
            for (ObjectName name : server.queryNames(new ObjectName(pattern), null)) {
                server.unregisterMBean(name);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // Of each kind that the built-in rules have.
                "lowercaseOutputName: true\n"
                        + "rules: [{pattern: 'phasewise.test<type=B, id=(\\w+)><>(Cou.+): ', name:"
                        + " b_$2_total, type: COUNTER, help: $2 of B, labels: {id: $1}, cache:"
                        + " true, valueFactor: 0.001}]",
                "rules: [{pattern: 'phasewise.test<type=(\\w+).*><>(\\w+): ', name: $1_$2, cache:"
                        + " true, labels: {type: $1, id: b}}]",
                // A cached rule never sees a value, another does; who comes first decides.
                "rules: [{pattern: '<type=A><>Text: (\\w+)', name: text, value: 1, labels: {text:"
                        + " $1}}, {pattern: '<type=A><>(\\w+)', name: a_$1, cache: true, type:"
                        + " GAUGE}]",
                "metricCustomizers: [{mbeanFilter: {domain: phasewise.test, properties: {type: A}},"
                        + " attributesAsLabels: [Text], extraMetrics: [{name: extra, value: 3}]}]\n"
                        + "rules: [{pattern: '<type=A><>(\\w+)', name: a_$1, cache: true}]",
                "excludeObjectNameAttributes: {'phasewise.test:type=A': [Count]}\n"
                        + "rules: [{pattern: '<type=A><>(\\w+)', name: a_$1, cache: true}]",
            })
    void isWhatTheCollectorShowsAtEveryScrape(String rules) throws Exception {
        FakeBean a = bean().with("On", true).with("Text", "first");
        FakeBean b = bean();
        register(DOMAIN + ":type=A", a);
        register(DOMAIN + ":type=B,id=x", b);
        register(DOMAIN + ":type=B,id=y", bean());
        BrokerBeans beans = beans(rules);
        PrometheusRegistry collector = new PrometheusRegistry();
        new JmxCollector(INCLUDE + rules).register(collector);

        for (int scrape = 0; scrape < 4; scrape++) {
            assertThat(lines(beans.collect()))
                    .as("scrape %d", scrape)
                    .isEqualTo(lines(collector.scrape()))
                    .isNotEmpty();
            a.with("Count", 100L + scrape).with("On", scrape % 2 == 0).with("Text", "no" + scrape);
            b.with("Count", 200.5 + scrape).with("Mean", Double.NaN);
        }
    }

    @Test
    void anAttributeThatComesIsReadAndSoIsOneThatHadNoValue() throws Exception {
        FakeBean a = bean().with("Late", null);
        register(DOMAIN + ":type=A", a);
        BrokerBeans beans = beans("rules: [{pattern: '<type=A><>(.+): ', name: a_$1, cache: true}]");
        assertThat(values(beans.collect())).containsExactly("a_Count 1.0", "a_Mean 1.5");
        assertThat(values(beans.collect())).containsExactly("a_Count 1.0", "a_Mean 1.5");

        a.with("Late", 3);
        assertThat(values(beans.collect())).contains("a_Late 3.0");

        // As Kafka does where a bean gets one more.
        server.unregisterMBean(new ObjectName(DOMAIN + ":type=A"));
        assertThat(values(beans.collect())).isEmpty();
        register(DOMAIN + ":type=A", a.with("New", 4));
        nanos.addAndGet(5_000_000_000L);
        assertThat(values(beans.collect())).containsExactly("a_Count 1.0", "a_Late 3.0", "a_Mean 1.5", "a_New 4.0");
        assertThat(values(beans.collect())).hasSize(4);
    }

    @ParameterizedTest
    @CsvSource({"UnderReplicatedPartitions,true", "LeaderCount,false", "ProducerIdCount,false"})
    void aCostlyCountIsReadAgainWhenAMinuteIsOverOrAChangeWasNoticed(String count, boolean urgent) throws Exception {
        FakeBean costly = count(count);
        FakeBean cheap = count("PartitionCount");
        AtomicLong changes = new AtomicLong();
        BrokerBeans beans = counts("name: $1", changes);
        assertThat(values(beans.collect())).containsExactlyInAnyOrder("PartitionCount 1.0", count + " 1.0");

        costly.with("Value", 2);
        cheap.with("Value", 2);
        assertThat(values(beans.collect()))
                .as("while changes go unnoticed")
                .contains("PartitionCount 2.0", count + (urgent ? " 2.0" : " 1.0"));
        changes.set(1);
        assertThat(values(beans.collect())).contains(count + " 2.0");

        costly.with("Value", 3);
        register(DOMAIN + ":type=Another", bean());
        nanos.addAndGet(59_999_999_999L);
        assertThat(values(beans.collect())).contains(count + " 2.0");
        nanos.addAndGet(1);
        assertThat(values(beans.collect())).contains(count + " 3.0");
        costly.with("Value", 4);
        changes.set(2);
        assertThat(values(beans.collect())).contains(count + " 4.0");
    }

    @Test
    void countsThatTheRulesMakeOneMetricOfDoNotRest() throws Exception {
        FakeBean costly = count("LeaderCount");
        count("PartitionCount");
        BrokerBeans beans = counts("name: count, labels: {of: $1}", new AtomicLong(1));
        for (int value = 1; value <= 3; value++) {
            costly.with("Value", value);
            assertThat(values(beans.collect()))
                    .containsExactly("count{of=\"LeaderCount\"} " + value + ".0", "count{of=\"PartitionCount\"} 1.0");
        }
    }

    /** Each of these rules fails with bean B, for a reason that only its attributes show. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                // Two labels of one name.
                "{pattern: '<type=B, id=(\\w+)><>Count', name: b, labels: {$1: a, x: b}}",
                // The same, of a rule whose value is looked at once.
                "{pattern: '<type=B, id=(\\w+)><>Count', name: b, cache: true, labels: {$1: a, x: b}}",
            })
    void aRuleThatFailsTakesNoOtherMetricThanItsOwnWithIt(String rule) throws Exception {
        register(DOMAIN + ":type=A", bean());
        register(DOMAIN + ":type=B,id=x", bean());
        String others = "{pattern: '<type=A><>(Count)', name: a}, %s {pattern: '<type=(A|B).*><>Mean', name: mean_$1}";
        List<String> without =
                values(beans("rules: [" + others.formatted("") + "]").collect());
        assertThat(without).contains("a 1.0", "mean_A 1.5");
        BrokerBeans beans = beans("rules: [" + others.formatted(rule + ",") + "]");
        for (int scrape = 0; scrape < 3; scrape++) {
            MetricSnapshots metrics = beans.collect();
            assertThat(values(metrics)).contains("a 1.0", "mean_A 1.5").noneMatch(line -> line.startsWith("b"));
            assertThat(TextFormat.of(metrics)).contains("jmx_scrape_error 1.0").doesNotContain(RuleFile.LOST);
        }
        assertThat(errors).singleElement().asString().contains("line 2: rule 2 (pattern '<type=B");
        assertThat(infos).isEmpty();
    }

    /** Java's regular expressions call themselves for each letter that such a group takes. */
    @Test
    void aPatternThatOverflowsTheStackTakesNoOtherMetricThanItsOwnWithIt() throws Exception {
        register(DOMAIN + ":type=A", bean().with("Text", "x".repeat(200_000)));
        BrokerBeans beans = beans(
                "rules: [{pattern: '<type=A><>(Count)', name: a}, {pattern: '<type=A><>Text: (a|.)*', name: b, value: 1}]");
        for (int scrape = 0; scrape < 3; scrape++) {
            assertThat(values(beans.collect())).containsExactly("a 1.0");
        }
        assertThat(errors).singleElement().asString().contains("rule 2 ", "StackOverflowError");
    }

    /** What the collector makes harmless by itself. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                // A label that Prometheus keeps for itself.
                "{pattern: '<type=B, id=(\\w+)><>Count', name: b, labels: {__$1: a}}",
                // Two samples alike.
                "{pattern: '<type=B, id=x><>', name: b}",
                // A metric whose name begins with a digit.
                "{pattern: '<type=B, id=(\\w+)><>Count', name: '1b', labels: {'__': a}}",
            })
    void aRuleThatMakesNamesWhichPrometheusRefusesIsNotLost(String rule) throws Exception {
        register(DOMAIN + ":type=A", bean());
        register(DOMAIN + ":type=B,id=x", bean());
        BrokerBeans beans = beans("rules: [" + rule + ", {pattern: '<type=A><>Count', name: a}]");
        assertThat(values(beans.collect())).contains("a 1.0").anyMatch(line -> line.matches("_?1?b.*"));
        assertThat(errors).isEmpty();
    }

    @Test
    void severalRulesThatFailAreEachFound() throws Exception {
        register(DOMAIN + ":type=A", bean());
        String fails = "{pattern: '<type=(A)><>%s', name: b, labels: {$1: a, A: b}}, ";
        BrokerBeans beans = beans("rules: [" + fails.formatted("Absent") + fails.formatted("Count")
                + fails.formatted("Mean") + "{pattern: '<type=A>', name: late}]");
        assertThat(values(beans.collect())).isEmpty();
        assertThat(errors)
                .hasSize(2)
                .anyMatch(line -> line.contains("rule 2 "))
                .anyMatch(line -> line.contains("rule 3 "));
    }

    @Test
    void aRuleThatNoLongerFailsIsUsedAgainTenMinutesLaterAndTheseAreTold() throws Exception {
        FakeBean a =
                register(DOMAIN + ":type=A", new FakeBean().with("Text", "one").with("Count", 1L));
        BrokerBeans beans = beans("rules: [{pattern: '<type=A><>Text: (\\w+)', name: text, value: 1,"
                + " labels: {$1: a, one: b}}, {pattern: '<type=A><>(Count)', name: count}]");
        assertThat(values(beans.collect())).containsExactly("count 1.0");
        nanos.addAndGet(600_000_000_000L);
        assertThat(values(beans.collect())).as("tried again").containsExactly("count 1.0");
        a.with("Text", "two");
        nanos.addAndGet(599_999_999_999L);
        assertThat(values(beans.collect())).containsExactly("count 1.0");
        assertThat(errors).as("told once").hasSize(1);
        nanos.addAndGet(1);
        MetricSnapshots metrics = beans.collect();
        assertThat(values(metrics)).hasSize(2).contains("count 1.0");
        assertThat(TextFormat.of(metrics)).contains("jmx_scrape_error 0.0");
        assertThat(infos).singleElement().asString().contains("rule 1 ", "no longer fails");
        a.with("Text", "one");
        assertThat(values(beans.collect())).containsExactly("count 1.0");
        assertThat(errors).hasSize(2);
    }

    private FakeBean count(String name) throws JMException {
        return register(REPLICA_MANAGER + ",name=" + name, new FakeBean().with("Value", 1));
    }

    private BrokerBeans counts(String series, AtomicLong changes) throws JMException {
        String rule = "{pattern: 'name=(.+)><>Value', cache: true, " + series + "}";
        String rules = "includeObjectNames: ['kafka.server:*']\nrules: [" + rule + "]";
        return new BrokerBeans(RuleFile.parse(rules), false, changes::get, nanos::get, errors::add, infos::add);
    }

    private static FakeBean bean() {
        return new FakeBean().with("Count", 1L).with("Mean", 1.5);
    }

    private BrokerBeans beans(String rules) throws JMException {
        return new BrokerBeans(RuleFile.parse(INCLUDE + rules), false, () -> 0, nanos::get, errors::add, infos::add);
    }

    /** Everything but the collector's own metrics, which tell times. */
    private static List<String> lines(MetricSnapshots metrics) {
        return TextFormat.of(metrics)
                .lines()
                .filter(line -> !line.contains("jmx_") && !line.isEmpty())
                .sorted()
                .toList();
    }

    private static List<String> values(MetricSnapshots metrics) {
        return lines(metrics).stream().filter(line -> !line.startsWith("#")).toList();
    }
}
