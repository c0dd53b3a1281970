/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.agent;

import io.phasewise.bench.run.NativeHistogram;
import io.phasewise.bench.run.Scrape;
import io.phasewise.exporter.timing.ScrapedRequests;
import io.phasewise.lab.measure.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.function.ToDoubleFunction;
import java.util.stream.LongStream;

/**
 * How far percentiles out of a scrape are from the exact ones: known durations go through the
 * agent's recorder and its exposition, Prometheus's estimate is made of what comes out, and held to
 * the sorted durations.
 */
public final class AgentAccuracy {
    private static final int THREADS = 4;
    private static final double[] SHARES = {0.5, 0.9, 0.99, 0.999, 0.9999};
    private static final String METRIC = "kafka_request_phase_seconds";
    private static final Map<String, String> SERIES =
            Map.of("request", "Produce", "phase", "request_queue");

    private final int perThread;
    private final long seed;

    /**
     * @param requests recorded for each line
     * @param seed of the durations
     */
    public AgentAccuracy(int requests, long seed) {
        this.perThread = requests / THREADS;
        this.seed = seed;
    }

    private static Map<String, ToDoubleFunction<Random>> durations() {
        Map<String, ToDoubleFunction<Random>> all = new LinkedHashMap<>();
        all.put("log-normal around 100 us", r -> 1e5 * Math.exp(r.nextGaussian()));
        all.put("exponential, mean 2 ms", r -> -2e6 * Math.log(1 - r.nextDouble()));
        all.put("Pareto from 20 us, shape 1.1", r -> 2e4 / Math.pow(1 - r.nextDouble(), 1 / 1.1));
        all.put(
                "60 to 80 us, one in 50 stalled 400 ms",
                r -> r.nextInt(50) == 0 ? 4e8 + r.nextInt(1_000) : 6e4 + r.nextInt(20_000));
        all.put("always 113 us", r -> 113_000);
        return all;
    }

    /**
     * Runs it.
     *
     * @throws ExecutionException when the recorder throws
     */
    public Table run() throws IOException, InterruptedException, ExecutionException {
        Table table = new Table("durations", "p50", "p90", "p99", "p99.9", "p99.99");
        for (Map.Entry<String, ToDoubleFunction<Random>> line : durations().entrySet()) {
            List<long[]> nanos = draw(line.getValue());
            NativeHistogram scraped =
                    Scrape.of(ScrapedRequests.scrape(nanos)).histogram(METRIC, SERIES);
            long[] exact = nanos.stream().flatMapToLong(LongStream::of).sorted().toArray();
            List<String> cells = new ArrayList<>();
            cells.add(line.getKey());
            for (double share : SHARES) {
                double truth = exact[(int) Math.ceil(share * exact.length) - 1] / 1e9;
                double error = scraped.quantile(share) / truth - 1;
                cells.add(String.format(Locale.ROOT, "%+.2f %%", 100 * error));
            }
            table.row(cells.toArray(String[]::new));
        }
        return table;
    }

    private List<long[]> draw(ToDoubleFunction<Random> duration) {
        List<long[]> all = new ArrayList<>();
        for (int thread = 0; thread < THREADS; thread++) {
            Random random = new Random(seed + thread);
            all.add(
                    LongStream.generate(() -> (long) duration.applyAsDouble(random))
                            .limit(perThread)
                            .toArray());
        }
        return all;
    }
}
