/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.phasewise.canary.show.trace.OtlpReceiver;
import io.phasewise.common.phase.Phase;
import io.phasewise.lab.junit.SharedCluster;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** One canary measures three real brokers by several profiles at once. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ProfilesIT {
    @RegisterExtension
    static final SharedCluster CLUSTER = TestClusters.SHARED;

    private static final int[] LEADERS = {1, 2, 3};
    private static final List<String> CALM = List.of("profile=default", "profile=app");
    private static final String SWAMPED = "profile=swamped";

    /** Less than it lingers, so that all its probes are slow. */
    private static final int APP_TARGET_MS = 10;

    private OtlpReceiver receiver;
    private RunningCanary canary;

    /** Of 125 probes and more through each broker. */
    private Scrape grown;

    private Scrape quiet;

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        receiver = new OtlpReceiver();
        String config = """
                traces: {endpoint: "%s", sample-one-in: 20}
                clusters:
                  it:
                    bootstrap-servers: %s
                    topic: {name: profiles}
                    profiles:
                      app:
                        probe: {pipelined: true}
                        slo: {target: %dms}
                        producer: {linger.ms: 20, batch.size: 65536, compression.type: lz4, acks: 1}
                      swamped:
                        slo: {target: 5s}
                        probe: {rate: 30, max-in-flight: 100}
                        consumer: {fetch.min.bytes: 1048576, fetch.max.wait.ms: 3000}
                """.formatted(receiver.endpoint(), CLUSTER.get().bootstrap(), APP_TARGET_MS);
        canary = RunningCanary.jar(directory, config, "-Xmx256m");
        canary.awaitReady();
        Scrape warm = canary.awaitProbes(canary.scrape(), 60, CALM, LEADERS);
        quiet = canary.awaitProbes(warm, 125, CALM, LEADERS);
        grown = quiet.since(warm);
    }

    @AfterAll
    void stop() throws Exception {
        TestClusters.close(canary, receiver);
    }

    @Test
    void everyProfileDeliversOnATopicOfItsOwnAndConservesItsProbes() {
        assertThat(canary.status().get("clusters"))
                .extracting(entry -> entry.get("name").asText()
                        + " "
                        + entry.get("profile").asText()
                        + " "
                        + entry.at("/topic/name").asText())
                .containsExactlyInAnyOrder("it default profiles", "it app profiles-app", "it swamped profiles-swamped");
        Scrape scrape = canary.scrape();
        for (String profile : List.of("profile=default", "profile=app", SWAMPED)) {
            for (int leader : LEADERS) {
                String[] labels = {profile, Scrape.leader(leader)};
                assertThat(scrape.sum("kafka_canary_probes_scheduled_total", labels))
                        .isPositive();
                assertThat(scrape.conserved(labels))
                        .as("%s, leader %d", profile, leader)
                        .isTrue();
            }
        }
    }

    /** 90 probes a second that stay in flight for 1.5 seconds would be 135. */
    @Test
    void noMoreProbesAreInFlightThanAllowedAndTheOthersFailAtOnce() {
        assertThat(quiet.inFlight(SWAMPED)).isBetween(1.0, 100.0);
        double failed = quiet.probes("send_failed", SWAMPED);
        assertThat(failed).isPositive();
        // More fail between the reading of one counter and of the other.
        assertThat(quiet.sum("kafka_canary_errors_total", SWAMPED, "error=TooManyInFlightException"))
                .isCloseTo(failed, withinPercentage(20));
        assertThat(quiet.probes("delivered", SWAMPED)).isPositive();
    }

    /**
     * Who lingers waits so long at least, while what a busy machine adds is waited for meanwhile:
     * so no difference is asked. How exact it is on a machine that does nothing else, FaultPhasesIT
     * asks of faults.
     */
    @Test
    void whatAClientIsSetToShowsInThePhaseThatItBelongsTo() {
        PhaseMeans lingering = PhaseMeans.of(grown, "profile=app", LEADERS);
        assertThat(lingering.get(Phase.PRODUCE)).as("ms: %s", lingering).isGreaterThan(14);

        PhaseMeans usual = PhaseMeans.of(grown, "profile=default", LEADERS);
        PhaseMeans waiting = PhaseMeans.of(grown, SWAMPED, LEADERS).minus(usual);
        assertThat(waiting.get(Phase.FETCH)).as("ms: %s", waiting).isGreaterThan(1_000);
    }

    /** What a trace says of its probe is TraceExportIT's, and ProbeSpansTest's. */
    @Test
    void probesOfEveryProfileBecomeTraces() {
        RunningCanary.await(
                "slow ones, and some of the others, with all replicas in sync",
                () -> receiver.roots().stream()
                        .map(OtlpReceiver::attributes)
                        .filter(it -> it.get("isr").getArrayValue().getValuesCount() == 3)
                        .map(it -> it.get("profile").getStringValue()
                                + it.get("slow").getBoolValue())
                        .collect(Collectors.toSet())
                        .containsAll(Set.of("defaultfalse", "apptrue", "swampedfalse")));

        Scrape scrape = canary.scrape();
        assertThat(scrape.sum("kafka_canary_traces_total", "result=exported")).isPositive();
        // Where the machine is busy, more are slow than can be sent, and a request may time out.
        assertThat(scrape.sum("kafka_canary_traces_total", "result=given_up")).isZero();
    }
}
