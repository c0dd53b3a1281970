/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.instrument;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * One method of one class of Kafka that calls a static method of the agent, and what must be there
 * for that. Data only.
 */
public final class CallSite {

    /** A value that is passed: what the method has at hand, and the way from there to the value. */
    static final class Value {

        /**
         * Number of the method's argument to begin at, from 0; {@link #THIS} for the object, {@link
         * #FIRST} for the first argument of the descriptor, {@link #RESULT} for the method's result.
         */
        final int argument;

        /** Names of fields, and of methods without parameters where they end in (). */
        final List<String> path;

        /** Descriptor of what is passed; that of Object takes any object. */
        final String descriptor;

        /** What is passed where the class has no such way; null where it must have one. */
        final Integer otherwise;

        Value(int argument, String path, String descriptor) {
            this(argument, path, descriptor, null);
        }

        Value(int argument, String path, String descriptor, Integer otherwise) {
            this.otherwise = otherwise;
            this.argument = argument;
            this.path = path.isEmpty() ? List.of() : List.of(path.split("[.]"));
            this.descriptor = descriptor;
        }
    }

    static final int THIS = -1;
    static final int FIRST = -2;
    static final int RESULT = -3;
    static final String ANY = Type.getDescriptor(Object.class);

    final String type;
    final String method;
    private final Pattern descriptor;

    Class<?> callee;
    String calleeMethod;

    /** Name of the method whose result is passed; null where the call is at the begin. */
    String resultOf;

    String result;

    /** What is passed, in this order. */
    final List<Value> values = new ArrayList<>();

    /** Method of the agent that says whether to call at all; null where it always does. */
    String condition;

    /** How many of the values, from the first on, are passed to that method. */
    int conditionValues;

    /**
     * Methods of the agent that are called before each return as well, in this order, and what each
     * is passed of the method's result or of the object; null for nothing.
     */
    final Map<String, Value> atReturn = new LinkedHashMap<>();

    boolean optional;

    /** Whether only a class whose objects have fields is meant. */
    boolean withState;

    /**
     * A method; one of the following says where in it the call is.
     *
     * @param type name of Kafka's class
     * @param descriptor regular expression; exactly one method of the class must match
     */
    public CallSite(String type, String method, String descriptor) {
        this.type = type;
        this.method = method;
        this.descriptor = Pattern.compile(descriptor);
    }

    /**
     * A call before all else in the method, with what {@link #passing} and its like say. What it
     * throws ends the hook, not the method.
     *
     * @param advice public class of the agent
     * @param name public static method of it that returns nothing
     */
    public CallSite begin(Class<?> advice, String name) {
        return calling(advice, name);
    }

    /**
     * A call with what another method returns, which takes its place. It must not throw.
     *
     * @param other name of that method, which has to be called exactly once
     * @param ofType its result, and the parameter and the result of the agent's method
     */
    public CallSite resultOf(String other, Class<?> ofType, Class<?> advice, String name) {
        resultOf = other;
        result = Type.getDescriptor(ofType);
        return calling(advice, name);
    }

    private CallSite calling(Class<?> advice, String name) {
        callee = advice;
        calleeMethod = name;
        return this;
    }

    /**
     * Passes a field of the object, a private one too; in the order of these calls.
     *
     * @param path the field; or a way to what is passed over fields and methods, as in {@code
     *     partitionState.maximalIsr()}, all public but those of the object itself
     * @param descriptor of what is there, which may be any object where it is that of Object
     */
    public CallSite passing(String path, String descriptor) {
        values.add(new Value(THIS, path, descriptor));
        return this;
    }

    /**
     * Passes a number on such a way, or another one where the class has no such way.
     *
     * @param otherwise that other one
     */
    public CallSite passingIfThere(String path, int otherwise) {
        values.add(new Value(THIS, path, Type.INT_TYPE.getDescriptor(), otherwise));
        return this;
    }

    /**
     * Calls only where another public static method of the same class of the agent says so, which
     * is asked first: what it is not passed need not be looked for then.
     *
     * @param name of that method, which returns a boolean
     * @param passed how many of the values it is passed, from the first
     */
    public CallSite onlyIf(String name, int passed) {
        condition = name;
        conditionValues = passed;
        return this;
    }

    /** Passes what is on such a way that begins at an argument, counted from 0. */
    public CallSite passingOf(int argument, String path, String descriptor) {
        values.add(new Value(argument, path, descriptor));
        return this;
    }

    /** Passes an argument itself, counted from 0. */
    public CallSite passingArgument(int argument, String descriptor) {
        values.add(new Value(argument, "", descriptor));
        return this;
    }

    /** One more call before each return, with nothing. It must not throw. */
    public CallSite thenAtReturn(String name) {
        atReturn.put(name, null);
        return this;
    }

    /**
     * One more call before each return, with what is on a way that begins at the result. It must
     * not throw.
     *
     * @param name public static method of the same class of the agent
     */
    public CallSite thenAtReturn(String name, String path, String descriptor) {
        atReturn.put(name, new Value(RESULT, path, descriptor));
        return this;
    }

    /**
     * One more call before each return, with what is on a way that begins at the object. It must not
     * throw.
     *
     * @param name public static method of the same class of the agent
     */
    public CallSite thenAtReturnPassing(String name, String path, String descriptor) {
        atReturn.put(name, new Value(THIS, path, descriptor));
        return this;
    }

    /**
     * Passes the first argument of this descriptor, wherever the method has it.
     *
     * @param descriptor of the argument, exactly
     */
    public CallSite passingFirst(String descriptor) {
        values.add(new Value(FIRST, "", descriptor));
        return this;
    }

    /**
     * Leaves a class alone whose objects have no fields. A release may have a class of static
     * helpers by the name that another release gives to the class that is meant.
     */
    public CallSite unlessHelpers() {
        withState = true;
        return this;
    }

    /** If a class has no such method, nothing is to be done in it. */
    public CallSite ifThere() {
        optional = true;
        return this;
    }

    /** Whether the call goes into this method. */
    boolean isIn(int modifiers, String name, String itsDescriptor) {
        return name.equals(method)
                && descriptor.matcher(itsDescriptor).matches()
                && (values.isEmpty() || (modifiers & Opcodes.ACC_STATIC) == 0);
    }

    /** Name of the class as class files have it. */
    String internalName() {
        return type.replace('.', '/');
    }

    /** Name of the agent's class as class files have it. */
    String calleeName() {
        return Type.getInternalName(callee);
    }

    @Override
    public String toString() {
        return type + "." + method + " " + descriptor;
    }
}
