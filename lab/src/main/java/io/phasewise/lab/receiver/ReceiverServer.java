/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.receiver;

import io.phasewise.common.auth.BasicAuth;
import io.phasewise.common.http.Answer;
import io.phasewise.common.http.HttpEndpoint;
import io.phasewise.common.http.HttpLimits;
import io.phasewise.common.http.Request;
import io.phasewise.common.progress.Terminal;
import io.phasewise.common.tls.ServerTls;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The receiver's HTTP server. It takes webhook calls on {@code POST /}, shows the notifications
 * that it keeps on {@code /} and {@code /notifications}, answers {@code /-/healthy}, and shows
 * runbooks when it has a directory of them. It hands each notification to a listener.
 */
public final class ReceiverServer implements AutoCloseable {

    /** How many notifications are kept. */
    public static final int CAPACITY = 200;

    /** The largest webhook call that is accepted, bytes. */
    public static final int MAX_BODY = 1 << 20;

    private static final HttpLimits LIMITS =
            new HttpLimits(4, Duration.ofSeconds(10), Duration.ofSeconds(10), MAX_BODY);

    /** A file name without a directory, so that nothing outside of the directory can be read. */
    private static final Pattern RUNBOOK = Pattern.compile("/runbooks/(\\w+\\.md)");

    private final HttpEndpoint endpoint;

    /** The last notifications, newest first; guarded by this. */
    private final Deque<Notification> kept = new ArrayDeque<>();

    private long lastId;
    private final NotificationJson json = new NotificationJson();
    private final NotificationLines lines = new NotificationLines(Terminal.plain(), ZoneOffset.UTC);
    private final Optional<Path> runbooks;
    private final InstantSource clock;
    private final Consumer<Notification> listener;

    /**
     * Who may notify the receiver and read what it keeps. {@code /-/healthy} is open to everybody.
     *
     * @param tls with its certificate; empty: no encryption
     * @param basicAuth its login; empty: no login
     */
    public record Access(Optional<Supplier<ServerTls>> tls, Optional<Supplier<BasicAuth>> basicAuth) {

        /** Without encryption and login. */
        public static final Access OPEN = new Access(Optional.empty(), Optional.empty());
    }

    /**
     * Binds the address and begins to serve.
     *
     * @param address port 0 takes any free port
     * @param runbooks a directory with Markdown files, shown as they are at {@code
     *     /runbooks/NAME.md}; read at each request
     * @param listener takes each notification, one at a time
     * @throws IOException when the address cannot be bound
     */
    public ReceiverServer(
            InetSocketAddress address,
            Access access,
            Optional<Path> runbooks,
            InstantSource clock,
            Consumer<Notification> listener)
            throws IOException {
        this.runbooks = runbooks;
        this.clock = clock;
        this.listener = listener;
        endpoint = HttpEndpoint.named("phasewise-receiver")
                .limits(LIMITS)
                .tls(access.tls())
                .basicAuth(access.basicAuth())
                .open("/-/healthy", request -> Answer.text(200, "healthy\n"))
                .get("/", this::page)
                .post("/", this::take)
                .get("/notifications", this::list)
                .otherwise(this::runbook)
                .bind(address);
        endpoint.start();
    }

    /** The port that it listens on. */
    public int port() {
        return endpoint.port();
    }

    @Override
    public void close() {
        endpoint.close();
    }

    private Answer runbook(Request request) throws IOException {
        Matcher name = RUNBOOK.matcher(request.path());
        if (runbooks.isEmpty() || !name.matches()) {
            return Answer.text(
                    404,
                    "not found; here are: /, /notifications, /-/healthy"
                            + (runbooks.isEmpty() ? "" : ", /runbooks/ALERT.md")
                            + "\n");
        }
        try {
            return Answer.of(
                    200,
                    "text/plain; charset=utf-8",
                    Files.readAllBytes(runbooks.get().resolve(name.group(1))));
        } catch (NoSuchFileException unknown) {
            return Answer.text(404, "no runbook is " + name.group(1) + "\n");
        }
    }

    private Answer take(Request request) {
        try {
            keep(json.webhook(request.body()));
            return Answer.text(200, "ok\n");
        } catch (IOException malformed) {
            return Answer.text(400, malformed.getMessage() + "\n");
        }
    }

    // One at a time, so that the listener gets notifications in the order of their ids.
    private synchronized void keep(Notification call) {
        Notification received = call.received(++lastId, clock.instant());
        if (kept.size() == CAPACITY) {
            kept.removeLast();
        }
        kept.addFirst(received);
        listener.accept(received);
    }

    private synchronized List<Notification> newestAfter(long id) {
        return kept.stream().filter(each -> each.id() > id).toList();
    }

    private Answer list(Request request) {
        String query = request.query();
        long after = 0;
        if (query != null) {
            if (!query.matches("after=[0-9]{1,18}")) {
                return Answer.text(400, "query: after=ID, a whole number, is allowed\n");
            }
            after = Long.parseLong(query.substring("after=".length()));
        }
        return Answer.of(200, "application/json", json.write(newestAfter(after)));
    }

    /** The page: notifications as on the terminal, newest first, times in UTC. */
    private Answer page(Request request) {
        String all = newestAfter(0).stream()
                .flatMap(each -> lines.of(each).stream())
                .map(line -> line + "\n")
                .collect(Collectors.joining());
        return Answer.text(200, all.isEmpty() ? "No notification so far.\n" : all)
                .with("Refresh", "5")
                // Text from outside must never be taken for HTML.
                .with("X-Content-Type-Options", "nosniff");
    }
}
