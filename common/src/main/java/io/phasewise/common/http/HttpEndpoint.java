/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.http;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.phasewise.common.auth.BasicAuth;
import io.phasewise.common.tls.ReloadingContext;
import io.phasewise.common.tls.ServerTls;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * An HTTP endpoint on the JDK's server. What it answers is left to {@link RequestHandler}s, each
 * for exactly one path; which of them need a password, and the limits, are fixed when it is bound.
 *
 * <p>A client that is slow loses its connection. A client that comes when all threads and the queue
 * are taken is refused with status 503 (see {@link ExchangeThreads}). Neither can block the
 * endpoint for others, or use up the memory of the process. Answers that are costly to make go
 * through {@link SharedAnswers}.
 */
public final class HttpEndpoint implements AutoCloseable {

    /** How many connections the system holds for the server before the server accepts them. */
    private static final int BACKLOG = 64;

    private final HttpServer server;
    private final ExchangeThreads threads;

    private HttpEndpoint(HttpServer server, ExchangeThreads threads) {
        this.server = server;
        this.threads = threads;
    }

    /**
     * Begins to describe an endpoint.
     *
     * @param name for its threads, and for the realm shown where a password is asked for
     */
    public static Builder named(String name) {
        return new Builder(name);
    }

    /** Begins to serve. */
    public void start() {
        server.start();
    }

    /** The port that is bound, which matters when the one asked for was 0. */
    public int port() {
        return server.getAddress().getPort();
    }

    /** Closes all connections and gives the port back. */
    @Override
    public void close() {
        server.stop(0);
        threads.close();
    }

    /** Describes an endpoint. Not for use by several threads. */
    public static final class Builder {

        private final String name;
        private final Map<String, Route> routes = new HashMap<>();
        private final Route rest = new Route();
        private HttpLimits limits = new HttpLimits(4, Duration.ofSeconds(10), Duration.ofSeconds(30), 0);
        private Optional<Supplier<ServerTls>> tls = Optional.empty();
        private Optional<Supplier<BasicAuth>> basicAuth = Optional.empty();
        private Consumer<Exception> faults = fault -> {};

        private Builder(String name) {
            this.name = name;
            otherwise(request -> Answer.text(404, "not found\n"));
        }

        /** Unless said: 4 threads, 10 s for a request, 30 s for its answer, no body. */
        public Builder limits(HttpLimits those) {
            limits = those;
            return this;
        }

        /**
         * Serves https.
         *
         * @param those asked with each connection; empty: in the clear
         */
        public Builder tls(Optional<? extends Supplier<ServerTls>> those) {
            tls = those.map(supplier -> supplier);
            return this;
        }

        /**
         * Asks for a user and a password.
         *
         * @param one asked with each request; empty: nobody is asked
         */
        public Builder basicAuth(Optional<? extends Supplier<BasicAuth>> one) {
            basicAuth = one.map(supplier -> supplier);
            return this;
        }

        /** Hears what a handler throws; unless said, nobody does. */
        public Builder faults(Consumer<Exception> listener) {
            faults = listener;
            return this;
        }

        /** Answers GET and HEAD for a path to everybody, password or not. */
        public Builder open(String path, RequestHandler handler) {
            route(path).isOpen = true;
            return get(path, handler);
        }

        /** Answers GET and HEAD for a path. */
        public Builder get(String path, RequestHandler handler) {
            route(path).get(handler);
            return this;
        }

        /** Answers POST for a path, besides what else it answers. */
        public Builder post(String path, RequestHandler handler) {
            route(path).byMethod.put("POST", handler);
            return this;
        }

        /** Answers GET and HEAD for all other paths; unless said, they are not found. */
        public Builder otherwise(RequestHandler handler) {
            rest.get(handler);
            return this;
        }

        private Route route(String path) {
            return routes.computeIfAbsent(path, any -> new Route());
        }

        /**
         * Binds the address; nothing is served before {@link #start}.
         *
         * @throws IOException when it cannot be bound; the message says which and why
         */
        public HttpEndpoint bind(InetSocketAddress address) throws IOException {
            HttpServer server;
            ExchangeThreads threads = new ExchangeThreads(name, limits, System::nanoTime);
            try {
                server = tls.isPresent() ? encrypted(address, threads) : HttpServer.create(address, BACKLOG);
            } catch (IOException | UnresolvedAddressException e) {
                threads.close();
                String where = address.getHostString() + ":" + address.getPort();
                String why = address.isUnresolved() ? "no such host" : e.getMessage();
                throw new IOException("cannot listen on " + where + " (" + why + ")", e);
            }
            server.setExecutor(threads);
            Router router = new Router(name, Map.copyOf(routes), rest, basicAuth, limits, threads, faults);
            server.createContext("/", router);
            return new HttpEndpoint(server, threads);
        }

        private HttpServer encrypted(InetSocketAddress address, ExchangeThreads threads) throws IOException {
            // The files of TLS may be read again in this call, and an interrupt would break that
            // off.
            Supplier<ServerTls> current = () -> threads.working(tls.orElseThrow());
            HttpsServer server = HttpsServer.create(address, BACKLOG);
            server.setHttpsConfigurator(new HttpsConfigurator(new ReloadingContext(current)));
            return server;
        }
    }

    /** Who answers for one path. */
    static final class Route {
        /** Sorted, as the header {@code Allow} names them. */
        final Map<String, RequestHandler> byMethod = new TreeMap<>();

        boolean isOpen;

        private void get(RequestHandler handler) {
            byMethod.put("GET", handler);
            byMethod.put("HEAD", handler);
        }
    }
}
