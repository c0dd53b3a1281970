/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.stack;

import io.phasewise.common.progress.Terminal;
import io.phasewise.common.progress.Terminal.Colour;
import io.phasewise.lab.stack.CanaryStatus.BrokerLatency;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/**
 * Words the canary's status as one line: the median and the 99th percentile of end-to-end latency
 * for each broker, in milliseconds. Fits into 80 columns when all is well.
 */
public final class LatencyLine {

    private static final String HEAD = "p50/p99 ms  ";

    private final Terminal terminal;

    public LatencyLine(Terminal terminal) {
        this.terminal = terminal;
    }

    /** The line for what the canary said. */
    public String of(CanaryStatus status) {
        if (status.brokers().isEmpty()) {
            return HEAD + terminal.paint(Colour.YELLOW, "no broker measured yet");
        }
        return HEAD + status.brokers().stream().map(this::broker).collect(Collectors.joining("  "));
    }

    /** The line for when the canary does not answer. */
    public String unreachable() {
        return HEAD + terminal.paint(Colour.RED, "the canary does not answer");
    }

    private String broker(BrokerLatency broker) {
        String name = "broker-" + broker.id() + " ";
        if (broker.p50Seconds().isEmpty() || broker.p99Seconds().isEmpty()) {
            String why = broker.leads() ? "no probe back" : "leads no partition";
            return name + terminal.paint(Colour.YELLOW, why);
        }
        String quantiles = millis(broker.p50Seconds()) + "/" + millis(broker.p99Seconds());
        return name
                + (broker.ready()
                        ? quantiles
                        // The numbers are left over from before the probes stopped coming round.
                        : terminal.paint(Colour.YELLOW, quantiles + " (no probe back)"));
    }

    /** Milliseconds with three significant digits. */
    static String millis(OptionalDouble seconds) {
        double millis = seconds.orElseThrow() * 1e3;
        int decimals = millis < 9.995 ? 2 : millis < 99.95 ? 1 : 0;
        return String.format(Locale.ROOT, "%." + decimals + "f", millis);
    }
}
