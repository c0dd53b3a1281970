/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.marks;

import io.phasewise.canary.config.ExportersConfig;
import io.phasewise.canary.supervise.SupervisedThread;
import io.phasewise.canary.supervise.Supervisor;
import io.phasewise.canary.topic.TopicState.Broker;
import io.phasewise.common.client.BoundedClient;
import io.phasewise.common.marks.MarkPage;
import java.io.IOException;
import java.net.InetAddress;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import javax.net.ssl.SSLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that asks the brokers' exporters of one cluster for marks. Each is asked separately,
 * once a second, with one request under way: one that is slow, stops within an answer or has an
 * address that cannot be used delays no other. When one stops reporting marks, that is logged once.
 */
public final class MarkReader {
    private static final Logger LOG = LoggerFactory.getLogger(MarkReader.class);
    private static final Duration PERIOD = Duration.ofSeconds(1);

    /** Limits of an answer, the time to its last byte included. A page has some 300 kB. */
    private static final BoundedClient.Limits LIMITS = BoundedClient.Limits.of(Duration.ofSeconds(2), 1 << 20)
            .beginning(MarkPage.BEGINNING.getBytes(StandardCharsets.US_ASCII));

    /** Full pages that are asked for without a pause: as many marks as an exporter keeps. */
    private static final int PAGES_AT_ONCE = 16;

    private final String name;
    private final ExportersConfig config;
    private final MarkStore marks;
    private final Listener listener;
    private final LongSupplier nanoClock;
    private final ExporterRequests requests;
    private final SupervisedThread thread;
    private final Map<Integer, Exporter> exporters = new TreeMap<>();

    /** Ids of brokers whose request has ended. */
    private final BlockingQueue<Integer> ended = new LinkedBlockingQueue<>();

    private volatile List<Broker> brokers = List.of();

    /** Learns what brokers answer, and what is missing. */
    @FunctionalInterface
    public interface Listener {
        /**
         * A broker has answered.
         *
         * @param count of its marks that it had dropped before they were read, 0 or more
         */
        void missed(int broker, long count);

        /** The same answer, before it is used. */
        default void page(int broker, MarkPage page) {}

        /** A broker has not answered, or not with a page; before that is used. */
        default void silent(int broker) {}
    }

    /** The state of one broker's exporter. */
    private static final class Exporter {
        private CompletableFuture<HttpResponse<byte[]>> request;
        private long due;
        private int fullPages;

        /** Null while it reports marks. */
        private String failure;

        private Exporter(long due) {
            this.due = due;
        }
    }

    /**
     * @param supervisor starts the thread
     * @param name of the cluster
     * @param config where the exporters are
     * @param marks takes what they report
     * @param listener called on the thread
     * @param faults counts what is thrown; the thread goes on
     * @param nanoClock monotonic nanoseconds
     */
    public MarkReader(
            Supervisor supervisor,
            String name,
            ExportersConfig config,
            MarkStore marks,
            Listener listener,
            Consumer<Throwable> faults,
            LongSupplier nanoClock) {
        this(supervisor, name, config, marks, listener, faults, nanoClock, InetAddress::getByName);
    }

    /** As the other one, with a way to look hosts up. */
    MarkReader(
            Supervisor supervisor,
            String name,
            ExportersConfig config,
            MarkStore marks,
            Listener listener,
            Consumer<Throwable> faults,
            LongSupplier nanoClock,
            ExporterRequests.Resolver resolver) {
        this.name = name;
        this.config = config;
        this.marks = marks;
        this.listener = listener;
        this.nanoClock = nanoClock;
        this.requests = new ExporterRequests(config, "marks-access-" + name, LIMITS, resolver, nanoClock);
        this.thread = supervisor.loop("marks-" + name, faults, this::turn);
    }

    /** Starts to ask. */
    public void start() {
        thread.start();
    }

    /** Sets which brokers there are. */
    public void setBrokers(List<Broker> at) {
        brokers = at;
    }

    /** Ends the thread; does not wait for it. */
    public void stop() {
        thread.interrupt();
    }

    private void turn() throws InterruptedException {
        long now = nanoClock.getAsLong();
        Set<Integer> asked = new HashSet<>();
        long pause = PERIOD.toNanos();
        for (Broker broker : brokers) {
            String address = config.address(broker.id(), broker.host()).orElse(null);
            if (address == null) {
                continue;
            }
            asked.add(broker.id());
            Exporter exporter = exporters.computeIfAbsent(broker.id(), id -> new Exporter(now));
            if (exporter.request == null) {
                if (now - exporter.due >= 0) {
                    ask(broker.id(), exporter, address, now);
                } else {
                    pause = Math.min(pause, exporter.due - now);
                }
            }
        }
        exporters.keySet().removeIf(id -> !asked.contains(id) && forget(id));
        Integer next = ended.poll(pause, TimeUnit.NANOSECONDS);
        for (; next != null; next = ended.poll()) {
            take(next);
        }
    }

    private void ask(int broker, Exporter exporter, String address, long now) throws InterruptedException {
        exporter.due = now + PERIOD.toNanos();
        exporter.request =
                requests.get(address, "/marks?after=" + marks.of(broker).sequence() + "&form=" + MarkPage.SECOND_FORM);
        exporter.request.whenComplete((answer, failure) -> ended.add(broker));
    }

    private boolean forget(int broker) {
        CompletableFuture<?> request = exporters.get(broker).request;
        if (request != null) {
            request.cancel(true);
        }
        return true;
    }

    private void take(int broker) {
        Exporter exporter = exporters.get(broker);
        // The broker was forgotten meanwhile, or is back with a new request.
        if (exporter == null || exporter.request == null || !exporter.request.isDone()) {
            return;
        }
        String failure;
        try {
            HttpResponse<byte[]> answer = exporter.request.join();
            failure = answer.statusCode() == 200
                    ? read(broker, exporter, MarkPage.parse(new String(answer.body(), StandardCharsets.UTF_8)))
                    : "it answers " + answer.statusCode();
        } catch (CompletionException e) {
            failure = e.getCause() instanceof IOException && e.getCause().getMessage() != null
                    ? e.getCause().getMessage()
                    : String.valueOf(e.getCause());
            if (e.getCause() instanceof SSLException) {
                requests.renew(); // the authorities' file may have been renewed
            }
        } catch (RuntimeException e) {
            failure = e.getMessage() == null ? e.toString() : e.getMessage();
        }
        exporter.request = null;
        if (failure != null) {
            exporter.fullPages = 0;
            listener.silent(broker);
            marks.of(broker).silent();
        }
        tell(broker, exporter, failure);
    }

    private String read(int broker, Exporter exporter, MarkPage page) {
        listener.page(broker, page);
        long missed = marks.add(broker, page);
        listener.missed(broker, missed);
        exporter.fullPages = page.isFull() ? exporter.fullPages + 1 : 0;
        if (exporter.fullPages > 0 && exporter.fullPages < PAGES_AT_ONCE) {
            exporter.due = nanoClock.getAsLong();
        } else {
            exporter.fullPages = 0;
        }
        return null;
    }

    private void tell(int broker, Exporter exporter, String failure) {
        if (failure != null && exporter.failure == null) {
            LOG.warn(
                    "cluster {}: the exporter of broker {} reports no marks, so phases of its"
                            + " probes are estimated: {}",
                    name,
                    broker,
                    failure);
        } else if (failure == null && exporter.failure != null) {
            LOG.info("cluster {}: the exporter of broker {} reports marks again", name, broker);
        }
        exporter.failure = failure;
    }
}
