/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.plan;

import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.phasewise.experiments.declared.Allowed;
import io.phasewise.experiments.declared.Declaration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A question about a cluster, as a YAML file declares it. Running it is left to {@code Runner}.
 *
 * <p>The file has the keys of a {@link Plan}, and {@code question}, {@code expected}, {@code
 * parameters} and {@code every}: what each variant gets unless it says otherwise. A variant's
 * {@code producer} sets the canary's producer and the load's producers alike. {@code <name>} stands
 * for the value of a parameter, {@code <name*2>} for its double, {@code <name/other>} for a
 * quotient of two.
 *
 * @param name as on the command line
 * @param question in one line
 * @param expected the answer to expect, from the literature or from arithmetic
 * @param own its own parameters; they replace those of {@link Pace} that have the same name
 * @param plan as declared, with parameters not yet filled in
 */
public record Experiment(String name, String question, String expected, List<Parameter> own, ObjectNode plan) {

    private static final YAMLMapper YAML = new YAMLMapper();
    private static final Pattern VALUE = Pattern.compile("<([a-z-]+)(?:([*/])([a-z0-9-]+))?>");

    /**
     * The content of a file.
     *
     * @param plan all other keys
     */
    private record Declared(
            String question,
            String expected,
            List<Parameter> parameters,
            @JsonAnySetter Map<String, Object> plan) {}

    /** All experiments, in the order in which a newcomer should meet them. */
    public static List<Experiment> all() {
        return Declaration.all("/experiments/", Experiment::read);
    }

    /**
     * Reads an experiment.
     *
     * @throws IllegalArgumentException names the file, the key and what is allowed
     */
    static Experiment read(String name, String text) {
        Declared read = Declaration.read(name + ".yml", text, Declared.class);
        List<Parameter> own = read.parameters() == null ? List.of() : read.parameters();
        ObjectNode plan = YAML.valueToTree(read.plan());
        return new Experiment(name, read.question(), read.expected(), own, plan);
    }

    /** All its parameters, its own first. */
    public List<Parameter> parameters() {
        List<Parameter> all = new ArrayList<>(own);
        List<String> names = own.stream().map(Parameter::name).toList();
        Pace.PARAMETERS.stream().filter(each -> !names.contains(each.name())).forEach(all::add);
        return all;
    }

    /** Whether a variant has a fault. */
    public boolean breaksBrokers() {
        return plan.findValue("fault") != null;
    }

    /**
     * The plan with these parameters filled in.
     *
     * @throws IllegalArgumentException names the key of the file that is wrong
     */
    public Plan plan(Parameters given) {
        String filled = VALUE.matcher(plan.toString()).replaceAll(found -> value(found, given));
        ObjectNode declared = Declaration.read(name + ".yml", filled, ObjectNode.class);
        JsonNode every = declared.remove("every");
        List<JsonNode> variants = new ArrayList<>();
        for (JsonNode variant : declared.path("variants")) {
            ObjectNode all = YAML.createObjectNode();
            Declaration.merge(all, every);
            Declaration.merge(all, variant);
            shareProducer(all);
            variants.add(all);
        }
        declared.putArray("variants").addAll(variants);
        return Declaration.read(name + ".yml", declared.toString(), Plan.class);
    }

    private static String value(MatchResult found, Parameters given) {
        double value = given.number(found.group(1));
        if (found.group(2) != null) {
            String other = found.group(3);
            double by = other.matches("[0-9]+") ? Double.parseDouble(other) : given.number(other);
            value = found.group(2).equals("*") ? value * by : value / by;
        }
        return Matcher.quoteReplacement(Allowed.number(value));
    }

    private static void shareProducer(ObjectNode variant) {
        JsonNode shared = variant.remove("producer");
        if (shared != null) {
            Declaration.merge(variant.withObject("/canary/producer"), shared);
            Declaration.merge(variant.withObject("/load/settings"), shared);
        }
    }
}
