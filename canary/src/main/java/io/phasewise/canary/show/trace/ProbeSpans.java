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
import io.phasewise.canary.phases.Instants;
import io.phasewise.canary.probe.ledger.Outcome;
import io.phasewise.canary.show.slow.SlowProbe;
import io.phasewise.common.phase.Phase;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Makes the spans of a traced probe: the root from T0 to T5, and beneath it one for each phase and
 * for the mirror where there is one, end to end in their order, so that they fill the root exactly.
 * What becomes of them is left to the processor. Thread-safe.
 *
 * <p>A probe that waited behind another one has that wait charged to the phase which the other was
 * in; its spans then are as long as its phases, and the root's events stand at its own instants.
 */
final class ProbeSpans {
    static final AttributeKey<String> CLUSTER = AttributeKey.stringKey("cluster");
    static final AttributeKey<String> PROFILE = AttributeKey.stringKey("profile");
    private static final AttributeKey<String> TOPIC = AttributeKey.stringKey("topic");
    private static final AttributeKey<Long> LEADER = AttributeKey.longKey("leader");
    private static final AttributeKey<Long> PARTITION = AttributeKey.longKey("partition");
    private static final AttributeKey<Long> OFFSET = AttributeKey.longKey("offset");
    private static final AttributeKey<List<Long>> IN_SYNC = AttributeKey.longArrayKey("isr");
    private static final AttributeKey<String> OUTCOME = AttributeKey.stringKey("outcome");
    private static final AttributeKey<String> PROBE = AttributeKey.stringKey("probe_id");
    private static final AttributeKey<Boolean> SLOW = AttributeKey.booleanKey("slow");
    private static final AttributeKey<Double> WAITED = AttributeKey.doubleKey("waited_seconds");
    private static final AttributeKey<Boolean> STALLED = AttributeKey.booleanKey("stalled");

    private final GivenTraceId ids = new GivenTraceId();
    private final SdkTracerProvider provider;
    private final Tracer tracer;

    /**
     * @param version of the canary
     * @param processor takes the spans
     */
    ProbeSpans(String version, SpanProcessor processor) {
        Attributes service =
                Attributes.of(
                        AttributeKey.stringKey("service.name"),
                        "phasewise-canary",
                        AttributeKey.stringKey("service.version"),
                        version);
        provider =
                SdkTracerProvider.builder()
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

    /** Hands what is left to the receiver, and ends; waits no longer than this. */
    void close(Duration last) {
        provider.shutdown().join(last.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Makes the spans of a trace, the phases before their root. */
    synchronized void add(ProbeTrace trace) {
        ids.next = trace.id().toString();
        SlowProbe probe = trace.probe();
        Instants at = probe.instants();
        long due = trace.dueEpochNanos();
        Attributes shared =
                Attributes.builder()
                        .put(CLUSTER, trace.source().cluster())
                        .put(PROFILE, trace.source().profile())
                        .put(LEADER, (long) probe.leader())
                        .build();
        Span root =
                tracer.spanBuilder("probe")
                        .setNoParent()
                        .setAllAttributes(rootAttributes(trace, shared.toBuilder()))
                        .setStartTimestamp(due, TimeUnit.NANOSECONDS)
                        .startSpan();
        at.steps(trace.source().mirrored())
                .forEach((step, nanos) -> event(root, step, due + nanos));
        probe.breakdown()
                .marked()
                .ifPresent(
                        marked ->
                                marked.passage()
                                        .since(at.t0())
                                        .forEach((step, nanos) -> event(root, step, due + nanos)));
        if (probe.outcome() != Outcome.DELIVERED) {
            root.setStatus(StatusCode.ERROR, probe.outcome().label());
        }
        long start = due;
        for (Phase phase : Phase.values()) {
            if (phase == Phase.CATCH_UP && trace.source().mirrored()) {
                start = part(root, shared, "mirror", start, probe.phases().mirror());
            }
            start = part(root, shared, phase.label(), start, probe.phases().of(phase));
        }
        root.end(due + at.t5() - at.t0(), TimeUnit.NANOSECONDS);
    }

    /** A span beneath the root; gives its end. */
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
        SlowProbe probe = trace.probe();
        return shared.put(TOPIC, trace.source().topic())
                .put(PARTITION, (long) probe.partition())
                .put(OFFSET, probe.offset())
                .put(IN_SYNC, trace.inSync().stream().map(Integer::longValue).toList())
                .put(OUTCOME, probe.outcome().label())
                .put(PROBE, probe.id())
                .put(SLOW, trace.slow())
                .put(WAITED, probe.waitedNanos() / 1e9)
                .put(STALLED, probe.stalledNanos() > 0)
                .build();
    }

    private static void event(Span root, String name, long epochNanos) {
        root.addEvent(name, epochNanos, TimeUnit.NANOSECONDS);
    }

    /** Names the next root's trace as it is told to; the spans' own names are random. */
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
