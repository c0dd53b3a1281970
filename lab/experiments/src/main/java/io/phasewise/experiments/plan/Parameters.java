/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.plan;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The values of an experiment's parameters, all of them known and allowed.
 *
 * @param values by name, defaults included, in the order in which they are declared
 */
public record Parameters(Map<String, String> values) {

    public Parameters {
        values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
    }

    /**
     * Checks what was given and fills in the defaults.
     *
     * @throws UsageException names every fault
     */
    public static Parameters read(List<Parameter> known, Map<String, String> given)
            throws UsageException {
        List<String> faults = new ArrayList<>();
        Map<String, String> values = new LinkedHashMap<>();
        Map<String, String> left = new LinkedHashMap<>(given);
        for (Parameter parameter : known) {
            String value = left.remove(parameter.name());
            if (value != null && !parameter.allows(value)) {
                faults.add(fault(parameter.name(), value, parameter.allowed()));
            }
            values.put(parameter.name(), value == null ? parameter.fallback() : value);
        }
        String names = String.join(", ", values.keySet());
        left.keySet()
                .forEach(
                        name -> faults.add("--param " + name + " is not known; allowed: " + names));
        if (faults.isEmpty()) {
            Parameters read = new Parameters(values);
            for (Parameter each : known) {
                each.lessThan()
                        .filter(other -> read.number(each.name()) >= read.number(other))
                        .ifPresent(
                                other ->
                                        faults.add(
                                                read.faultOfTwo(each.name(), "less than", other)));
            }
        }
        if (!faults.isEmpty()) {
            throw new UsageException(faults);
        }
        return new Parameters(values);
    }

    private static String fault(String name, String value, String allowed) {
        return "--param " + name + "=" + value + " is not allowed; allowed: " + allowed;
    }

    /** Of two that do not go together. */
    private String faultOfTwo(String name, String relation, String other) {
        return fault(name, text(name), relation + " " + other + " (" + text(other) + ")");
    }

    /**
     * Refuses two numbers that do not go together.
     *
     * @throws UsageException when one is more than half of the other
     */
    public void requireHalf(String name, String other) throws UsageException {
        if (number(name) > number(other) / 2) {
            throw new UsageException(faultOfTwo(name, "at most half of", other));
        }
    }

    /** A number. */
    public double number(String name) {
        return Double.parseDouble(text(name));
    }

    /** A number that is declared whole. */
    public int whole(String name) {
        return (int) number(name);
    }

    /**
     * The value as it was written.
     *
     * @throws IllegalArgumentException when no such parameter is declared
     */
    public String text(String name) {
        String value = values.get(name);
        if (value == null) {
            throw new IllegalArgumentException("no parameter " + name);
        }
        return value;
    }
}
