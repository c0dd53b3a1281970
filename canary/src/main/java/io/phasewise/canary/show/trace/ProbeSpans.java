/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.trace;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.IdGenerator;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import io.phasewise.canary.phases.Breakdown;
import io.phasewise.canary.show.slow.ProbeReport;
import io.phasewise.canary.trip.Outcome;
import io.phasewise.canary.trip.Trip;
import io.phasewise.common.phase.Phase;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Makes the spans of a traced probe: the root from T0 to T5, and beneath it one for each phase, end
 * to end in their order, so that they fill the root exactly. What becomes of them is left to the
 * processor. Thread-safe.
 *
 * <p>A probe that waited behind another one has that wait charged to the phase which the other was
 * in; its spans then are as long as its phases, and the root's events stand at its own instants.
 */
final class ProbeSpans {
    static final AttributeKey<String> CLUSTER = AttributeKey.stringKey("cluster");
    static final AttributeKey<String> PROFILE = AttributeKey.stringKey("profile");

    private final GivenTraceId ids = new GivenTraceId();
    private final SdkTracerProvider provider;
    private final Tracer tracer;

    /**
     * @param version of the canary
     * @param processor takes the spans
     */
    ProbeSpans(String version, SpanProcessor processor) {
        Attributes service = Attributes.builder()
                .put("service.name", "phasewise-canary")
                .put("service.version", version)
                .build();
        provider = SdkTracerProvider.builder()
                .setResource(Resource.getDefault().merge(Resource.create(service)))
                .setSampler(Sampler.alwaysOn())
                .setIdGenerator(ids)
                .addSpanProcessor(processor)
                .build();
        tracer = provider.tracerBuilder("io.phasewise.canary").build();
    }

    /** Those of the spans that are a trace's root. */
    static Stream<SpanData> roots(Collection<SpanData> spans) {
        return spans.stream().filter(span -> !span.getParentSpanContext().isValid());
    }

    /** Hands what is left to the receiver, and ends; waits no longer than {@code last}. */
    void close(Duration last) {
        provider.shutdown().join(last.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Makes the spans of a trace, the phases before their root. */
    synchronized void add(ProbeTrace trace) {
        ids.next = trace.id().toString();
        Trip trip = trace.probe().trip();
        Breakdown split = trace.probe().breakdown().orElseThrow();
        long due = trace.dueEpochNanos();
        Attributes shared = Attributes.builder()
                .put(CLUSTER, trace.probe().source().cluster())
                .put(PROFILE, trace.probe().source().profile())
                .put("leader", (long) trip.leader())
                .build();
        Span root = tracer.spanBuilder("probe")
                .setNoParent()
                .setAllAttributes(rootAttributes(trace, shared.toBuilder()))
                .setStartTimestamp(due, TimeUnit.NANOSECONDS)
                .startSpan();
        Map<String, Long> steps = split.instants().steps();
        split.marked().ifPresent(by -> steps.putAll(by.leaderInstants().since(trip.dueNanos())));
        steps.forEach((step, nanos) -> root.addEvent(step, due + nanos, TimeUnit.NANOSECONDS));
        if (trip.outcome() != Outcome.DELIVERED) {
            root.setStatus(StatusCode.ERROR, trip.outcome().label());
        }
        long start = due;
        for (Phase phase : Phase.values()) {
            start = part(root, shared, phase.label(), start, split.phases().of(phase));
        }
        root.end(due + trip.latencyNanos(), TimeUnit.NANOSECONDS);
    }

    /** Makes a span beneath the root; returns its end. */
    private long part(Span root, Attributes shared, String name, long start, long nanos) {
        tracer.spanBuilder(name)
                .setParent(Context.root().with(root))
                .setAllAttributes(shared)
                .setStartTimestamp(start, TimeUnit.NANOSECONDS)
                .startSpan()
                .end(start + nanos, TimeUnit.NANOSECONDS);
        return start + nanos;
    }

    private static Attributes rootAttributes(ProbeTrace trace, AttributesBuilder shared) {
        ProbeReport probe = trace.probe();
        Trip trip = probe.trip();
        return shared.put("topic", probe.source().topic())
                .put("partition", (long) trip.partition())
                .put("offset", trip.delivery().offset())
                .put(
                        "isr",
                        trace.inSync().stream().mapToLong(Integer::longValue).toArray())
                .put("outcome", trip.outcome().label())
                .put("probe_id", probe.id())
                .put("slow", trace.slow())
                .put("waited_seconds", trip.waitedNanos() / 1e9)
                .put("stalled", probe.stalledNanos() > 0)
                .build();
    }

    /** Names the next root's trace as given; the spans' own names are random. */
    private static final class GivenTraceId implements IdGenerator {
        private final IdGenerator random = IdGenerator.random();
        private String next;

        @Override
        public String generateTraceId() {
            return next;
        }

        @Override
        public String generateSpanId() {
            return random.generateSpanId();
        }
    }
}
