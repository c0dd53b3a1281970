/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.stack;

import io.phasewise.common.client.BoundedClient;
import io.phasewise.common.progress.Screen;
import io.phasewise.common.progress.Terminal.Colour;
import io.phasewise.lab.process.ProcessIdentity;
import io.phasewise.lab.receiver.Notification;
import io.phasewise.lab.receiver.NotificationJson;
import io.phasewise.lab.receiver.NotificationLines;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Watches a running stack and prints to the terminal: the latency line, notifications, and which
 * components end or come back. It changes nothing.
 */
public final class StackWatch {

    private static final BoundedClient.Limits ANSWERS = BoundedClient.Limits.of(Duration.ofMillis(900), 16L << 20);
    private static final long TICK_SECONDS = 1;
    private static final int TICKS_PER_PLAIN_LINE = 10;
    private static final int TAIL_LINES = 10;

    private final StateDirectory directory;
    private final Context context;
    private final Screen screen;
    private final LatencyLine line;
    private final NotificationLines notificationLines;
    private final NotificationJson notificationJson = new NotificationJson();
    private final DateTimeFormatter time;
    private final Transitions transitions = new Transitions(RunningComponent::alive);
    private final Instant begun;
    private ProcessIdentity receiver;
    private long lastNotification;

    /**
     * @param begun notifications from before this are not shown
     */
    public StackWatch(StateDirectory directory, Context context, Instant begun) {
        this.directory = directory;
        this.context = context;
        this.screen = context.screen();
        this.line = new LatencyLine(screen.terminal());
        this.notificationLines = new NotificationLines(screen.terminal(), context.zone());
        this.begun = begun;
        this.time = DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT).withZone(context.zone());
    }

    /**
     * Watches until another launcher has stopped the stack.
     *
     * @throws IOException when all processes have ended although nobody stopped them, or when
     *     the state cannot be read
     * @throws InterruptedException when interrupted, for instance by Ctrl-C
     */
    public void watch() throws IOException, InterruptedException {
        for (long tick = 0; ; tick++) {
            Optional<StackState> state = directory.read();
            if (state.isEmpty() || state.get().components().isEmpty()) {
                screen.live(List.of());
                return;
            }
            if (!state.get().stopping()) {
                transitions.look(state.get()).forEach(this::tell);
                if (state.get().alive().isEmpty()) {
                    screen.live(List.of());
                    throw new IOException("every component ended; see the logs in " + directory.path());
                }
                showNotifications(state.get());
                showLatency(state.get(), tick);
            }
            TimeUnit.SECONDS.sleep(TICK_SECONDS);
        }
    }

    private void tell(Transitions.Transition transition) {
        RunningComponent running = transition.running();
        if (transition.back()) {
            print(screen.terminal().paint(Colour.GREEN, running + " is back"));
            return;
        }
        print("%s. The others keep running; `up` in another terminal starts it again. Its log %s ends with:"
                .formatted(screen.terminal().paint(Colour.RED, running + " ended"), running.log()));
        running.process().tail(TAIL_LINES).forEach(text -> screen.print("    " + text));
    }

    private void showNotifications(StackState state) throws InterruptedException {
        Optional<RunningComponent> running = state.find("receiver");
        if (running.isEmpty()) {
            return;
        }
        if (!running.get().identity().equals(receiver)) {
            // Each run of the receiver counts from 1.
            receiver = running.get().identity();
            lastNotification = 0;
        }
        Optional<byte[]> body = get(running.get(), "/notifications?after=" + lastNotification);
        if (body.isEmpty()) {
            return;
        }
        try {
            List<Notification> newestFirst = notificationJson.read(body.get());
            for (int i = newestFirst.size() - 1; i >= 0; i--) {
                Notification next = newestFirst.get(i);
                lastNotification = next.id();
                if (!Instant.parse(next.receivedAt()).isBefore(begun)) {
                    notificationLines.of(next).forEach(screen::print);
                }
            }
        } catch (IOException notTheReceiver) {
            // `status` shows it; printing it every second would not help.
            return;
        }
    }

    private void showLatency(StackState state, long tick) throws InterruptedException {
        boolean interactive = screen.terminal().interactive();
        if (!interactive && tick % TICKS_PER_PLAIN_LINE != 0) {
            return;
        }
        Optional<RunningComponent> canary = state.find("canary");
        if (canary.isEmpty()) {
            return;
        }
        String text = get(canary.get(), "/status").map(line::of).orElseGet(line::unreachable);
        if (interactive) {
            screen.live(List.of(text));
        } else {
            print(text);
        }
    }

    private Optional<byte[]> get(RunningComponent running, String path) throws InterruptedException {
        URI uri = URI.create(running.component().at(path));
        try {
            HttpResponse<byte[]> response =
                    new BoundedClient(context.client()).send(HttpRequest.newBuilder(uri), ANSWERS);
            return response.statusCode() == 200 ? Optional.of(response.body()) : Optional.empty();
        } catch (IOException noAnswer) {
            return Optional.empty();
        }
    }

    private void print(String text) {
        screen.print(time.format(context.clock().instant()) + "  " + text);
    }
}
