/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.tools.cli;

import io.phasewise.ops.prediction.Prediction;
import io.phasewise.ops.prediction.Prediction.Gain;
import io.phasewise.ops.prediction.Prediction.Parts;
import io.phasewise.ops.prometheus.Suspect;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Puts into words what a demotion would gain and has gained. Times are in milliseconds. */
final class GainText {

    private GainText() {}

    static String of(Suspect suspect) {
        return "Suspect: %s. A probe waits %s longer than usual for it"
                .formatted(suspect.who(), millis(suspect.seconds()));
    }

    /**
     * The prediction.
     *
     * @param window that it rests on
     */
    static List<String> of(Prediction prediction, Duration window) {
        String broker = "broker " + prediction.broker();
        List<String> lines = new ArrayList<>();
        lines.add(text(
                "Mean end to end, last %d s: %s; %s leads %.0f %% of the probes, which take %s, the others' %s",
                window.toSeconds(),
                millis(prediction.before()),
                broker,
                100 * prediction.share(),
                millis(prediction.asLeader()),
                millis(prediction.others())));
        lines.add("Predicted once it leads nothing: " + change(prediction));
        int sign = prediction.gain() >= 0 ? 1 : -1;
        prediction.parts().ifPresent(parts -> lines.addAll(of(parts, sign, broker)));
        lines.add(verdict(prediction, broker));
        return lines;
    }

    private static String verdict(Prediction prediction, String broker) {
        String instead = "If " + broker + " is slow, repair or restart it instead";
        return switch (prediction.verdict()) {
            case NO_DIFFERENCE ->
                "No difference shown, as the interval holds zero: moving leadership does not help here. " + instead;
            case SLOWER -> "Moving leadership off " + broker + " makes probes slower. " + instead;
            case FASTER ->
                prediction
                                .parts()
                                .filter(parts -> parts.stays() > prediction.gain())
                                .isPresent()
                        ? "It helps, but more stays than goes: leaders wait for " + broker
                                + " as a follower. Repair or restart it, too"
                        : "Moving leadership off " + broker + " helps";
        };
    }

    /**
     * @param sign of the gain, so that its parts add up to what is said to be more or less
     */
    private static List<String> of(Parts parts, int sign, String broker) {
        return List.of(
                text(
                        "  of it %s by request queues, %s by waits for followers, %s by all else",
                        millis(sign * parts.queue()), millis(sign * parts.followers()), millis(sign * parts.rest())),
                text(
                        "  %s stays in sync: as a follower it goes on costing %s a probe. Only repairing it,"
                                + " stopping it, or moving its replicas away ends that",
                        broker, millis(parts.stays())));
    }

    /** What was predicted and what was gained. */
    static List<String> of(Prediction prediction, Gain gain) {
        return List.of(
                "Predicted: " + change(prediction),
                text(
                        "Measured:  %s, %s the interval (mean end to end %s before, %s after, of"
                                + " probes that other brokers lead)",
                        change(gain.gain()),
                        gain.within() ? "within" : "not within",
                        millis(prediction.before()),
                        millis(gain.after())));
    }

    private static String change(Prediction prediction) {
        double low = prediction.gain() - prediction.error();
        double high = prediction.gain() + prediction.error();
        boolean less = prediction.gain() >= 0;
        String interval = millis(less ? low : -high) + " to " + millis(less ? high : -low);
        return change(prediction.gain()) + " [95 %: " + interval + "]";
    }

    private static String change(double gain) {
        return millis(Math.abs(gain)) + (gain >= 0 ? " less" : " more");
    }

    private static String millis(double seconds) {
        // Not "-0.0".
        return text("%.1f ms", Math.round(1e4 * seconds) / 10.0);
    }

    private static String text(String form, Object... values) {
        return String.format(Locale.ROOT, form, values);
    }
}
