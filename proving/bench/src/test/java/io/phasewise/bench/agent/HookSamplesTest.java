/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Which samples are the agent's. */
class HookSamplesTest {
    private static final String HANDLER = "[data-plane-kafka-request-handler-0 tid=7];java/run;";

    @Test
    void countsByWhatKafkaCalled() {
        HookSamples samples = HookSamples.of(Stream.of(
                HANDLER + "kafka/server/KafkaApis.handle 90",
                HANDLER
                        + "Log.append;io/phasewise/exporter/marks/MarkAdvice.logAppended;"
                        + "io/phasewise/exporter/recorder/StripedRecorder.record 3",
                "[data-plane-kafka-network-thread-1 tid=8];Request.update;"
                        + "io/phasewise/exporter/timing/RequestAdvice.enter 2",
                "[phasewise-exporter-http tid=9];io/phasewise/exporter/http/Server.answer 50"));
        assertThat(samples).isEqualTo(new HookSamples(95, Map.of("marks.logAppended", 3L, "timing.enter", 2L)));
        assertThat(samples.of("")).isEqualTo(5);
        assertThat(samples.of("marks.")).isEqualTo(3);
        assertThat(samples.plus(samples).of("timing.")).isEqualTo(4);
    }

    /** Wilson's interval of 3 of 95: (0.0108, 0.0888). */
    @Test
    void theIntervalIsWilsons() {
        HookSamples samples = new HookSamples(95, Map.of("marks.a", 3L));
        assertThat(samples.interval(3).getLowerBound()).isCloseTo(0.0108, within(0.0005));
        assertThat(samples.interval(3).getUpperBound()).isCloseTo(0.0888, within(0.0005));
    }
}
