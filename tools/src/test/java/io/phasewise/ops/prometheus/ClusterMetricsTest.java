/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.ops.prometheus;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.ops.prediction.ProbeTime;
import io.phasewise.ops.prediction.Window;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ClusterMetricsTest {

    @AutoClose
    private FakePrometheus prometheus;

    @BeforeEach
    void start() throws IOException {
        prometheus = new FakePrometheus();
    }

    private ClusterMetrics local() throws Exception {
        prometheus.vector("group by (cluster)", "{\"cluster\":\"local\"} 1");
        return ClusterMetrics.in(prometheus.url()).get("local");
    }

    @Test
    void theSuspectIsTheOneBrokerThatProbesWaitForLongest() throws Exception {
        prometheus.vector(
                "(kafka_suspect{cluster=\"local\",broker=~\"[0-9]{1,9}\",role!=\"controller\",who!=\"\"})",
                "{\"broker\":\"1\",\"who\":\"Broker 1, its disk\"} 0.1",
                "{\"broker\":\"3\",\"who\":\"Broker 3, as a follower\"} 0.4");

        assertThat(local().suspect()).hasValue(new Suspect(3, "Broker 3, as a follower", 0.4));
    }

    @Test
    void aWindowHasBatchesByLeaderAndWhatBrokersSay() throws Exception {
        prometheus
                .vector("vector(0)", "{} 0")
                .raw(
                        "histogram_sum(increase(kafka_canary_end_to_end_latency",
                        "\"matrix\",\"result\":[{\"metric\":{\"leader\":\"1\"},\"values\":[[970,\"2\"],[1000,\"3\"]]},"
                                + "{\"metric\":{\"leader\":\"2\"},\"values\":[[1000,\"5\"]]}]")
                .raw(
                        "histogram_count(increase(kafka_canary_end_to_end_latency",
                        "\"matrix\",\"result\":[{\"metric\":{\"leader\":\"1\"},\"values\":[[970,\"20\"],[1000,\"30\"]]},"
                                + "{\"metric\":{\"leader\":\"2\"},\"values\":[[1000,\"50\"]]}]")
                .vector(
                        "kafka_commit_gated_seconds_total",
                        "{\"broker\":\"1\",\"follower\":\"2\"} 0.25",
                        "{\"broker\":\"1\",\"follower\":\"several\"} 0.5")
                .vector("kafka_canary_request_phase_seconds", "{\"broker\":\"2\"} 0.125");

        Window window = local().window(Duration.ofSeconds(300));

        assertThat(window.batches())
                .containsExactly(
                        Map.of(1, new ProbeTime(2, 20)), Map.of(1, new ProbeTime(3, 30), 2, new ProbeTime(5, 50)));
        assertThat(window.waits()).isEqualTo(Map.of(1, Map.of("2", 0.25, "several", 0.5)));
        assertThat(window.queue()).isEqualTo(Map.of(2, 0.125));
    }
}
