/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.stack;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.phasewise.common.progress.Terminal;
import io.phasewise.common.progress.Terminal.Colour;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Words the canary's {@code /status} as one line: the median and the 99th percentile of end-to-end
 * latency for each broker of the first cluster, in milliseconds. It fits into 80 columns when all
 * brokers are healthy.
 */
final class LatencyLine {

    private static final String HEAD = "p50/p99 ms  ";

    private final ObjectMapper json = new ObjectMapper();
    private final Terminal terminal;

    LatencyLine(Terminal terminal) {
        this.terminal = terminal;
    }

    /**
     * The line for an answer of the canary.
     *
     * @param status JSON of the canary; anything else counts as no answer
     */
    String of(byte[] status) {
        JsonNode brokers;
        try {
            brokers = json.readTree(status).path("clusters").path(0).path("brokers");
        } catch (IOException notTheCanary) {
            return unreachable();
        }
        if (brokers.isEmpty()) {
            return HEAD + terminal.paint(Colour.YELLOW, "no broker measured yet");
        }
        List<String> all = new ArrayList<>();
        brokers.forEach(broker -> all.add(broker(broker)));
        return HEAD + String.join("  ", all);
    }

    /** The line for when the canary does not answer. */
    String unreachable() {
        return HEAD + terminal.paint(Colour.RED, "the canary does not answer");
    }

    private String broker(JsonNode broker) {
        String name = "broker-" + broker.path("id").asInt() + " ";
        JsonNode endToEnd = broker.path("endToEnd");
        JsonNode p50 = endToEnd.path("p50Seconds");
        JsonNode p99 = endToEnd.path("p99Seconds");
        if (endToEnd.path("count").asLong(1) == 0 || !p50.isNumber() || !p99.isNumber()) {
            boolean leads = broker.path("leads").asBoolean();
            String why = leads ? "no probe back" : "leads no partition";
            return name + terminal.paint(Colour.YELLOW, why);
        }
        String quantiles = millis(p50.doubleValue()) + "/" + millis(p99.doubleValue());
        return name
                + (broker.path("ready").asBoolean()
                        ? quantiles
                        // These figures are of probes from before they stopped coming back.
                        : terminal.paint(Colour.YELLOW, quantiles + " (no probe back)"));
    }

    /** Milliseconds with three significant digits. */
    static String millis(double seconds) {
        double millis = seconds * 1e3;
        int decimals = millis < 9.995 ? 2 : millis < 99.95 ? 1 : 0;
        return String.format(Locale.ROOT, "%." + decimals + "f", millis);
    }
}
