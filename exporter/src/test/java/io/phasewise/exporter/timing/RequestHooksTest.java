/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.timing;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.exporter.instrument.FakeJvm;
import io.phasewise.exporter.instrument.Hooks;
import io.phasewise.exporter.recorder.BucketScheme;
import io.prometheus.metrics.core.metrics.Counter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.RequestHeader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import scala.Option;

class RequestHooksTest {

    private static final Option<Object> NONE = Option.empty();
    private static final OptionalLong EMPTY = OptionalLong.empty();

    private final List<String> log = new ArrayList<>();
    private final Hooks hooks = new Hooks(log::add);
    private final RequestTimer timer =
            new RequestTimer(
                    new BucketScheme(3, RequestTiming.classicNanos()),
                    1,
                    "phasewise-canary",
                    (a, b, c, d, e, f) -> {});
    private final Counter errors =
            Counter.builder().name("errors").labelNames("api", "error").build();
    private final FakeKafka.Loader loader = new FakeKafka.Loader();

    @BeforeEach
    void install() {
        assertThat(hooks.claim()).isTrue();
        RequestAdvice.timer = timer;
        RequestAdvice.errors = errors;
        hooks.install(
                new FakeJvm().instrumentation(),
                List.of(
                        RequestHooks.timing(() -> RequestAdvice.timer = null),
                        RequestHooks.errors(() -> RequestAdvice.errors = null)));
    }

    @AfterEach
    void uninstall() {
        RequestAdvice.timer = null;
        RequestAdvice.errors = null;
        hooks.release();
    }

    @Test
    void aRequestOfTheJavaClassIsTimed() throws Exception {
        Class<?> type = define(FakeKafka.javaRequest());
        call(FakeKafka.metadata(type, "app", OptionalLong.empty()));

        assertThat(sum(RequestKind.OTHER, RequestPhase.REQUEST_QUEUE)).isEqualTo(10);
        assertThat(sum(RequestKind.OTHER, RequestPhase.LOCAL)).isEqualTo(20);
        assertThat(sum(RequestKind.OTHER, RequestPhase.REMOTE)).isEqualTo(30);
        assertThat(sum(RequestKind.OTHER, RequestPhase.THROTTLE)).isEqualTo(3_000_000);
        assertThat(sum(RequestKind.OTHER, RequestPhase.RESPONSE_QUEUE)).isEqualTo(40);
        assertThat(sum(RequestKind.OTHER, RequestPhase.TOTAL))
                .isBetween(1_000_000_000L, 60_000_000_000L);
        assertThat(isActive()).isTrue();
        assertThat(hooks.kafkaVersion()).matches("\\d+\\.\\d+\\.\\d+");
        assertThat(log).isEmpty();
    }

    @Test
    void aRequestOfTheScalaClassIsTimed() throws Exception {
        Class<?> type = define(FakeKafka.scalaRequest());
        call(FakeKafka.metadata(type, "app", NONE));

        assertThat(sum(RequestKind.OTHER, RequestPhase.LOCAL)).isEqualTo(20);
        assertThat(sum(RequestKind.OTHER, RequestPhase.REMOTE)).isEqualTo(30);
        assertThat(isActive()).isTrue();
    }

    @Test
    void timeInACallbackIsLocalInTheJavaClass() throws Exception {
        Class<?> type = define(FakeKafka.javaRequest());
        Object request = FakeKafka.metadata(type, "app", OptionalLong.of(1_000));
        FakeKafka.set(request, "callbackRequestCompleteTimeNanos", OptionalLong.of(1_007));
        call(request);

        assertThat(sum(RequestKind.OTHER, RequestPhase.LOCAL)).isEqualTo(27);
        assertThat(sum(RequestKind.OTHER, RequestPhase.REMOTE)).isEqualTo(23);
    }

    @Test
    void timeInACallbackIsLocalInTheScalaClass() throws Exception {
        Class<?> type = define(FakeKafka.scalaRequest());
        Object request = FakeKafka.metadata(type, "app", Option.apply((Object) 1_000L));
        FakeKafka.set(request, "callbackRequestCompleteTimeNanos", Option.apply((Object) 1_007L));
        call(request);

        assertThat(sum(RequestKind.OTHER, RequestPhase.LOCAL)).isEqualTo(27);
        assertThat(sum(RequestKind.OTHER, RequestPhase.REMOTE)).isEqualTo(23);
    }

    @Test
    void aCallbackThatIsNotCompleteCountsForNothing() throws Exception {
        Class<?> type = define(FakeKafka.javaRequest());
        Object request = FakeKafka.metadata(type, "app", OptionalLong.of(1_000));
        FakeKafka.set(request, "callbackRequestCompleteTimeNanos", OptionalLong.empty());
        call(request);

        assertThat(sum(RequestKind.OTHER, RequestPhase.LOCAL)).isEqualTo(20);
    }

    @Test
    void fetchesOfConsumersAndFollowersAreToldApart() throws Exception {
        Class<?> type = define(FakeKafka.javaRequest());
        call(FakeKafka.fetch(type, "app", OptionalLong.empty()));
        call(FakeKafka.followerFetch(type, OptionalLong.empty()));
        call(FakeKafka.followerFetch(type, OptionalLong.empty()));

        assertThat(sum(RequestKind.FETCH_CONSUMER, RequestPhase.LOCAL)).isEqualTo(20);
        assertThat(sum(RequestKind.FETCH_FOLLOWER, RequestPhase.LOCAL)).isEqualTo(40);
    }

    @Test
    void errorsAreCountedButNotTheirAbsence() throws Exception {
        FakeKafka fake = FakeKafka.requestMetrics();
        Object metrics = define(fake).getDeclaredConstructor().newInstance();
        FakeKafka.set(metrics, "name", "Produce");
        mark(metrics, Errors.NONE, 5);
        mark(metrics, Errors.NOT_LEADER_OR_FOLLOWER, 2);
        mark(metrics, Errors.NOT_LEADER_OR_FOLLOWER, 1);

        assertThat(errors.labelValues("Produce", "NOT_LEADER_OR_FOLLOWER").get()).isEqualTo(3);
        assertThat(errors.collect().getDataPoints()).hasSize(1);
    }

    @ParameterizedTest
    @MethodSource("unknownShapes")
    void anUnknownShapeIsLeftAloneAndSaidOnce(FakeKafka fake, String reason) throws Exception {
        assertThat(transform(fake)).isNull();
        assertThat(transform(fake)).isNull();

        assertThat(log).singleElement().asString().contains(reason);
        assertThat(isActive()).isFalse();
    }

    static Stream<Arguments> unknownShapes() {
        return Stream.of(
                Arguments.of(
                        FakeKafka.javaRequest().withoutField("apiThrottleTimeMs"),
                        "org.apache.kafka.network.Request has no apiThrottleTimeMs of J"),
                Arguments.of(
                        FakeKafka.javaRequest().field("startTimeNanos", int.class),
                        "has no startTimeNanos of J"),
                Arguments.of(
                        FakeKafka.javaRequest().field("context", RequestHeader.class),
                        "has no context of Lorg/apache/kafka/common/requests/RequestContext;"),
                Arguments.of(
                        FakeKafka.javaRequest()
                                .field("callbackRequestCompleteTimeNanos", long.class),
                        "has no callbackRequestCompleteTimeNanos of Ljava/lang/Object;"),
                Arguments.of(
                        FakeKafka.javaRequest().method("recordMetrics", long.class),
                        "has 0 methods like org.apache.kafka.network.Request.updateRequestMetrics"),
                Arguments.of(
                        FakeKafka.requestMetrics().method("markErrorMeter", Errors.class),
                        "has 0 methods like"),
                Arguments.of(
                        FakeKafka.requestMetrics().withoutField("name"), "RequestMetrics has no"));
    }

    @Test
    void aClassFileThatCannotBeReadIsLeftAlone() {
        byte[] broken = Arrays.copyOf(FakeKafka.javaRequest().classFile(), 60);
        assertThat(hooks.transform(loader, "org/apache/kafka/network/Request", null, null, broken))
                .isNull();
        assertThat(log).singleElement().asString().contains("cannot instrument");
        assertThat(isActive()).isFalse();
    }

    @Test
    void aClassThatCannotSeeTheAgentIsLeftAlone() {
        ClassLoader apart = new ClassLoader(ClassLoader.getPlatformClassLoader()) {};
        FakeKafka fake = FakeKafka.javaRequest();
        assertThat(hooks.transform(apart, fake.internalName(), null, null, fake.classFile()))
                .isNull();
        assertThat(log).singleElement().asString().contains("cannot instrument");
    }

    @Test
    void aClassThatAnotherAgentPutsBackIsNotInstrumentedTwice() throws Exception {
        FakeKafka fake = FakeKafka.javaRequest();
        byte[] once = transform(fake);
        assertThat(hooks.transform(loader, fake.internalName(), null, null, once)).isNull();

        call(FakeKafka.metadata(loader.define(once), "app", OptionalLong.empty()));
        assertThat(sum(RequestKind.OTHER, RequestPhase.LOCAL)).isEqualTo(20);
        assertThat(log).isEmpty();
    }

    @Test
    void whatTheAdviceThrowsEndsTimingAndNothingElse() throws Exception {
        Class<?> type = define(FakeKafka.javaRequest());
        Object request = FakeKafka.metadata(type, "app", OptionalLong.empty());
        Object broken = FakeKafka.metadata(type, "app", OptionalLong.empty());
        FakeKafka.set(broken, "context", null);
        call(request);
        call(broken);
        call(broken);
        call(request);

        assertThat(log)
                .singleElement()
                .asString()
                .contains("request timing is off, everything else goes on")
                .contains("NullPointerException");
        assertThat(isActive()).isFalse();
        assertThat(sum(RequestKind.OTHER, RequestPhase.LOCAL)).isEqualTo(20);
    }

    @Test
    void otherClassesAreNoneOfItsBusiness() {
        assertThat(hooks.transform(loader, "kafka/network/RequestChannel", null, null, null))
                .isNull();
        assertThat(hooks.transform(loader, null, null, null, null)).isNull();
        assertThat(log).isEmpty();
    }

    @Test
    void anUnknownShapeOfOneHookLeavesTheOtherActive() throws Exception {
        assertThat(transform(FakeKafka.requestMetrics().withoutField("name"))).isNull();
        call(FakeKafka.metadata(loader.define(transform(FakeKafka.javaRequest())), "app", EMPTY));

        assertThat(isActive()).isTrue();
        assertThat(hooks.isActive("request_errors")).isFalse();
        assertThat(sum(RequestKind.OTHER, RequestPhase.LOCAL)).isEqualTo(20);
    }

    private boolean isActive() {
        return hooks.isActive(RequestTiming.HOOK);
    }

    private byte[] transform(FakeKafka fake) {
        return hooks.transform(loader, fake.internalName(), null, null, fake.classFile());
    }

    private Class<?> define(FakeKafka fake) {
        byte[] transformed = transform(fake);
        assertThat(log).isEmpty();
        return loader.define(transformed);
    }

    private static void call(Object request) throws Exception {
        request.getClass()
                .getMethod("updateRequestMetrics", long.class, Object.class)
                .invoke(request, 1L, null);
    }

    private static void mark(Object metrics, Errors error, int count) throws Exception {
        metrics.getClass()
                .getMethod("markErrorMeter", Errors.class, int.class)
                .invoke(metrics, error, count);
    }

    private long sum(RequestKind kind, RequestPhase phase) {
        return timer.readAll(totals -> totals.sumNanos(RequestTimer.histogram(kind, phase)));
    }
}
