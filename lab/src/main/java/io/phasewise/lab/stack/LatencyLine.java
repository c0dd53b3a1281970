package io.phasewise.lab.stack;

import io.phasewise.lab.progress.Terminal;
import io.phasewise.lab.progress.Terminal.Colour;
import io.phasewise.lab.stack.CanaryStatus.BrokerLatency;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/** Words the canary's status as one line: the median and the 99th percentile of end-to-end latency for each broker. */
public final class LatencyLine {

    private final Terminal terminal;

    public LatencyLine(Terminal terminal) {
        this.terminal = terminal;
    }

    /** The line for what the canary said. */
    public String of(CanaryStatus status) {
        if (status.brokers().isEmpty()) {
            return head("") + "no broker measured yet";
        }
        int window = status.brokers().get(0).windowSeconds();
        String over = window > 0 ? ", last " + window + " s" : "";
        String separator = terminal.unicode() ? " │ " : " | ";
        return head(over)
                + status.brokers().stream().map(this::broker).collect(Collectors.joining(separator));
    }

    /** The line for when the canary does not answer. */
    public String unreachable() {
        return head("") + terminal.paint(Colour.RED, "the canary does not answer");
    }

    private static String head(String over) {
        return "end-to-end p50/p99" + over + ": ";
    }

    private String broker(BrokerLatency broker) {
        String name = "broker-" + broker.id() + " ";
        if (broker.p50Seconds().isEmpty() || broker.p99Seconds().isEmpty()) {
            String why = broker.leads() ? "no probe back" : "leads no partition";
            return name + terminal.paint(Colour.YELLOW, why);
        }
        String quantiles = duration(broker.p50Seconds()) + " / " + duration(broker.p99Seconds());
        return name
                + (broker.ready()
                        ? quantiles
                        // Numbers of the window are left over from before the probes stopped coming round.
                        : terminal.paint(Colour.YELLOW, quantiles + " (no probe back)"));
    }

    /** Three significant digits, in the unit that suits. */
    static String duration(OptionalDouble seconds) {
        double millis = seconds.orElseThrow() * 1e3;
        if (millis < 9.995) {
            return String.format(Locale.ROOT, "%.2f ms", millis);
        }
        if (millis < 99.95) {
            return String.format(Locale.ROOT, "%.1f ms", millis);
        }
        return millis < 999.5
                ? String.format(Locale.ROOT, "%.0f ms", millis)
                : String.format(Locale.ROOT, "%.2f s", millis / 1e3);
    }
}
