/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix.observation;

import io.phasewise.experiments.matrix.scene.Monitoring;
import io.phasewise.experiments.matrix.scene.Scene;
import java.io.IOException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Looks once a second at alerts and suspects, from its start until it is closed. */
public final class AlertWatch implements AutoCloseable {
    private static final long END_SECONDS = 30;

    private final Monitoring monitoring;
    private final long start = System.nanoTime();
    private final AlertHistory history;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();

    public AlertWatch(Monitoring monitoring) throws IOException, InterruptedException {
        this.monitoring = monitoring;
        this.history =
                new AlertHistory(monitoring.standing(), monitoring.reported().held());
        timer.scheduleWithFixedDelay(this::look, 1, 1, TimeUnit.SECONDS);
    }

    private void look() {
        try {
            var firing = monitoring.firing();
            var reported = monitoring.reported();
            var suspects = monitoring.suspects(Scene.WITH_EXPORTERS);
            var blind = monitoring.suspects(Scene.WITHOUT_EXPORTERS);
            var former = monitoring.formerSuspects(Scene.WITH_EXPORTERS);
            double seconds = (System.nanoTime() - start) / 1e9;
            history.alerts(firing, reported, seconds);
            history.suspects(Scene.WITH_EXPORTERS, suspects, seconds);
            history.suspects(Scene.WITHOUT_EXPORTERS, blind, seconds);
            history.former(former, seconds);
        } catch (IOException down) {
            // Prometheus itself may be what is broken; it is asked again in a second.
            return;
        } catch (InterruptedException over) {
            Thread.currentThread().interrupt();
        }
    }

    /** All that was seen; to be read after this is closed. */
    public AlertHistory seen() {
        return history;
    }

    @Override
    public void close() throws InterruptedException {
        timer.shutdownNow();
        timer.awaitTermination(END_SECONDS, TimeUnit.SECONDS);
    }
}
