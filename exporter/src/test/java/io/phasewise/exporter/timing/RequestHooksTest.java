/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.timing;

import static io.phasewise.exporter.instrument.FakeKafka.javaRequest;
import static io.phasewise.exporter.instrument.FakeKafka.request;
import static io.phasewise.exporter.instrument.FakeKafka.requestMetrics;
import static io.phasewise.exporter.instrument.FakeKafka.scalaRequest;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.phasewise.exporter.instrument.FakeJvm;
import io.phasewise.exporter.instrument.FakeKafka;
import io.prometheus.metrics.core.metrics.Counter;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.FetchRequest;
import org.apache.kafka.common.requests.MetadataRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class RequestHooksTest {

    private static final AbstractRequest METADATA =
            MetadataRequest.Builder.allTopics().build((short) 12);
    private static final AbstractRequest CONSUMERS_FETCH =
            FetchRequest.Builder.forConsumer((short) 12, 500, 1, Map.of()).build((short) 12);
    private static final AbstractRequest FOLLOWERS_FETCH =
            FetchRequest.Builder.forReplica((short) 12, 2, 1L, 500, 1, Map.of()).build((short) 12);

    private final List<String> fetchers = new ArrayList<>();
    private final RequestListener told = new RequestListener() {
        @Override
        public void ofFollower(
                String client,
                String connection,
                int processor,
                long received,
                long dequeued,
                long completed,
                long answered,
                long sent) {
            fetchers.add(client + " on " + connection + " by " + processor);
        }
    };
    private final RequestTimer timer = RequestTiming.timer(3, "phasewise-canary", told);
    private final Counter errors =
            Counter.builder().name("errors").labelNames("api", "error").build();

    @AutoClose
    private final FakeJvm jvm = new FakeJvm(
            RequestHooks.timing(() -> RequestAdvice.timer = null),
            RequestHooks.errors(() -> RequestAdvice.errors = null));

    @BeforeEach
    void takeRequests() {
        RequestAdvice.timer = timer;
        RequestAdvice.errors = errors;
    }

    @AfterEach
    void takeNoMore() {
        RequestAdvice.timer = null;
        RequestAdvice.errors = null;
    }

    @ParameterizedTest(name = "{0}: a callback from {1} to {2}")
    @CsvSource({
        "java,      ,     , 20, 30",
        "java,  1000, 1007, 27, 23",
        "java,  1000,     , 20, 30",
        "scala,     ,     , 20, 30",
        "scala, 1000, 1007, 27, 23",
        "scala, 1000,     , 20, 30"
    })
    void aRequestOfEitherClassIsTimedAndACallbackIsLocal(
            String language, Long began, Long ended, long local, long remote) throws Exception {
        boolean java = language.equals("java");
        Class<?> type = jvm.load(java ? javaRequest() : scalaRequest());
        Object request = FakeKafka.request(type, METADATA, "app");
        FakeKafka.setCallback(request, began, ended);
        complete(request);

        assertThat(other(RequestPhase.REQUEST_QUEUE)).isEqualTo(10);
        assertThat(other(RequestPhase.LOCAL)).isEqualTo(local);
        assertThat(other(RequestPhase.REMOTE)).isEqualTo(remote);
        assertThat(other(RequestPhase.THROTTLE)).isEqualTo(3_000_000);
        assertThat(other(RequestPhase.RESPONSE_QUEUE)).isEqualTo(40);
        assertThat(other(RequestPhase.TOTAL)).isBetween(1_000_000_000L, 60_000_000_000L);
        assertThat(isActive()).isTrue();
        assertThat(jvm.hooks().kafkaVersion()).matches("\\d+\\.\\d+\\.\\d+");
        assertThat(jvm.log()).isEmpty();
    }

    @Test
    void fetchesOfConsumersAndFollowersAreToldApart() throws Exception {
        Class<?> type = jvm.load(javaRequest());
        complete(request(type, CONSUMERS_FETCH, "app"));
        complete(request(type, FOLLOWERS_FETCH, "broker-2-fetcher-0"));
        complete(request(type, FOLLOWERS_FETCH, "broker-2-fetcher-0"));

        assertThat(sum(RequestKind.FETCH_CONSUMER, RequestPhase.LOCAL)).isEqualTo(20);
        assertThat(sum(RequestKind.FETCH_FOLLOWER, RequestPhase.LOCAL)).isEqualTo(40);
        assertThat(fetchers).hasSize(2).containsOnly("broker-2-fetcher-0 on 1 by 5");
    }

    @Test
    void aRequestThatDoesNotKnowItsNetworkThreadIsTimedAllTheSame() throws Exception {
        Class<?> type = jvm.load(javaRequest().withoutField("processor"));
        complete(request(type, FOLLOWERS_FETCH, "broker-2-fetcher-0"));

        assertThat(jvm.log()).isEmpty();
        assertThat(sum(RequestKind.FETCH_FOLLOWER, RequestPhase.LOCAL)).isEqualTo(20);
        assertThat(fetchers).containsExactly("broker-2-fetcher-0 on 1 by -1");
    }

    @Test
    void errorsAreCountedButNotTheirAbsence() throws Exception {
        Class<?> type = jvm.load(requestMetrics());
        Object metrics = type.getDeclaredConstructor().newInstance();
        FakeKafka.set(metrics, "name", "Produce");
        Method mark = type.getMethod("markErrorMeter", Errors.class, int.class);
        mark.invoke(metrics, Errors.NONE, 5);
        mark.invoke(metrics, Errors.NOT_LEADER_OR_FOLLOWER, 2);
        mark.invoke(metrics, Errors.NOT_LEADER_OR_FOLLOWER, 1);

        assertThat(errors.labelValues("Produce", "NOT_LEADER_OR_FOLLOWER").get())
                .isEqualTo(3);
        assertThat(errors.collect().getDataPoints()).hasSize(1);
    }

    @ParameterizedTest
    @MethodSource("unknownShapes")
    void anUnknownShapeIsLeftAloneAndSaidOnce(FakeKafka fake, String reason) {
        assertThat(jvm.transform(fake)).isNull();
        assertThat(jvm.transform(fake)).isNull();

        assertThat(jvm.log()).singleElement().asString().contains(reason);
        assertThat(isActive()).isFalse();
    }

    static Stream<Arguments> unknownShapes() {
        String callback = "callbackRequestCompleteTimeNanos";
        return Stream.of(
                arguments(
                        javaRequest().withoutField("apiThrottleTimeMs"),
                        "org.apache.kafka.network.Request has no apiThrottleTimeMs of J"),
                arguments(javaRequest().field("startTimeNanos", int.class), "has no startTimeNanos of J"),
                arguments(javaRequest().field(callback, long.class), "has no " + callback + " of Ljava/lang/Object;"),
                arguments(
                        javaRequest().method("recordMetrics", long.class),
                        "has 0 methods like org.apache.kafka.network.Request.updateRequestMetrics"),
                arguments(requestMetrics().method("markErrorMeter", Errors.class), "has 0 methods like"),
                arguments(requestMetrics().withoutField("name"), "RequestMetrics has no"));
    }

    @Test
    void aClassFileThatCannotBeReadIsLeftAlone() {
        FakeKafka fake = javaRequest();
        byte[] broken = Arrays.copyOf(fake.classFile(), 60);

        assertThat(jvm.transform(fake.name(), broken)).isNull();
        assertThat(jvm.log()).singleElement().asString().contains("cannot instrument");
        assertThat(isActive()).isFalse();
    }

    @Test
    void aClassThatCannotSeeTheAgentIsLeftAlone() {
        ClassLoader apart = new ClassLoader(ClassLoader.getPlatformClassLoader()) {};
        FakeKafka fake = javaRequest();
        String name = fake.name().replace('.', '/');

        assertThat(jvm.hooks().transform(apart, name, null, null, fake.classFile()))
                .isNull();
        assertThat(jvm.log()).singleElement().asString().contains("cannot instrument");
    }

    @Test
    void aClassThatAnotherAgentPutsBackIsNotInstrumentedTwice() throws Exception {
        FakeKafka fake = javaRequest();
        byte[] once = jvm.transform(fake);
        assertThat(jvm.transform(fake.name(), once)).isNull();

        complete(request(jvm.define(once), METADATA, "app"));
        assertThat(other(RequestPhase.LOCAL)).isEqualTo(20);
        assertThat(jvm.log()).isEmpty();
    }

    private boolean isActive() {
        return jvm.hooks().isActive(RequestTiming.HOOK);
    }

    private static void complete(Object request) throws Exception {
        request.getClass()
                .getMethod("updateRequestMetrics", long.class, Object.class)
                .invoke(request, 1L, null);
    }

    private long other(RequestPhase phase) {
        return sum(RequestKind.OTHER, phase);
    }

    private long sum(RequestKind kind, RequestPhase phase) {
        return timer.readAll(totals -> totals.sumNanos(RequestTimer.histogram(kind, phase)));
    }
}
