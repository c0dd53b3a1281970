/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.telemetry;

import io.prometheus.metrics.model.snapshots.Labels;
import java.util.ArrayList;
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

/**
 * Adds up what clients push, by their labels: the busiest have series of their own, the rest is one
 * series. No counter ever decreases: what a client counted stays where it was counted when the
 * client ends, and only what it counts from then on goes elsewhere when it becomes one of the
 * busiest or ceases to be.
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
    private static final double CLEARLY = 2;

    /** How busy a client is. */
    private static final Source PRODUCER_REQUESTS = ClientMetrics.source("producer.request.total");

    private static final Source CONSUMER_FETCHES =
            ClientMetrics.source("consumer.fetch.manager.fetch.total");

    private final ClientSettings settings;
    private final ClientNaming naming;
    private final ClientMemory memory;
    private final LongSupplier nanoClock;
    private final LongSupplier millisClock;

    /** In the order of their last push. */
    private final LinkedHashMap<Object, ClientInstance> instances =
            new LinkedHashMap<>(16, 0.75f, true);

    private final Map<Labels, ClientSeries> own = new HashMap<>();
    private ClientSeries other;
    private long ranked;
    private long tidied;

    /**
     * @param settings how much is kept
     * @param nanoClock monotonic nanoseconds
     * @param millisClock milliseconds since the epoch
     */
    ClientLedger(ClientSettings settings, LongSupplier nanoClock, LongSupplier millisClock) {
        this.settings = settings;
        this.naming = new ClientNaming(settings);
        this.memory = new ClientMemory(settings.maxMemoryBytes);
        this.nanoClock = nanoClock;
        this.millisClock = millisClock;
        this.ranked = nanoClock.getAsLong();
        this.tidied = ranked;
    }

    /** What all of it holds of the heap. */
    ClientMemory memory() {
        return memory;
    }

    /**
     * Adds one push.
     *
     * @return false when there is no room for the client: nothing of the push is counted
     */
    synchronized boolean add(Push push, ClientReading reading) {
        long now = nanoClock.getAsLong();
        tidy(now);
        Object id = push.sender.instance;
        ClientInstance instance = instances.get(id);
        if (instance == null) {
            if (!memory.reserve(
                    ClientMemory.Use.REMEMBERED,
                    ClientMemory.CLIENT_BYTES,
                    ClientMemory.Refusal.CLIENT_NO_ROOM)) {
                return false;
            }
            instance = new ClientInstance(memory);
            instances.put(id, instance);
            forgetEldest();
        }
        Labels labels = naming.of(push.sender, reading.group);
        instance.push(labels, push);
        ClientSeries series = series(labels);
        series.lastPush = now;
        count(instance, series, reading);
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
        ClientSeries series = own.get(labels);
        if (series != null) {
            return series;
        }
        if (own.size() < settings.top && !labels.equals(naming.other()) && hasRoomForSeries()) {
            return open(labels);
        }
        if (other == null) {
            other = new ClientSeries(naming.other(), millisClock.getAsLong());
        }
        return other;
    }

    private boolean hasRoomForSeries() {
        return memory.reserve(
                ClientMemory.Use.REMEMBERED,
                ClientMemory.SERIES_BYTES,
                ClientMemory.Refusal.SERIES_NO_ROOM);
    }

    /** Gives back the room of one; true. */
    private boolean close() {
        memory.release(ClientMemory.Use.REMEMBERED, ClientMemory.SERIES_BYTES);
        return true;
    }

    private ClientSeries open(Labels labels) {
        ClientSeries series = new ClientSeries(labels, millisClock.getAsLong());
        series.lastPush = nanoClock.getAsLong();
        own.put(labels, series);
        return series;
    }

    private static void count(ClientInstance instance, ClientSeries series, ClientReading reading) {
        double[] growth = new double[ClientMetrics.SOURCES.size()];
        boolean[] counted = new boolean[growth.length];
        for (CounterPoint point : reading.counters()) {
            growth[point.source.index] += instance.growth(point);
            counted[point.source.index] = true;
        }
        for (Signal signal : ClientMetrics.SIGNALS) {
            if (signal.kind == Signal.Kind.TOTAL) {
                int source = signal.sources.get(0).index;
                if (counted[source]) {
                    series.add(signal, growth[source] * signal.scale, 0);
                }
                continue;
            }
            double value = value(signal, reading) * signal.scale;
            if (signal.kind.isGauge()) {
                instance.gauge(signal, value);
            } else if (!Double.isNaN(value)) {
                double times = counted[signal.weight.index] ? growth[signal.weight.index] : 1;
                series.add(signal, value * times, times);
            }
        }
        instance.act(1 + growth[PRODUCER_REQUESTS.index] + growth[CONSUMER_FETCHES.index]);
    }

    private static double value(Signal signal, ClientReading reading) {
        for (Source source : signal.sources) {
            double value = reading.gauge(source);
            if (!Double.isNaN(value)) {
                return value;
            }
        }
        return Double.NaN;
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
        own.values()
                .removeIf(
                        series ->
                                now - series.lastPush > expiry
                                        && !living.contains(series.labels)
                                        && close());
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
        List<Labels> inside = new ArrayList<>(own.keySet());
        inside.sort((a, b) -> Double.compare(busy(activity, a), busy(activity, b)));
        List<Labels> outside = new ArrayList<>(activity.keySet());
        outside.removeIf(labels -> own.containsKey(labels) || labels.equals(naming.other()));
        outside.sort((a, b) -> Double.compare(busy(activity, b), busy(activity, a)));
        int weakest = 0;
        for (Labels candidate : outside) {
            if (own.size() >= settings.top) {
                if (weakest == inside.size()
                        || busy(activity, candidate)
                                <= CLEARLY * busy(activity, inside.get(weakest))) {
                    return;
                }
                own.remove(inside.get(weakest++));
                close();
            }
            if (!hasRoomForSeries()) {
                return;
            }
            open(candidate);
        }
    }

    private static double busy(Map<Labels, Double> activity, Labels labels) {
        return activity.getOrDefault(labels, 0.0);
    }

    /**
     * Shows each series with the clients in it that live, while nothing changes.
     *
     * @return what the reader makes of them
     */
    synchronized <T> T read(Function<Map<ClientSeries, List<ClientInstance>>, T> reader) {
        tidy(nanoClock.getAsLong());
        Map<ClientSeries, List<ClientInstance>> living = new LinkedHashMap<>();
        own.values().forEach(series -> living.put(series, new ArrayList<>()));
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
