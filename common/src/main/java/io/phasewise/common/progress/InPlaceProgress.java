/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.progress;

import io.phasewise.common.progress.Terminal.Colour;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Progress as a list that is redrawn in place, with a spinner and the elapsed time of each step;
 * for terminals.
 */
final class InPlaceProgress implements Progress {

    private static final String UNICODE_SPINNER = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏";
    private static final String ASCII_SPINNER = "|/-\\";

    private final Screen screen;
    private final LongSupplier nanoClock;
    private final Map<String, Step> steps = new LinkedHashMap<>();
    private final int nameWidth;
    private final ScheduledExecutorService painter;
    private int frame;

    InPlaceProgress(Screen screen, List<String> names, LongSupplier nanoClock, ScheduledExecutorService painter) {
        this.screen = screen;
        this.nanoClock = nanoClock;
        this.painter = painter;
        this.nameWidth = names.stream().mapToInt(String::length).max().orElse(0);
        long now = nanoClock.getAsLong();
        names.forEach(name -> steps.put(name, Step.waiting(now)));
    }

    static InPlaceProgress start(Screen screen, List<String> names, LongSupplier nanoClock, Duration redraw) {
        ScheduledExecutorService painter = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "progress");
            thread.setDaemon(true);
            return thread;
        });
        InPlaceProgress progress = new InPlaceProgress(screen, names, nanoClock, painter);
        painter.scheduleAtFixedRate(progress::paint, 0, redraw.toNanos(), TimeUnit.NANOSECONDS);
        return progress;
    }

    @Override
    public synchronized void update(String step, StepState state, String detail) {
        long now = nanoClock.getAsLong();
        steps.put(step, steps.getOrDefault(step, Step.waiting(now)).next(state, detail, now));
    }

    @Override
    public synchronized void close() {
        if (painter.isShutdown()) {
            return;
        }
        painter.shutdownNow();
        draw();
        screen.settle();
    }

    private synchronized void paint() {
        // The painter may have been waiting for this lock while close() drew for the last time.
        if (!painter.isShutdown()) {
            draw();
        }
    }

    private void draw() {
        frame++;
        screen.live(lines());
    }

    synchronized List<String> lines() {
        long now = nanoClock.getAsLong();
        List<String> lines = new ArrayList<>();
        steps.forEach((name, step) -> lines.add(line(name, step, now)));
        return lines;
    }

    private String line(String name, Step step, long now) {
        String time = step.state == StepState.WAITING ? "" : step.elapsed(now);
        String text = String.format(" %-" + Math.max(1, nameWidth) + "s %8s", name, time)
                + (step.detail.isEmpty() ? "" : "  " + step.detail);
        Terminal terminal = screen.terminal();
        switch (step.state) {
            case WORKING:
                return "  " + terminal.paint(Colour.CYAN, spinner()) + text;
            case READY:
                return "  " + terminal.paint(Colour.GREEN, mark("✔", "+")) + text;
            case SKIPPED:
                return "  " + terminal.paint(Colour.YELLOW, "-") + text;
            case FAILED:
                return "  " + terminal.paint(Colour.RED, mark("✘", "x")) + text;
            default:
                return terminal.paint(Colour.GREY, "  " + mark("·", ".") + text);
        }
    }

    private String spinner() {
        String frames = mark(UNICODE_SPINNER, ASCII_SPINNER);
        int at = frame % frames.length();
        return frames.substring(at, at + 1);
    }

    private String mark(String unicode, String ascii) {
        return screen.terminal().unicode() ? unicode : ascii;
    }
}
