/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.telemetry;

import io.prometheus.metrics.model.snapshots.Labels;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * Adds up what clients push, by their labels: the busiest have series of their own, the rest is one
 * series. No counter ever decreases: what a client counted stays where it was counted when the
 * client ends, and only what it counts from then on goes elsewhere when it becomes one of the
 * busiest or ceases to be. When all clients of a series have ended, and its last figures have been
 * read, another client may take its place.
 *
 * <p>Safe for use by several threads; none that belongs to the broker comes here.
 */
final class ClientLedger {

    /** As many as a broker itself remembers (its cache of client instances). */
    static final int MOST_INSTANCES = 16_384;

    private static final long TIDYING_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long RANKING_NANOS = TimeUnit.MINUTES.toNanos(1);

    /**
     * A client takes another one's series only if it is clearly busier, so that they do not change
     * often.
     */
    private static final double TIMES_BUSIER = 2;

    /** How busy a client is. */
    private static final Source PRODUCER_REQUESTS = ClientMetrics.source("producer.request.total");

    private static final Source CONSUMER_FETCHES = ClientMetrics.source("consumer.fetch.manager.fetch.total");

    private static final Source SHARE_FETCHES = ClientMetrics.source("consumer.share.fetch.manager.fetch.total");

    private final ClientSettings settings;
    private final ClientNaming naming;
    private final ClientMemory memory;
    private final LongSupplier nanoClock;
    private final LongSupplier millisClock;

    /** In the order of their last push. */
    private final LinkedHashMap<Object, ClientInstance> instances = new LinkedHashMap<>(16, 0.75f, true);

    private final Map<Labels, ClientSeries> own = new HashMap<>();

    /** Series whose clients had all ended at the last look; those that ended first come first. */
    private final Deque<ClientSeries> vacant = new ArrayDeque<>();

    /** The series of all clients without series of their own; null until there is such a client. */
    private ClientSeries other;

    private long ranked;
    private long tidied;

    /**
     * @param settings how much is kept
     * @param memory bounds it
     * @param nanoClock monotonic nanoseconds
     * @param millisClock milliseconds since the epoch
     */
    ClientLedger(ClientSettings settings, ClientMemory memory, LongSupplier nanoClock, LongSupplier millisClock) {
        this.settings = settings;
        this.naming = new ClientNaming(settings);
        this.memory = memory;
        this.nanoClock = nanoClock;
        this.millisClock = millisClock;
        this.ranked = nanoClock.getAsLong();
        this.tidied = ranked;
    }

    /**
     * Adds one push.
     *
     * @return false when there is no room for the client: nothing of the push is counted
     */
    synchronized boolean add(Push push, PushContent content) {
        long now = nanoClock.getAsLong();
        tidy(now);
        Object id = push.sender.instance;
        ClientInstance instance = instances.get(id);
        if (instance == null) {
            if (!memory.remembered.take(ClientMemory.CLIENT_BYTES, "client_no_room")) {
                return false;
            }
            instance = new ClientInstance(memory);
            instances.put(id, instance);
            forgetEldest();
        }
        Labels labels = naming.of(push.sender, content.group);
        instance.push(labels, push);
        ClientSeries series = series(labels);
        series.lastPush = now;
        series.isRead = false;
        count(instance, series, content);
        if (push.terminating) {
            instances.remove(id);
            instance.forget();
        }
        return true;
    }

    private void forgetEldest() {
        if (instances.size() > MOST_INSTANCES) {
            Iterator<ClientInstance> eldest = instances.values().iterator();
            eldest.next().forget();
            eldest.remove();
        }
    }

    private ClientSeries series(Labels labels) {
        if (own.containsKey(labels)) {
            return own.get(labels);
        }
        boolean wanted = !labels.equals(naming.other());
        if (wanted && own.size() >= settings.top) {
            vacate();
        }
        if (wanted && own.size() < settings.top && open(labels)) {
            return own.get(labels);
        }
        if (other == null) {
            other = new ClientSeries(naming.other(), millisClock.getAsLong());
        }
        return other;
    }

    /** Ends the series of the clients that ended first. */
    private void vacate() {
        for (ClientSeries first = vacant.poll(); first != null; first = vacant.poll()) {
            boolean hasEnded = first.lastPush < tidied && first.isRead;
            boolean stillVacant = hasEnded && own.remove(first.labels, first);
            if (stillVacant) {
                memory.remembered.release(ClientMemory.SERIES_BYTES);
                return;
            }
        }
    }

    /** Gives a client series of its own; false when there is no room for them. */
    private boolean open(Labels labels) {
        boolean hasRoom = memory.remembered.take(ClientMemory.SERIES_BYTES, "series_no_room");
        if (hasRoom) {
            ClientSeries series = new ClientSeries(labels, millisClock.getAsLong());
            series.lastPush = nanoClock.getAsLong();
            own.put(labels, series);
        }
        return hasRoom;
    }

    private static void count(ClientInstance instance, ClientSeries series, PushContent content) {
        Map<Source, Double> growth = new HashMap<>();
        for (Source source : ClientMetrics.SOURCES.values()) {
            if (source.form == Source.Form.COUNT) {
                content.points(source).forEach(point -> growth.merge(source, instance.growth(point), Double::sum));
            }
        }
        for (Signal signal : ClientMetrics.SIGNALS) {
            if (signal.kind == Signal.Kind.TOTAL) {
                signal.sources.stream()
                        .filter(growth::containsKey)
                        .findFirst()
                        .ifPresent(source -> series.add(signal, growth.get(source) * signal.scale, 0));
                continue;
            }
            boolean isCounted = signal.weights.stream().anyMatch(growth::containsKey);
            double value = value(signal, isCounted, content) * signal.scale;
            if (signal.kind.isGauge()) {
                boolean shown = signal.kind != Signal.Kind.UNCOUNTED || !isCounted;
                instance.gauge(signal, shown ? value : Double.NaN);
            } else if (!Double.isNaN(value) && isCounted != signal.kind.isUncounted()) {
                double times = isCounted ? grown(signal.weights, growth) : 1;
                series.add(signal, isCounted ? value * times : 1, times);
            }
        }
        instance.act(1 + grown(List.of(PRODUCER_REQUESTS, CONSUMER_FETCHES, SHARE_FETCHES), growth));
    }

    private static double grown(List<Source> counters, Map<Source, Double> growth) {
        return counters.stream()
                .mapToDouble(source -> growth.getOrDefault(source, 0.0))
                .sum();
    }

    /**
     * NaN where the client pushes no value, or pushes 0 because there were no events. Whether a 0
     * means that, is known only where the events are counted.
     */
    private static double value(Signal signal, boolean isCounted, PushContent content) {
        boolean mayBeForLackOfEvents = !signal.weights.isEmpty() && !isCounted;
        return signal.sources.stream()
                .filter(source -> !mayBeForLackOfEvents || !content.isZero(source))
                .mapToDouble(content::gauge)
                .filter(value -> !Double.isNaN(value))
                .findFirst()
                .orElse(Double.NaN);
    }

    /** Forgets who is gone, and once a minute chooses the busiest again. */
    private void tidy(long now) {
        if (now - tidied < TIDYING_NANOS) {
            return;
        }
        tidied = now;
        long expiry = settings.expiry.toNanos();
        Set<Labels> living = new HashSet<>();
        for (Iterator<ClientInstance> all = instances.values().iterator(); all.hasNext(); ) {
            ClientInstance instance = all.next();
            if (instance.isGone(now, expiry)) {
                instance.forget();
                all.remove();
            } else {
                living.add(instance.labels());
            }
        }
        int before = own.size();
        own.values().removeIf(series -> now - series.lastPush > expiry && !living.contains(series.labels));
        memory.remembered.release((long) ClientMemory.SERIES_BYTES * (before - own.size()));
        vacant.clear();
        own.values().stream()
                .filter(series -> series.isRead && !living.contains(series.labels))
                .sorted(Comparator.comparingLong(series -> series.lastPush))
                .forEach(vacant::add);
        if (now - ranked > RANKING_NANOS) {
            ranked = now;
            rank();
        }
    }

    private void rank() {
        Map<Labels, Double> activity = new HashMap<>();
        for (ClientInstance instance : instances.values()) {
            activity.merge(instance.labels(), instance.fadingActivity(), Double::sum);
        }
        own.keySet().forEach(labels -> activity.putIfAbsent(labels, 0.0));
        Comparator<Labels> byActivity = Comparator.comparing(activity::get);
        Deque<Labels> weakest =
                own.keySet().stream().sorted(byActivity).collect(Collectors.toCollection(ArrayDeque::new));
        List<Labels> outside = activity.keySet().stream()
                .filter(labels -> !own.containsKey(labels))
                .filter(labels -> !labels.equals(naming.other()))
                .sorted(byActivity.reversed())
                .collect(Collectors.toList());
        for (Labels candidate : outside) {
            if (own.size() >= settings.top) {
                Labels loser = weakest.poll();
                if (loser == null || activity.get(candidate) <= TIMES_BUSIER * activity.get(loser)) {
                    return;
                }
                own.remove(loser);
                memory.remembered.release(ClientMemory.SERIES_BYTES);
            }
            if (!open(candidate)) {
                return;
            }
        }
    }

    /**
     * Shows each series with the clients in it that live, while nothing changes.
     *
     * @return what the reader makes of them
     */
    synchronized <T> T read(Function<Map<ClientSeries, List<ClientInstance>>, T> reader) {
        tidy(nanoClock.getAsLong());
        Map<ClientSeries, List<ClientInstance>> living = new LinkedHashMap<>();
        own.values().forEach(series -> {
            series.isRead = true;
            living.put(series, new ArrayList<>());
        });
        if (other != null) {
            living.put(other, new ArrayList<>());
        }
        for (ClientInstance instance : instances.values()) {
            ClientSeries series = own.getOrDefault(instance.labels(), other);
            if (series != null) {
                living.get(series).add(instance);
            }
        }
        return reader.apply(living);
    }
}
