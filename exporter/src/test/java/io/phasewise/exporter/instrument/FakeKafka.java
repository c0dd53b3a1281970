/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.instrument;

import java.lang.reflect.Field;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.description.modifier.Visibility;
import net.bytebuddy.dynamic.DynamicType;
import net.bytebuddy.implementation.StubMethod;
import org.apache.kafka.common.network.ClientInformation;
import org.apache.kafka.common.network.ListenerName;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.RequestAndSize;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.common.requests.RequestHeader;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import scala.Option;

/**
 * A class that looks like one of a broker to the agent, or almost: made in memory, so that it can
 * be of a shape that no Kafka has. Its fields hold real objects of kafka-clients.
 */
public final class FakeKafka {

    /** Instants of a request, and when they come: nanoseconds after it was received. */
    private static final Map<String, Integer> INSTANTS = Map.of(
            "startTimeNanos", 0,
            "requestDequeueTimeNanos", 10,
            "apiLocalCompleteTimeNanos", 30,
            "responseCompleteTimeNanos", 60,
            "responseDequeueTimeNanos", 100);

    private final String name;
    private final Map<String, Class<?>> fields = new LinkedHashMap<>();
    private String method = "updateRequestMetrics";
    private Class<?>[] parameters = {long.class, Object.class};

    private FakeKafka(String name) {
        this.name = name;
    }

    /** A class of that name without fields. */
    public static FakeKafka named(String name) {
        return new FakeKafka(name);
    }

    /** The request class of Kafka 4.4. */
    public static FakeKafka javaRequest() {
        return request("org.apache.kafka.network.Request", OptionalLong.class);
    }

    /** The one before. */
    public static FakeKafka scalaRequest() {
        return request("kafka.network.RequestChannel$Request", Option.class);
    }

    /** Where errors are counted. */
    public static FakeKafka requestMetrics() {
        return new FakeKafka("org.apache.kafka.network.metrics.RequestMetrics")
                .field("name", String.class)
                .method("markErrorMeter", Errors.class, int.class);
    }

    private static FakeKafka request(String name, Class<?> optional) {
        FakeKafka request = new FakeKafka(name)
                .field("context", RequestContext.class)
                .field("bodyAndSize", RequestAndSize.class)
                .field("processor", int.class)
                .field("apiThrottleTimeMs", long.class)
                .field("callbackRequestDequeueTimeNanos", optional)
                .field("callbackRequestCompleteTimeNanos", optional);
        INSTANTS.keySet().forEach(instant -> request.field(instant, long.class));
        return request;
    }

    /** Adds a field or gives it another type. */
    public FakeKafka field(String field, Class<?> type) {
        fields.put(field, type);
        return this;
    }

    public FakeKafka withoutField(String field) {
        fields.remove(field);
        return this;
    }

    /** Has this method instead. */
    public FakeKafka method(String other, Class<?>... parameterTypes) {
        method = other;
        parameters = parameterTypes;
        return this;
    }

    public String name() {
        return name;
    }

    public byte[] classFile() {
        DynamicType.Builder<Object> builder =
                new ByteBuddy().subclass(Object.class).name(name);
        for (Map.Entry<String, Class<?>> field : fields.entrySet()) {
            builder = builder.defineField(field.getKey(), field.getValue(), Visibility.PRIVATE);
        }
        return builder.defineMethod(method, void.class, Visibility.PUBLIC)
                .withParameters(parameters)
                .intercept(StubMethod.INSTANCE)
                .make()
                .getBytes();
    }

    /**
     * A request without a callback that was received a second ago.
     *
     * @param type loaded from one of the request classes here
     */
    public static Object request(Class<?> type, AbstractRequest body, String clientId)
            throws ReflectiveOperationException {
        Object request = type.getDeclaredConstructor().newInstance();
        RequestContext context = new RequestContext(
                new RequestHeader(body.apiKey(), body.version(), clientId, 1),
                "1",
                InetAddress.getLoopbackAddress(),
                KafkaPrincipal.ANONYMOUS,
                new ListenerName("PLAINTEXT"),
                SecurityProtocol.PLAINTEXT,
                ClientInformation.EMPTY,
                false);
        set(request, "context", context);
        set(request, "bodyAndSize", new RequestAndSize(body, 10));
        long received = System.nanoTime() - 1_000_000_000L;
        for (Map.Entry<String, Integer> instant : INSTANTS.entrySet()) {
            set(request, instant.getKey(), received + instant.getValue());
        }
        if (Arrays.stream(type.getDeclaredFields())
                .anyMatch(field -> field.getName().equals("processor"))) {
            set(request, "processor", 5);
        }
        set(request, "apiThrottleTimeMs", 3L);
        setCallback(request, null, null);
        return request;
    }

    /** When a callback of a request began and ended; null for what has not happened. */
    public static void setCallback(Object request, Long began, Long ended) throws ReflectiveOperationException {
        setOptional(request, "callbackRequestDequeueTimeNanos", began);
        setOptional(request, "callbackRequestCompleteTimeNanos", ended);
    }

    private static void setOptional(Object target, String field, Long value) throws ReflectiveOperationException {
        boolean scala = target.getClass().getDeclaredField(field).getType() == Option.class;
        OptionalLong java = value == null ? OptionalLong.empty() : OptionalLong.of(value);
        set(target, field, scala ? Option.apply((Object) value) : java);
    }

    /** Sets a private field. */
    public static void set(Object target, String field, Object value) throws ReflectiveOperationException {
        Field declared = target.getClass().getDeclaredField(field);
        declared.setAccessible(true);
        declared.set(target, value);
    }
}
