/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;
import static org.awaitility.Awaitility.await;

import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.trace.v1.Span;
import io.phasewise.canary.show.trace.OtlpReceiver;
import io.phasewise.common.phase.Phase;
import io.phasewise.lab.junit.SharedCluster;
import io.phasewise.lab.measure.Scrape;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** One canary measures three real brokers by several profiles at once. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ProfilesIT {
    @RegisterExtension static final SharedCluster CLUSTER = TestClusters.SHARED;

    private static final Duration BOUND = Duration.ofSeconds(120);
    private static final int[] LEADERS = {1, 2, 3};
    private static final List<String> PROFILES = List.of("default", "app");
    private static final String SWAMPED = "swamped";

    /** Of 25 probes or more through each broker. */
    private static final int STRETCHES = 5;

    /** Less than it lingers, so that all its probes are slow. */
    private static final int APP_TARGET_MS = 10;

    private OtlpReceiver receiver;
    private CanaryProcess canary;
    private final List<Scrape> calm = new ArrayList<>();
    private Scrape quiet;

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        receiver = new OtlpReceiver(0);
        canary =
                new CanaryProcess(
                        directory,
                        Map.of(
                                "it",
                                Map.of(
                                        "bootstrap-servers",
                                        CLUSTER.get().bootstrap(),
                                        "topic",
                                        Map.of("name", "profiles"),
                                        "profiles",
                                        Map.of(
                                                "app",
                                                Map.of(
                                                        "slo",
                                                        Map.of("target", APP_TARGET_MS + "ms"),
                                                        "producer",
                                                        Map.of(
                                                                "linger.ms",
                                                                "20",
                                                                "batch.size",
                                                                "65536",
                                                                "compression.type",
                                                                "lz4",
                                                                "acks",
                                                                "1")),
                                                "swamped",
                                                Map.of(
                                                        "slo",
                                                        Map.of("target", "5s"),
                                                        "probe",
                                                        Map.of("rate", 30, "max-in-flight", 100),
                                                        "consumer",
                                                        Map.of(
                                                                "fetch.min.bytes",
                                                                "1048576",
                                                                "fetch.max.wait.ms",
                                                                "3000"))))),
                        Map.of("endpoint", receiver.endpoint(), "sample-one-in", 20),
                        List.of("-Xmx256m"));
        await("ready").atMost(BOUND).until(canary::ready);
        quiet = awaitProbes(canary.scrape(), 60);
        calm.add(quiet);
        for (int i = 0; i < STRETCHES; i++) {
            quiet = awaitProbes(quiet, 25);
            calm.add(quiet);
        }
    }

    @AfterAll
    void stop() {
        if (canary != null) {
            canary.close();
        }
        if (receiver != null) {
            receiver.close();
        }
    }

    @Test
    void everyProfileDeliversOnATopicOfItsOwn() {
        assertThat(canary.status().get("clusters"))
                .extracting(
                        entry ->
                                entry.get("name").asText()
                                        + " "
                                        + entry.get("profile").asText()
                                        + " "
                                        + entry.get("topic").get("name").asText())
                .containsExactlyInAnyOrder(
                        "it default profiles",
                        "it app profiles-app",
                        "it swamped profiles-swamped");
    }

    @Test
    void everyProfileConservesItsProbes() {
        Scrape scrape = canary.scrape();
        for (String profile : List.of("default", "app", SWAMPED)) {
            for (int leader : LEADERS) {
                String[] labels = {PhaseSums.profile(profile), CanaryPages.leader(leader)};
                assertThat(scrape.sum("kafka_canary_probes_scheduled_total", labels))
                        .as("%s, leader %d", profile, leader)
                        .isPositive()
                        .isEqualTo(
                                scrape.sum("kafka_canary_probes_total", labels)
                                        + scrape.sum("kafka_canary_probes_in_flight", labels));
            }
        }
    }

    /** 90 probes a second that stay in flight for 1.5 seconds would be 135. */
    @Test
    void noMoreProbesAreInFlightThanAllowedAndTheOthersFailAtOnce() {
        String swamped = PhaseSums.profile(SWAMPED);

        assertThat(quiet.sum("kafka_canary_probes_in_flight", swamped)).isBetween(1.0, 100.0);
        double failed = quiet.sum("kafka_canary_probes_total", swamped, "outcome=\"send_failed\"");
        assertThat(failed).isPositive();
        // More fail between the reading of one counter and of the other.
        assertThat(
                        quiet.sum(
                                "kafka_canary_errors_total",
                                swamped,
                                "error=\"TooManyInFlightException\""))
                .isCloseTo(failed, withinPercentage(10));
        assertThat(quiet.sum("kafka_canary_probes_total", swamped, "outcome=\"delivered\""))
                .isPositive();
    }

    @Test
    void anApplicationsLingerShowsInItsProfileOnly() {
        double[] added =
                IntStream.range(0, STRETCHES)
                        .mapToDouble(i -> produce("app", i) - produce("default", i))
                        .sorted()
                        .toArray();

        // A busy machine adds to it; how exact it is, SetUpsAtLengthIT asks a fit one.
        assertThat(added[STRETCHES / 2]).as("milliseconds").isGreaterThan(14);
    }

    @Test
    void probesOfEveryProfileBecomeTracesWhosePhasesAddUp() {
        await("slow ones, and some of the others, with all replicas in sync")
                .atMost(BOUND)
                .pollInterval(Duration.ofMillis(500))
                .until(
                        () -> {
                            Set<String> kinds = new HashSet<>();
                            for (OtlpReceiver.Trace trace : receiver.traces().values()) {
                                Map<String, AnyValue> said = said(trace);
                                if (said.get("isr").getArrayValue().getValuesCount() == 3) {
                                    kinds.add(
                                            said.get("profile").getStringValue()
                                                    + said.get("slow").getBoolValue());
                                }
                            }
                            return kinds.containsAll(
                                    Set.of("defaultfalse", "apptrue", SWAMPED + "false"));
                        });

        for (OtlpReceiver.Trace trace : receiver.traces().values()) {
            assertThat(trace.phases())
                    .extracting(Span::getName)
                    .containsExactlyInAnyOrder("produce", "publish", "commit", "catch_up", "fetch");
            assertThat(trace.phases().stream().mapToLong(ProfilesIT::length).sum())
                    .isEqualTo(length(trace.root()));
            Map<String, AnyValue> said = said(trace);
            if (said.get("profile").getStringValue().equals("app")) {
                assertThat(said.get("slow").getBoolValue())
                        .isEqualTo(length(trace.root()) > APP_TARGET_MS * 1_000_000L);
            }
            assertThat(said.get("cluster").getStringValue()).isEqualTo("it");
            assertThat(said.get("leader").getIntValue()).isBetween(1L, 3L);
            assertThat(said.get("partition").getIntValue()).isBetween(0L, 2L);
            assertThat(said.get("offset").getIntValue()).isNotNegative();
        }
        Scrape scrape = canary.scrape();
        assertThat(scrape.sum("kafka_canary_traces_total", "result=\"exported\"")).isPositive();
        // Where the machine is busy, more are slow than can be sent, and a request may time out.
        assertThat(scrape.sum("kafka_canary_traces_total", "result=\"given_up\"")).isZero();
    }

    @Test
    void anExemplarNamesItsTrace() {
        Pattern exemplar = Pattern.compile("_bucket\\{.* # \\{.*trace_id=\"([0-9a-f]{32})\"");
        await("the trace of an exemplar")
                .atMost(BOUND)
                .until(
                        () ->
                                exemplar.matcher(canary.scrape().text())
                                        .results()
                                        .anyMatch(
                                                found ->
                                                        receiver.traces()
                                                                .containsKey(found.group(1))));
    }

    private static Map<String, AnyValue> said(OtlpReceiver.Trace trace) {
        return OtlpReceiver.attributes(trace.root().getAttributesList());
    }

    private static long length(Span span) {
        return span.getEndTimeUnixNano() - span.getStartTimeUnixNano();
    }

    private Scrape awaitProbes(Scrape since, int each) {
        return canary.awaitProbes(
                since, each, PROFILES.stream().map(PhaseSums::profile).toList(), LEADERS);
    }

    /** The mean of produce in one stretch in which nothing is done but measuring, milliseconds. */
    private double produce(String profile, int stretch) {
        return PhaseSums.between(
                        calm.get(stretch),
                        calm.get(stretch + 1),
                        PhaseSums.profile(profile),
                        LEADERS)
                .means()
                .get(Phase.PRODUCE);
    }
}
