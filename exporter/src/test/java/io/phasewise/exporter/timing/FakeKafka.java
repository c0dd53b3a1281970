/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.timing;

import java.lang.reflect.Field;
import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.description.modifier.Visibility;
import net.bytebuddy.dynamic.DynamicType;
import net.bytebuddy.implementation.StubMethod;
import org.apache.kafka.common.network.ClientInformation;
import org.apache.kafka.common.network.ListenerName;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.FetchRequest;
import org.apache.kafka.common.requests.MetadataRequest;
import org.apache.kafka.common.requests.RequestAndSize;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.common.requests.RequestHeader;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import scala.Option;

/**
 * Classes that look like those of a broker to the advice, or almost: made in memory, so that they
 * can be of shapes that no Kafka has. Their fields hold real objects of kafka-clients.
 */
final class FakeKafka {

    static final String JAVA_REQUEST = "org.apache.kafka.network.Request";
    static final String SCALA_REQUEST = "kafka.network.RequestChannel$Request";
    static final String REQUEST_METRICS = "org.apache.kafka.network.metrics.RequestMetrics";

    private final String name;
    private final Map<String, Class<?>> fields = new LinkedHashMap<>();
    private String method = "updateRequestMetrics";
    private Class<?>[] parameters = {long.class, Object.class};

    private FakeKafka(String name) {
        this.name = name;
    }

    /** The request class of Kafka 4.4. */
    static FakeKafka javaRequest() {
        return request(JAVA_REQUEST, OptionalLong.class);
    }

    /** The one before. */
    static FakeKafka scalaRequest() {
        return request(SCALA_REQUEST, Option.class);
    }

    /** Where errors are counted. */
    static FakeKafka requestMetrics() {
        FakeKafka fake = new FakeKafka(REQUEST_METRICS);
        fake.method = "markErrorMeter";
        fake.parameters = new Class<?>[] {Errors.class, int.class};
        return fake.field("name", String.class);
    }

    private static FakeKafka request(String name, Class<?> optional) {
        return new FakeKafka(name)
                .field("context", RequestContext.class)
                .field("bodyAndSize", RequestAndSize.class)
                .field("startTimeNanos", long.class)
                .field("requestDequeueTimeNanos", long.class)
                .field("apiLocalCompleteTimeNanos", long.class)
                .field("responseCompleteTimeNanos", long.class)
                .field("responseDequeueTimeNanos", long.class)
                .field("apiThrottleTimeMs", long.class)
                .field("callbackRequestDequeueTimeNanos", optional)
                .field("callbackRequestCompleteTimeNanos", optional);
    }

    /** Adds a field or gives it another type. */
    FakeKafka field(String field, Class<?> type) {
        fields.put(field, type);
        return this;
    }

    FakeKafka withoutField(String field) {
        fields.remove(field);
        return this;
    }

    FakeKafka method(String other, Class<?>... parameterTypes) {
        method = other;
        parameters = parameterTypes;
        return this;
    }

    String internalName() {
        return name.replace('.', '/');
    }

    byte[] classFile() {
        DynamicType.Builder<Object> builder = new ByteBuddy().subclass(Object.class).name(name);
        for (Map.Entry<String, Class<?>> field : fields.entrySet()) {
            builder = builder.defineField(field.getKey(), field.getValue(), Visibility.PRIVATE);
        }
        return builder.defineMethod(method, void.class, Visibility.PUBLIC)
                .withParameters(parameters)
                .intercept(StubMethod.INSTANCE)
                .make()
                .getBytes();
    }

    /** A consumer's fetch by the client, dequeued at 10 ns, and so on; received at 0. */
    static Object fetch(Class<?> type, String clientId, Object noOption) throws Exception {
        return fill(
                type,
                ApiKeys.FETCH,
                FetchRequest.Builder.forConsumer((short) 12, 500, 1, Map.of()).build((short) 12),
                clientId,
                noOption);
    }

    /** A metadata request. */
    static Object metadata(Class<?> type, String clientId, Object noOption) throws Exception {
        return fill(
                type,
                ApiKeys.METADATA,
                MetadataRequest.Builder.allTopics().build((short) 12),
                clientId,
                noOption);
    }

    /** A follower's fetch. */
    static Object followerFetch(Class<?> type, Object noOption) throws Exception {
        return fill(
                type,
                ApiKeys.FETCH,
                FetchRequest.Builder.forReplica((short) 12, 2, 1L, 500, 1, Map.of())
                        .build((short) 12),
                "broker-2-fetcher-0",
                noOption);
    }

    private static Object fill(
            Class<?> type, ApiKeys api, AbstractRequest body, String clientId, Object noOption)
            throws Exception {
        Object request = type.getDeclaredConstructor().newInstance();
        RequestHeader header = new RequestHeader(api, body.version(), clientId, 1);
        set(
                request,
                "context",
                new RequestContext(
                        header,
                        "1",
                        InetAddress.getLoopbackAddress(),
                        Optional.empty(),
                        KafkaPrincipal.ANONYMOUS,
                        new ListenerName("PLAINTEXT"),
                        SecurityProtocol.PLAINTEXT,
                        ClientInformation.EMPTY,
                        false));
        set(request, "bodyAndSize", new RequestAndSize(body, 10));
        long received = System.nanoTime() - 1_000_000_000L;
        set(request, "startTimeNanos", received);
        set(request, "requestDequeueTimeNanos", received + 10);
        set(request, "apiLocalCompleteTimeNanos", received + 30);
        set(request, "responseCompleteTimeNanos", received + 60);
        set(request, "responseDequeueTimeNanos", received + 100);
        set(request, "apiThrottleTimeMs", 3L);
        set(request, "callbackRequestDequeueTimeNanos", noOption);
        set(request, "callbackRequestCompleteTimeNanos", noOption);
        return request;
    }

    static void set(Object target, String field, Object value) throws Exception {
        Field declared = target.getClass().getDeclaredField(field);
        declared.setAccessible(true);
        declared.set(target, value);
    }

    /** Has a class of its own for each test, which finds all others in the test's class path. */
    static final class Loader extends ClassLoader {
        Loader() {
            super(FakeKafka.class.getClassLoader());
        }

        Class<?> define(byte[] classFile) {
            return defineClass(null, classFile, 0, classFile.length);
        }
    }
}
