/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.plan;

import io.phasewise.common.cli.OptionCheck;
import io.phasewise.common.cli.UsageException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The values of all parameters of an experiment; each is allowed.
 *
 * @param values by name, defaults included, in the order in which they are declared
 */
public record Parameters(Map<String, String> values) {

    public Parameters {
        values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
    }

    /**
     * Checks what the user gave and fills in the defaults.
     *
     * @throws UsageException names each value that is not allowed and each unknown name
     */
    public static Parameters read(List<Parameter> known, Map<String, String> given) {
        OptionCheck check = new OptionCheck();
        Map<String, String> values = new LinkedHashMap<>();
        for (Parameter each : known) {
            String value = given.getOrDefault(each.name(), each.fallback());
            check.holds(each.allows(value), fault(each.name(), value, each.allowed()));
            values.put(each.name(), value);
        }
        String names = String.join(", ", values.keySet());
        for (String name : given.keySet()) {
            check.holds(values.containsKey(name), "--param " + name + " is not known; allowed: " + names);
        }
        check.done();
        Parameters read = new Parameters(values);
        for (Parameter each : known) {
            if (each.lessThan().isPresent()) {
                String other = each.lessThan().get();
                read.require(read.number(each.name()) < read.number(other), each.name(), "less than", other);
            }
        }
        return read;
    }

    private static String fault(String name, String value, String allowed) {
        return "--param " + name + "=" + value + " is not allowed; allowed: " + allowed;
    }

    /**
     * Refuses a parameter that does not fit another one.
     *
     * @param relation how it must relate to the other one, in words
     * @throws UsageException when it does not fit
     */
    void require(boolean allowed, String name, String relation, String other) {
        if (!allowed) {
            String what = relation + " " + other + " (" + text(other) + ")";
            throw new UsageException(fault(name, text(name), what));
        }
    }

    /** The value of a parameter. */
    public double number(String name) {
        return Double.parseDouble(text(name));
    }

    /** The value of a parameter that takes only whole numbers. */
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

    /** As on the command line. */
    @Override
    public String toString() {
        return values.toString().replaceAll("[{}]", "");
    }
}
