/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.tools.cli;

import io.phasewise.common.progress.Progress;
import io.phasewise.common.progress.StepState;
import io.phasewise.common.stack.LocalStack;
import io.phasewise.ops.prediction.InsufficientDataException;
import io.phasewise.ops.prediction.Prediction;
import io.phasewise.ops.prediction.WindowLength;
import io.phasewise.ops.prometheus.ClusterMetrics;
import io.phasewise.ops.prometheus.Suspect;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Tells what a demotion would gain, and afterwards what it has gained. Where there are no figures
 * it prints why; a broker can be demoted all the same.
 */
final class GainReport {

    /** How long clients take to find the new leaders and to work off what waited meanwhile. */
    static final Duration SETTLES = Duration.ofSeconds(30);

    private static final String STEP = "Measuring";

    private final Context context;
    private final Optional<ClusterMetrics> figures;
    private final Duration window;

    /** Between two scrapes; empty where it is not known. */
    private final Optional<Duration> interval;

    /** Why there are no figures. */
    private final String obstacle;

    private GainReport(
            Context context,
            PrometheusOption option,
            Optional<ClusterMetrics> figures,
            Optional<Duration> interval,
            String obstacle) {
        this.context = context;
        this.figures = figures;
        this.interval = interval;
        this.window = option.window().orElseGet(() -> WindowLength.usual(interval));
        this.obstacle = obstacle;
    }

    /**
     * Looks for the figures.
     *
     * @param local the stack that the cluster belongs to; empty for any other cluster
     */
    static GainReport open(Context context, PrometheusOption option, Optional<LocalStack> local)
            throws InterruptedException {
        try {
            Optional<ClusterMetrics> figures = option.open(local);
            Optional<Duration> interval =
                    figures.isEmpty() ? Optional.empty() : figures.get().scrapeInterval();
            return new GainReport(
                    context, option, figures, interval, "--prometheus URL says where the canary's figures are");
        } catch (IOException | InsufficientDataException none) {
            return new GainReport(context, option, Optional.empty(), Optional.empty(), none.getMessage());
        }
    }

    /**
     * Prints which broker is suspected, and why.
     *
     * @return its node id; empty where no broker is named, which is printed, too
     */
    Optional<Integer> suspect() throws IOException, InterruptedException {
        if (figures.isEmpty()) {
            context.print("BROKER: nobody can be named: " + obstacle);
            return Optional.empty();
        }
        Optional<Suspect> suspect = figures.get().suspect();
        context.print(suspect.map(GainText::of).orElse("BROKER: kafka_suspect names no broker now"));
        return suspect.map(Suspect::broker);
    }

    /**
     * Prints what demoting a broker would gain. Empty where that cannot be known, which is printed.
     */
    Optional<Prediction> predict(int broker) throws InterruptedException {
        try {
            if (figures.isEmpty()) {
                throw new InsufficientDataException(obstacle);
            }
            WindowLength.check(window, interval);
            Prediction prediction = Prediction.of(broker, figures.get().window(window), WindowLength.BATCHES);
            GainText.of(prediction, window).forEach(context::print);
            return Optional.of(prediction);
        } catch (IOException | InsufficientDataException unknown) {
            context.print("No prediction: " + unknown.getMessage());
            return Optional.empty();
        }
    }

    /** Waits for as long as the window of the prediction, and prints what was gained. */
    void measure(Prediction prediction) throws InterruptedException {
        context.print("Measuring for %d s, starting in %d s. Ctrl-C ends the measurement, not the demotion"
                .formatted(window.toSeconds(), SETTLES.toSeconds()));
        try (Progress progress = Progress.open(context.screen(), List.of(STEP), context.nanoClock())) {
            for (long left = SETTLES.plus(window).toSeconds(); left > 0; left--) {
                progress.update(STEP, StepState.WORKING, left + " s to go");
                context.pause().pause(Duration.ofSeconds(1));
            }
            progress.update(STEP, StepState.READY, "done");
        }
        try {
            GainText.of(prediction, prediction.measured(figures.orElseThrow().window(window)))
                    .forEach(context::print);
        } catch (IOException | InsufficientDataException unknown) {
            context.print("What it gained is not known: " + unknown.getMessage());
        }
    }
}
