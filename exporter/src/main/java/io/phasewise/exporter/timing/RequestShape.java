/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.timing;

import java.util.List;
import net.bytebuddy.description.NamedElement;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.matcher.ElementMatcher;
import net.bytebuddy.matcher.ElementMatchers;
import net.bytebuddy.pool.TypePool;

/**
 * What a class of Kafka must look like for an advice to be copied into it: the method, the fields,
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
    private static final List<String> INSTANTS =
            List.of(
                    "startTimeNanos",
                    "requestDequeueTimeNanos",
                    "apiLocalCompleteTimeNanos",
                    "responseCompleteTimeNanos",
                    "responseDequeueTimeNanos",
                    "apiThrottleTimeMs");

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

    /** What is copied into its method. */
    Class<?> advice() {
        return advice;
    }

    /** Whether requests are timed there. */
    boolean isRequest() {
        return optional != null;
    }

    /** Matches the method that the advice is copied into. */
    ElementMatcher<MethodDescription> method() {
        return ElementMatchers.<MethodDescription>named(method)
                .and(ElementMatchers.isPublic())
                .and(ElementMatchers.not(ElementMatchers.isStatic()))
                .and(ElementMatchers.returns(void.class));
    }

    /**
     * Compares.
     *
     * @param found the class as it is
     * @param pool finds the classes that it uses
     * @throws UnknownShapeException when anything is missing or different, naming it
     */
    void check(TypeDescription found, TypePool pool) throws UnknownShapeException {
        List<MethodDescription.InDefinedShape> methods =
                List.copyOf(found.getDeclaredMethods().filter(method()));
        if (methods.size() != 1) {
            throw new UnknownShapeException(
                    type + " has " + methods.size() + " methods like " + method);
        }
        if (!isRequest()) {
            field(found, "name", "Ljava/lang/String;", false);
            String descriptor = methods.get(0).getDescriptor();
            if (!descriptor.equals("(Lorg/apache/kafka/common/protocol/Errors;I)V")) {
                throw new UnknownShapeException(type + "." + method + " is " + descriptor);
            }
            return;
        }
        for (String instant : INSTANTS) {
            field(found, instant, "J", false);
        }
        field(found, "callbackRequestDequeueTimeNanos", optional, false);
        field(found, "callbackRequestCompleteTimeNanos", optional, false);
        field(found, "context", "Lorg/apache/kafka/common/requests/RequestContext;", false);
        field(found, "bodyAndSize", "Lorg/apache/kafka/common/requests/RequestAndSize;", false);

        TypeDescription context = other(pool, REQUESTS + "RequestContext");
        field(context, "header", "Lorg/apache/kafka/common/requests/RequestHeader;", true);
        TypeDescription header = other(pool, REQUESTS + "RequestHeader");
        method(header, "apiKey", "()Lorg/apache/kafka/common/protocol/ApiKeys;");
        method(header, "clientId", "()Ljava/lang/String;");
        TypeDescription api = other(pool, "org.apache.kafka.common.protocol.ApiKeys");
        field(api, "id", "S", true);
        field(api, "name", "Ljava/lang/String;", true);
        TypeDescription body = other(pool, REQUESTS + "RequestAndSize");
        field(body, "request", "Lorg/apache/kafka/common/requests/AbstractRequest;", true);
        method(other(pool, REQUESTS + "FetchRequest"), "isFromFollower", "()Z");
        if (this == SCALA_REQUEST) {
            TypeDescription option = other(pool, "scala.Option");
            method(option, "isDefined", "()Z");
            method(option, "get", "()Ljava/lang/Object;");
        }
    }

    private static TypeDescription other(TypePool pool, String name) throws UnknownShapeException {
        TypePool.Resolution resolution = pool.describe(name);
        if (!resolution.isResolved()) {
            throw new UnknownShapeException("there is no class " + name);
        }
        return resolution.resolve();
    }

    private static void field(
            TypeDescription owner, String name, String descriptor, boolean fromOutside)
            throws UnknownShapeException {
        boolean there =
                owner.getDeclaredFields().filter(ElementMatchers.named(name)).stream()
                        .anyMatch(
                                field ->
                                        field.getDescriptor().equals(descriptor)
                                                && !field.isStatic()
                                                && (field.isPublic() || !fromOutside));
        require(there, owner, name, descriptor);
    }

    private static void method(TypeDescription owner, String name, String descriptor)
            throws UnknownShapeException {
        boolean there =
                owner.getDeclaredMethods().filter(ElementMatchers.named(name)).stream()
                        .anyMatch(
                                method ->
                                        method.getDescriptor().equals(descriptor)
                                                && !method.isStatic()
                                                && method.isPublic());
        require(there, owner, name, descriptor);
    }

    private static void require(boolean there, NamedElement owner, String name, String descriptor)
            throws UnknownShapeException {
        if (!there) {
            throw new UnknownShapeException(
                    owner.getActualName() + " has no " + name + " of " + descriptor);
        }
    }
}
