/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.timing;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * What a class of Kafka must look like for an advice to be called from it: the method, the fields,
 * and the members of other classes that the advice reaches through them. Looks at class files only;
 * nothing is loaded.
 */
enum RequestShape {
    /** Kafka 4.4. */
    JAVA_REQUEST(
            "org.apache.kafka.network.Request",
            "updateRequestMetrics",
            JavaRequestAdvice.class,
            "Ljava/util/OptionalLong;"),
    /** Kafka 3.7 to 4.3. */
    SCALA_REQUEST(
            "kafka.network.RequestChannel$Request",
            "updateRequestMetrics",
            ScalaRequestAdvice.class,
            "Lscala/Option;"),
    /** Error counts since Kafka 4.0. */
    JAVA_ERRORS(
            "org.apache.kafka.network.metrics.RequestMetrics",
            "markErrorMeter",
            ErrorAdvice.class,
            null),
    /** Error counts before. */
    SCALA_ERRORS("kafka.network.RequestMetrics", "markErrorMeter", ErrorAdvice.class, null);

    private static final String REQUESTS = "org.apache.kafka.common.requests.";
    private static final String CONTEXT = "Lorg/apache/kafka/common/requests/RequestContext;";
    private static final String BODY = "Lorg/apache/kafka/common/requests/RequestAndSize;";
    private static final String STRING = "Ljava/lang/String;";
    private static final List<String> INSTANTS =
            List.of(
                    "startTimeNanos",
                    "requestDequeueTimeNanos",
                    "apiLocalCompleteTimeNanos",
                    "responseCompleteTimeNanos",
                    "responseDequeueTimeNanos",
                    "apiThrottleTimeMs");

    private static final String ERROR = "Lorg/apache/kafka/common/protocol/Errors;";

    private final String type;
    private final String method;
    private final Class<?> advice;

    /** Descriptor of the two optional instants of a request; null where it is not a request. */
    private final String optional;

    RequestShape(String type, String method, Class<?> advice, String optional) {
        this.type = type;
        this.method = method;
        this.advice = advice;
        this.optional = optional;
    }

    /**
     * The shape that a class should have; null for the many classes that are not of interest.
     *
     * @param name with slashes, as a class file has it
     */
    static RequestShape of(String name) {
        // Asked for every class that the broker loads.
        if (name == null || !name.contains("kafka/network/Request")) {
            if (name == null || !name.endsWith("kafka/network/metrics/RequestMetrics")) {
                return null;
            }
        }
        for (RequestShape shape : values()) {
            if (shape.type.replace('.', '/').equals(name)) {
                return shape;
            }
        }
        return null;
    }

    /** Name of the class. */
    String type() {
        return type;
    }

    /** What is called at the begin of its method. */
    Class<?> advice() {
        return advice;
    }

    /** The method. */
    String method() {
        return method;
    }

    /** Whether requests are timed there. */
    boolean isRequest() {
        return optional != null;
    }

    /** A field of the class. */
    static final class Field {
        final String name;
        final String descriptor;

        Field(String name, String descriptor) {
            this.name = name;
            this.descriptor = descriptor;
        }
    }

    /** The fields that the advice is given, in its order. */
    List<Field> fields() {
        if (!isRequest()) {
            return List.of(new Field("name", STRING));
        }
        List<Field> fields = new ArrayList<>();
        fields.add(new Field("context", CONTEXT));
        fields.add(new Field("bodyAndSize", BODY));
        INSTANTS.forEach(instant -> fields.add(new Field(instant, "J")));
        fields.add(new Field("callbackRequestDequeueTimeNanos", optional));
        fields.add(new Field("callbackRequestCompleteTimeNanos", optional));
        return fields;
    }

    /**
     * Compares.
     *
     * @param found the class as it is
     * @param loader finds the class files that it uses
     * @throws UnknownShapeException when anything is missing or different, naming it
     * @throws IOException when a class file cannot be read
     */
    void check(ClassShape found, ClassLoader loader) throws UnknownShapeException, IOException {
        List<String> descriptors = found.instanceProcedures(method);
        if (descriptors.size() != 1) {
            throw new UnknownShapeException(
                    type + " has " + descriptors.size() + " methods like " + method);
        }
        for (Field field : fields()) {
            found.requireField(field.name, field.descriptor, false);
        }
        if (!isRequest()) {
            if (!descriptors.get(0).equals("(" + ERROR + "I)V")) {
                throw new UnknownShapeException(type + "." + method + " is " + descriptors.get(0));
            }
            return;
        }
        ClassShape context = ClassShape.of(REQUESTS + "RequestContext", loader);
        context.requireField("header", "Lorg/apache/kafka/common/requests/RequestHeader;", true);
        ClassShape header = ClassShape.of(REQUESTS + "RequestHeader", loader);
        header.requireMethod("apiKey", "()Lorg/apache/kafka/common/protocol/ApiKeys;");
        header.requireMethod("clientId", "()" + STRING);
        ClassShape api = ClassShape.of("org.apache.kafka.common.protocol.ApiKeys", loader);
        api.requireField("id", "S", true);
        api.requireField("name", STRING, true);
        ClassShape body = ClassShape.of(REQUESTS + "RequestAndSize", loader);
        body.requireField("request", "Lorg/apache/kafka/common/requests/AbstractRequest;", true);
        ClassShape.of(REQUESTS + "FetchRequest", loader).requireMethod("isFromFollower", "()Z");
        if (this == SCALA_REQUEST) {
            ClassShape option = ClassShape.of("scala.Option", loader);
            option.requireMethod("isDefined", "()Z");
            option.requireMethod("get", "()Ljava/lang/Object;");
        }
    }
}
