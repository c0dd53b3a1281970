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
     * Refuses a number that does not go together with another one.
     *
     * @param relation what it must be to the other one
     * @throws UsageException when they do not
     */
    void require(boolean allowed, String name, String relation, String other) {
        if (!allowed) {
            String what = relation + " " + other + " (" + text(other) + ")";
            throw new UsageException(fault(name, text(name), what));
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

    /** As on the command line. */
    @Override
    public String toString() {
        return values.toString().replaceAll("[{}]", "");
    }
}
