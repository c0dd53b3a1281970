/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.stack;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.common.progress.Terminal;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LatencyLineTest {

    private static String line(String... brokers) {
        return line(Terminal.plain(), brokers);
    }

    private static String line(Terminal terminal, String... brokers) {
        return new LatencyLine(terminal)
                .of("{\"clusters\":[{\"brokers\":[%s]}]}"
                        .formatted(String.join(",", brokers))
                        .getBytes(StandardCharsets.UTF_8));
    }

    private static String broker(int id, boolean leads, boolean ready, String endToEnd) {
        return "{\"id\":%d,\"leads\":%b,\"ready\":%b,\"endToEnd\":%s}".formatted(id, leads, ready, endToEnd);
    }

    private static String quantiles(double p50, double p99) {
        return "{\"count\":9,\"p50Seconds\":" + p50 + ",\"p99Seconds\":" + p99 + "}";
    }

    @Test
    void eachBrokerHasItsMedianAndItsTailAndAllFitInto80Columns() {
        String one = broker(1, true, true, quantiles(0.0012, 0.0061));
        String two = broker(2, true, true, quantiles(0.0131, 0.259));
        String three = broker(3, true, true, quantiles(0.0995, 1.2));

        assertThat(line(one, two, three))
                .isEqualTo("p50/p99 ms  broker-1 1.20/6.10  broker-2 13.1/259  broker-3 99.5/1200")
                .hasSizeLessThan(80);
    }

    @Test
    void aBrokerWithoutNumbersSaysWhy() {
        assertThat(line(broker(1, true, false, "{\"count\":0}"))).contains("broker-1 no probe back");
        assertThat(line(broker(2, false, false, "null"))).contains("broker-2 leads no partition");
        assertThat(line(broker(3, true, false, quantiles(0.001, 0.002))))
                .contains("broker-3 1.00/2.00 (no probe back)");
    }

    @Test
    void withoutABrokerOrAnAnswerTheLineSaysSo() {
        assertThat(line()).contains("no broker measured yet");
        assertThat(new LatencyLine(Terminal.plain()).of("<html>".getBytes(StandardCharsets.UTF_8)))
                .contains("the canary does not answer");
    }

    @Test
    void coloursOnlyWhereTheyAreWanted() {
        String silent = broker(1, true, false, "{\"count\":0}");

        assertThat(line(new Terminal(true, true, true), silent)).contains("\u001b[33m");
        assertThat(line(new Terminal(true, false, true), silent)).doesNotContain("\u001b");
    }

    @ParameterizedTest
    @CsvSource({"0.0000004, 0.00", "0.00999, 9.99", "0.009996, 10.0", "0.0999, 99.9", "0.09996, 100", "12.3456, 12346"})
    void millisecondsHaveThreeSignificantDigits(double seconds, String text) {
        assertThat(LatencyLine.millis(seconds)).isEqualTo(text);
    }
}
