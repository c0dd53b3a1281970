/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.source;

import com.fasterxml.jackson.databind.JsonNode;
import io.phasewise.common.prometheus.Access;
import io.phasewise.common.prometheus.Answer;
import io.phasewise.common.prometheus.PrometheusClient;
import io.phasewise.common.prometheus.RefusedException;
import io.phasewise.report.source.SourceException.Kind;
import java.io.IOException;
import java.net.http.HttpClient;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Asks one server. A range is asked for in chunks, which are halved where the server finds one too
 * large. Where a fault may pass, the same question is asked again after a while. At most two
 * questions are under way at a time, so that a report is soon done and yet burdens the server
 * little.
 */
public final class PrometheusReader {

    private static final List<Duration> PAUSES = List.of(
            Duration.ofSeconds(1),
            Duration.ofSeconds(3),
            Duration.ofSeconds(9),
            // A server that is restarted reads its log first.
            Duration.ofSeconds(27));

    /** Further warnings are dropped: they tell nothing new. */
    private static final int WARNINGS = 5;

    /** Chunks of a range asked for at the same time: a server spends one processor on each. */
    private static final int AT_ONCE = 2;

    private final Access access;
    private final PrometheusClient client;
    private final Pause pause;
    private final Set<String> warnings = new LinkedHashSet<>();
    private int warned;
    private volatile boolean answered;

    /** Whether an answer is accepted to which not all of the server's stores contributed. */
    private volatile boolean partial;

    /** Waits. */
    public interface Pause {
        void of(Duration time) throws InterruptedException;
    }

    /** Is told how much of a range has been read. */
    public interface Listener {
        void done(int points, int of);
    }

    /** A question that may be asked again. */
    private interface Ask<T> {
        Answer<T> answer() throws IOException, InterruptedException;
    }

    /**
     * @param pause between two tries of the same question
     */
    public PrometheusReader(Access access, HttpClient http, Pause pause) {
        this.access = access;
        this.client = new PrometheusClient(access, http);
        this.pause = pause;
    }

    /**
     * Why the answers so far may not be whole, and which of the server's stores are away now.
     * Thanos warns of a store that is away for a few seconds only, and from then on answers without
     * it: so it is asked for its stores. Another kind of server does not know that question.
     *
     * @throws InterruptedException when interrupted
     */
    public Warnings warnings() throws InterruptedException {
        List<String> away = answered ? storesAway() : List.of();
        synchronized (warnings) {
            note(away);
            return new Warnings(warned, List.copyOf(warnings));
        }
    }

    /** The stores that did not answer Thanos, each with the error that Thanos lists. */
    private List<String> storesAway() throws InterruptedException {
        List<String> away = new ArrayList<>();
        try {
            for (JsonNode kind : client.data("stores")) {
                for (JsonNode store : kind) {
                    String error = store.path("lastError").asText("");
                    if (!error.isEmpty()) {
                        away.add("store " + store.path("name").asText() + " is away: " + error);
                    }
                }
            }
        } catch (IOException e) {
            // No Thanos; or the server is gone, which the next question will show.
        }
        return away;
    }

    private <T> List<T> taken(Answer<T> answer) {
        if (!answer.warnings.isEmpty()) {
            synchronized (warnings) {
                warned++;
                note(answer.warnings);
            }
        }
        return answer.content;
    }

    private void note(List<String> texts) {
        texts.stream()
                .map(Refusal::line)
                .filter(text -> warnings.size() < WARNINGS)
                .forEach(warnings::add);
    }

    /**
     * The values of a label.
     *
     * @param selector of the series that have it
     * @throws SourceException when it cannot be had
     * @throws InterruptedException when interrupted
     */
    public List<String> labelValues(String label, String selector, Instant start, Instant end)
            throws SourceException, InterruptedException {
        return labels("label/" + label + "/values", selector, start, end);
    }

    /**
     * The names of the labels that series have.
     *
     * @param selector of the series
     * @throws SourceException when they cannot be had
     * @throws InterruptedException when interrupted
     */
    public List<String> labelNames(String selector, Instant start, Instant end)
            throws SourceException, InterruptedException {
        return labels("labels", selector, start, end);
    }

    /**
     * Evaluates an expression at one instant.
     *
     * @throws SourceException when it cannot be had
     * @throws InterruptedException when interrupted
     */
    public List<Series> instant(String expression, Instant at) throws SourceException, InterruptedException {
        Map<String, String> form = Map.of("query", expression, "time", seconds(at));
        return ask(series("query", form));
    }

    private Ask<Series> series(String path, Map<String, String> form) {
        return () -> client.series(path, strict(form), Series::of);
    }

    /**
     * Evaluates an expression at equal distances.
     *
     * @param start the first instant
     * @param end no instant is after it
     * @param chunk how many instants to ask for at once, at least 1
     * @throws SourceException when it cannot be had
     * @throws InterruptedException when interrupted
     */
    public List<Series> range(
            String expression, Instant start, Instant end, Duration step, int chunk, Listener listener)
            throws SourceException, InterruptedException {
        int points = (int) (Duration.between(start, end).toMillis() / step.toMillis()) + 1;
        Map<Map<String, String>, Series> all = new LinkedHashMap<>();
        ExecutorService askers = Executors.newFixedThreadPool(AT_ONCE);
        try {
            Deque<Chunk> underWay = new ArrayDeque<>();
            int size = chunk;
            int asked = 0;
            int failed = 0;
            for (int done = 0; done < points; ) {
                while (asked < points && underWay.size() < AT_ONCE) {
                    int next = Math.min(size, points - asked);
                    Instant from = start.plus(step.multipliedBy(asked));
                    Instant to = from.plus(step.multipliedBy(next - 1L));
                    Map<String, String> form = form(expression, from, to, step);
                    underWay.add(new Chunk(asked, next, askers.submit(() -> once(series("query_range", form)))));
                    asked += next;
                }
                Chunk first = underWay.remove();
                try {
                    merge(taken(first.answer()), all);
                    done += first.points();
                    failed = 0;
                    listener.done(done, points);
                } catch (SourceException e) {
                    if (e.kind() == Kind.TOO_MUCH && first.points() > 1) {
                        size = (first.points() + 1) / 2;
                    } else {
                        await(e, failed++);
                    }
                    underWay.forEach(later -> later.future().cancel(true));
                    underWay.clear();
                    asked = first.start();
                }
            }
        } finally {
            askers.shutdownNow();
        }
        return new ArrayList<>(all.values());
    }

    /**
     * Some of a range's points, asked for.
     *
     * @param start the first of them, counted from the range's
     * @param points how many, at least 1
     * @param future their series
     */
    private record Chunk(int start, int points, Future<Answer<Series>> future) {
        Answer<Series> answer() throws SourceException, InterruptedException {
            try {
                return future.get();
            } catch (ExecutionException e) {
                if (e.getCause() instanceof SourceException told) {
                    throw told;
                }
                throw new IllegalStateException(e.getCause());
            }
        }
    }

    private static void merge(List<Series> parts, Map<Map<String, String>, Series> all) {
        for (Series part : parts) {
            Series whole =
                    all.computeIfAbsent(part.labels(), labels -> new Series(labels, new TreeMap<>(), new TreeMap<>()));
            whole.values().putAll(part.values());
            whole.histograms().putAll(part.histograms());
        }
    }

    private List<String> labels(String path, String selector, Instant start, Instant end)
            throws SourceException, InterruptedException {
        Map<String, String> form = Map.of("match[]", selector, "start", seconds(start), "end", seconds(end));
        return ask(() -> client.texts(path, strict(form)));
    }

    private static Map<String, String> form(String expression, Instant from, Instant to, Duration step) {
        return Map.of(
                "query", expression,
                "start", seconds(from),
                "end", seconds(to),
                "step", Long.toString(step.toSeconds()));
    }

    /**
     * Makes Thanos refuse where one of its stores is away or at its limit. Otherwise it would only
     * warn; a question that was refused can be asked again, or halved. Other servers ignore the
     * parameter.
     */
    private Map<String, String> strict(Map<String, String> form) {
        Map<String, String> all = new LinkedHashMap<>(form);
        all.put("partial_response", Boolean.toString(partial));
        return all;
    }

    private <T> List<T> ask(Ask<T> question) throws SourceException, InterruptedException {
        for (int failed = 0; ; failed++) {
            try {
                return taken(once(question));
            } catch (SourceException e) {
                await(e, failed);
            }
        }
    }

    /**
     * Waits until the same question may be asked again. Where a store stays away, answers without
     * it are accepted from then on.
     *
     * @param failed how often it has been asked again already
     * @throws SourceException the fault itself, where it will not pass or has not
     */
    private void await(SourceException fault, int failed) throws SourceException, InterruptedException {
        boolean storeAway = fault.kind() == Kind.STORE_AWAY;
        // A server that has never answered is not there: nobody wants to wait for that.
        if ((fault.kind() == Kind.PASSING || storeAway) && answered && failed < PAUSES.size()) {
            pause.of(PAUSES.get(failed));
        } else if (storeAway && !partial) {
            partial = true;
        } else {
            throw fault;
        }
    }

    private <T> Answer<T> once(Ask<T> question) throws SourceException, InterruptedException {
        try {
            Answer<T> answer = question.answer();
            answered = true;
            return answer;
        } catch (RefusedException e) {
            throw new Refusal(e.status, e.body).exception(access.toString());
        } catch (IOException e) {
            throw new SourceException(
                    Kind.PASSING,
                    access
                            + (answered ? " stopped answering: " : " does not answer: ")
                            + new Failure(e.getCause(), access.encrypted() && !answered).words(),
                    e);
        }
    }

    private static String seconds(Instant at) {
        return Long.toString(at.getEpochSecond());
    }

    /** Its address, without credentials. */
    @Override
    public String toString() {
        return access.toString();
    }
}
