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

    private FakeBean count(String name) throws JMException {
        return register(REPLICA_MANAGER + ",name=" + name, new FakeBean().with("Value", 1));
    }

    private BrokerBeans counts(String series, AtomicLong changes) throws JMException {
        String rule = "{pattern: 'name=(.+)><>Value', cache: true, " + series + "}";
        String rules = "includeObjectNames: ['kafka.server:*']\nrules: [" + rule + "]";
        return new BrokerBeans(RuleFile.parse(rules), false, changes::get, nanos::get);
    }

    private static FakeBean bean() {
        return new FakeBean().with("Count", 1L).with("Mean", 1.5);
    }

    private BrokerBeans beans(String rules) throws JMException {
        return new BrokerBeans(RuleFile.parse(INCLUDE + rules), false, () -> 0, nanos::get);
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
