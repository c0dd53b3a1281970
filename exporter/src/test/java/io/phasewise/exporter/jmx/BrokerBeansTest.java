/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.jmx;

import static org.assertj.core.api.Assertions.assertThat;

import io.prometheus.jmx.JmxCollector;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.ByteArrayOutputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import javax.management.Attribute;
import javax.management.AttributeList;
import javax.management.DynamicMBean;
import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanInfo;
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

    /** A bean with the attributes that it is given, as Kafka's own are. */
    private static final class Bean implements DynamicMBean {
        private final AttributeList values = new AttributeList();

        Bean with(String attribute, Object value) {
            values.removeIf(each -> ((Attribute) each).getName().equals(attribute));
            values.add(new Attribute(attribute, value));
            return this;
        }

        @Override
        public Object getAttribute(String attribute) {
            return values.asList().stream()
                    .filter(each -> each.getName().equals(attribute))
                    .map(Attribute::getValue)
                    .findFirst()
                    .orElse(null);
        }

        @Override
        public AttributeList getAttributes(String[] attributes) {
            AttributeList found = new AttributeList();
            for (Attribute each : values.asList()) {
                if (List.of(attributes).contains(each.getName())) {
                    found.add(each);
                }
            }
            return found;
        }

        @Override
        public MBeanInfo getMBeanInfo() {
            MBeanAttributeInfo[] attributes =
                    values.asList().stream()
                            .map(
                                    each ->
                                            new MBeanAttributeInfo(
                                                    each.getName(),
                                                    "java.lang.Object",
                                                    "",
                                                    true,
                                                    false,
                                                    false))
                            .toArray(MBeanAttributeInfo[]::new);
            return new MBeanInfo("bean", "", attributes, null, null, null);
        }

        @Override
        public void setAttribute(Attribute attribute) {
            throw new UnsupportedOperationException();
        }

        @Override
        public AttributeList setAttributes(AttributeList attributes) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Object invoke(String action, Object[] parameters, String[] signature) {
            throw new UnsupportedOperationException();
        }
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
        Bean a = bean().with("On", true).with("Text", "first");
        Bean b = bean();
        server.registerMBean(a, new ObjectName(DOMAIN + ":type=A"));
        server.registerMBean(b, new ObjectName(DOMAIN + ":type=B,id=x"));
        server.registerMBean(bean(), new ObjectName(DOMAIN + ":type=B,id=y"));
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
        Bean a = bean().with("Late", null);
        server.registerMBean(a, new ObjectName(DOMAIN + ":type=A"));
        BrokerBeans beans =
                beans("rules: [{pattern: '<type=A><>(.+): ', name: a_$1, cache: true}]");
        assertThat(values(beans.collect())).containsExactly("a_Count 1.0", "a_Mean 1.5");
        assertThat(values(beans.collect())).containsExactly("a_Count 1.0", "a_Mean 1.5");

        a.with("Late", 3);
        assertThat(values(beans.collect())).contains("a_Late 3.0");

        // As Kafka does where a bean gets one more.
        server.unregisterMBean(new ObjectName(DOMAIN + ":type=A"));
        assertThat(values(beans.collect())).isEmpty();
        server.registerMBean(a.with("New", 4), new ObjectName(DOMAIN + ":type=A"));
        nanos.addAndGet(5_000_000_000L);
        assertThat(values(beans.collect()))
                .containsExactly("a_Count 1.0", "a_Late 3.0", "a_Mean 1.5", "a_New 4.0");
        assertThat(values(beans.collect())).hasSize(4);
    }

    @ParameterizedTest
    @CsvSource({"UnderReplicatedPartitions,true", "LeaderCount,false", "ProducerIdCount,false"})
    void aCostlyCountIsReadAgainWhenAMinuteIsOverOrAChangeWasNoticed(String count, boolean urgent)
            throws Exception {
        Bean costly = register(count);
        Bean cheap = register("PartitionCount");
        AtomicLong changes = new AtomicLong();
        BrokerBeans beans = counts("name: $1", changes);
        assertThat(values(beans.collect()))
                .containsExactlyInAnyOrder("PartitionCount 1.0", count + " 1.0");

        costly.with("Value", 2);
        cheap.with("Value", 2);
        assertThat(values(beans.collect()))
                .as("while changes go unnoticed")
                .contains("PartitionCount 2.0", count + (urgent ? " 2.0" : " 1.0"));
        changes.set(1);
        assertThat(values(beans.collect())).contains(count + " 2.0");

        costly.with("Value", 3);
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
        Bean costly = register("LeaderCount");
        register("PartitionCount");
        BrokerBeans beans = counts("name: count, labels: {of: $1}", new AtomicLong(1));
        for (int value = 1; value <= 3; value++) {
            costly.with("Value", value);
            assertThat(values(beans.collect()))
                    .containsExactly(
                            "count{of=\"LeaderCount\"} " + value + ".0",
                            "count{of=\"PartitionCount\"} 1.0");
        }
    }

    private Bean register(String count) throws JMException {
        Bean bean = new Bean().with("Value", 1);
        server.registerMBean(bean, new ObjectName(REPLICA_MANAGER + ",name=" + count));
        return bean;
    }

    private BrokerBeans counts(String series, AtomicLong changes) throws JMException {
        return new BrokerBeans(
                RuleFile.parse(
                        "includeObjectNames: ['kafka.server:*']\n"
                                + "rules: [{pattern: 'name=(.+)><>Value', cache: true, "
                                + series
                                + "}]"),
                false,
                changes::get,
                nanos::get);
    }

    private static Bean bean() {
        return new Bean().with("Count", 1L).with("Mean", 1.5);
    }

    private BrokerBeans beans(String rules) throws JMException {
        return new BrokerBeans(RuleFile.parse(INCLUDE + rules), false, () -> 0, nanos::get);
    }

    /** Everything but the collector's own metrics, which tell times. */
    private static List<String> lines(MetricSnapshots metrics) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PrometheusTextFormatWriter.create().write(out, metrics);
        return Stream.of(out.toString(StandardCharsets.UTF_8).split("\n"))
                .filter(line -> !line.contains("jmx_") && !line.isEmpty())
                .sorted()
                .toList();
    }

    private static List<String> values(MetricSnapshots metrics) throws Exception {
        return lines(metrics).stream().filter(line -> !line.startsWith("#")).toList();
    }
}
