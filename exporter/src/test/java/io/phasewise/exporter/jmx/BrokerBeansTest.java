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
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Holds what is read of beans to what the JMX exporter's collector makes of the same rules. */
class BrokerBeansTest {

    /** No other test, and nothing in the JVM, has beans of it. */
    private static final String DOMAIN = "phasewise.test";

    private static final String INCLUDE =
            "includeObjectNames: ['phasewise.test:type=A', 'phasewise.test:type=B,id=*']\n";

    private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    private final AtomicLong nanos = new AtomicLong();

    private void register(String properties, FakeBean bean) throws JMException {
        server.registerMBean(bean, new ObjectName(DOMAIN + ":" + properties));
    }

    @AfterEach
    void removeBeans() throws JMException {
        for (ObjectName name : server.queryNames(new ObjectName(DOMAIN + ":*"), null)) {
            server.unregisterMBean(name);
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
                // Two attributes, one series: the collector tells them apart by the bean's name.
                "rules: [{pattern: '<type=.+><>Count', name: same, cache: true}]",
                // One name, two types.
                "rules: [{pattern: '<type=A><>Count', name: same, cache: true, type: COUNTER},"
                        + " {pattern: '<type=B, id=(.+)><>Count', name: same, cache: true, type:"
                        + " GAUGE, labels: {id: $1}}]",
                // Names of the collector's own making.
                "rules: [{pattern: '.*', cache: true, attrNameSnakeCase: true}]",
                "rules: [{pattern: '<type=A><>(\\w+)', name: a_$1, attrNameSnakeCase: true, cache:"
                        + " true}]",
                "rules: [{pattern: '<type=A><>Count', name: a, value: 7, cache: true}]",
                "rules: [{pattern: '<type=A><>Count', name: '', cache: true}, {pattern:"
                        + " '<type=A><>(.+): ', name: a_$1, cache: true}]",
                "metricCustomizers: [{mbeanFilter: {domain: phasewise.test, properties: {type: A}},"
                        + " attributesAsLabels: [Text], extraMetrics: [{name: extra, value: 3}]}]\n"
                        + "rules: [{pattern: '<type=A><>(\\w+)', name: a_$1, cache: true}]",
                "excludeObjectNameAttributes: {'phasewise.test:type=A': [Count]}\n"
                        + "rules: [{pattern: '<type=A><>(\\w+)', name: a_$1, cache: true}]",
            })
    void isWhatTheCollectorShowsAtEveryScrape(String rules) throws Exception {
        FakeBean a = bean().with("On", true).with("Text", "first");
        FakeBean b = bean();
        register("type=A", a);
        register("type=B,id=x", b);
        register("type=B,id=y", bean());
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
        register("type=A", a);
        BrokerBeans beans =
                beans("rules: [{pattern: '<type=A><>(.+): ', name: a_$1, cache: true}]");
        assertThat(values(beans.collect())).containsExactly("a_Count 1.0", "a_Mean 1.5");
        assertThat(values(beans.collect())).containsExactly("a_Count 1.0", "a_Mean 1.5");

        a.with("Late", 3);
        assertThat(values(beans.collect())).contains("a_Late 3.0");

        // As Kafka does where a bean gets one more.
        server.unregisterMBean(new ObjectName(DOMAIN + ":type=A"));
        assertThat(values(beans.collect())).isEmpty();
        register("type=A", a.with("New", 4));
        nanos.addAndGet(5_000_000_000L);
        assertThat(values(beans.collect()))
                .containsExactly("a_Count 1.0", "a_Late 3.0", "a_Mean 1.5", "a_New 4.0");
        assertThat(values(beans.collect())).hasSize(4);
    }

    @Test
    void onceKnownAnAttributeIsNotTheCollectorsAnyMore() throws Exception {
        register("type=A", bean());
        RuleFile rules =
                RuleFile.parse(
                        INCLUDE
                                + "rules: [{pattern: '<type=A><>(.+): ', name: a_$1, cache:"
                                + " true}]");
        KnownSeries known = new KnownSeries(server, Map.of(), Duration.ZERO, nanos::get);
        BeanIndex index = BeanIndex.follow(server, rules.included());
        for (int scrape = 0; scrape < 2; scrape++) {
            PrometheusRegistry collector = new PrometheusRegistry();
            String named = rules.named(index, rules.use(), Map.of(), known);
            assertThat(named.contains("phasewise.test:type=A")).isEqualTo(scrape == 0);
            new JmxCollector(named).register(collector);
            assertThat(values(known.complete(collector.scrape()))).hasSize(2);
            assertThat(known.hasGrown()).isEqualTo(scrape == 0);
        }
    }

    @Test
    void aBeanThatRestsIsReadAgainWhenItsTimeIsOverOrItsVersionIsAnother() throws Exception {
        AtomicLong version = new AtomicLong();
        FakeBean costly = bean();
        ObjectName name = new ObjectName(DOMAIN + ":type=A");
        server.registerMBean(costly, name);
        FakeBean cheap = bean();
        register("type=B,id=x", cheap);
        RuleFile rules =
                RuleFile.parse(
                        INCLUDE
                                + "rules: [{pattern: '<type=(.).*><>(.+): ', name: $1_$2, cache:"
                                + " true}]");
        KnownSeries known =
                new KnownSeries(
                        server, Map.of(name, version::get), Duration.ofSeconds(30), nanos::get);
        BeanIndex index = BeanIndex.follow(server, rules.included());
        PrometheusRegistry collector = new PrometheusRegistry();
        new JmxCollector(rules.named(index, rules.use(), Map.of(), known)).register(collector);
        assertThat(values(known.complete(collector.scrape())))
                .contains("A_Count 1.0", "B_Count 1.0");
        MetricSnapshots none = new MetricSnapshots();

        costly.with("Count", 2);
        cheap.with("Count", 2);
        nanos.addAndGet(29_999_999_999L);
        assertThat(values(known.complete(none))).contains("A_Count 1.0", "B_Count 2.0");
        nanos.addAndGet(1);
        assertThat(values(known.complete(none))).contains("A_Count 2.0", "B_Count 2.0");

        costly.with("Count", 3);
        assertThat(values(known.complete(none))).contains("A_Count 2.0");
        version.incrementAndGet();
        assertThat(values(known.complete(none))).contains("A_Count 3.0");
    }

    @Test
    void whatAlertsWaitForRestsOnlyWhereChangesAreNoticed() throws Exception {
        FakeBean counts = new FakeBean().with("Value", 1);
        ObjectName name =
                new ObjectName("kafka.server:type=ReplicaManager,name=UnderReplicatedPartitions");
        server.registerMBean(counts, name);
        AtomicLong changes = new AtomicLong();
        try {
            BrokerBeans beans =
                    new BrokerBeans(
                            RuleFile.parse(
                                    "includeObjectNames: ['kafka.server:*']\n"
                                            + "rules: [{pattern: 'name=(.+)><>Value', name: $1,"
                                            + " cache: true}]"),
                            false,
                            changes::get,
                            nanos::incrementAndGet);
            assertThat(values(beans.collect())).containsExactly("UnderReplicatedPartitions 1.0");
            assertThat(values(beans.collect())).containsExactly("UnderReplicatedPartitions 1.0");
            counts.with("Value", 2);
            assertThat(values(beans.collect())).containsExactly("UnderReplicatedPartitions 2.0");

            changes.incrementAndGet();
            assertThat(values(beans.collect())).containsExactly("UnderReplicatedPartitions 2.0");
            counts.with("Value", 3);
            assertThat(values(beans.collect())).containsExactly("UnderReplicatedPartitions 2.0");
            changes.incrementAndGet();
            assertThat(values(beans.collect())).containsExactly("UnderReplicatedPartitions 3.0");
        } finally {
            server.unregisterMBean(name);
        }
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
