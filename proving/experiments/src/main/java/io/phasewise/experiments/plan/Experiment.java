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
 * A question that is put to a cluster, as a YAML file declares it; carrying it out is left to the
 * runner.
 *
 * <p>The file has, beside what a {@link Plan} has: {@code question}, {@code expected}, {@code
 * parameters}, and {@code every}, which each variant gets unless it says otherwise. A variant's
 * {@code producer} holds settings of the canary's producer and of the load's alike. {@code <name>}
 * stands for the value of a parameter, {@code <name*2>} and {@code <name/other>} for what they say.
 *
 * @param name as on the command line
 * @param question in one line
 * @param expected what the literature, or arithmetic, says the answer should look like
 * @param own its own parameters, which win over those of {@link Pace}
 * @param plan as declared, parameters not filled in
 */
public record Experiment(String name, String question, String expected, List<Parameter> own, ObjectNode plan) {

    private static final YAMLMapper YAML = new YAMLMapper();
    private static final Pattern VALUE = Pattern.compile("<([a-z-]+)(?:([*/])([a-z0-9-]+))?>");

    /**
     * What a file says.
     *
     * @param plan all the rest
     */
    private record Declared(
            String question,
            String expected,
            List<Parameter> parameters,
            @JsonAnySetter Map<String, Object> plan) {}

    /** All there are, in the order in which a newcomer should meet them. */
    public static List<Experiment> all() {
        return Declaration.all("/experiments/", Experiment::read);
    }

    /**
     * Reads one.
     *
     * @throws IllegalArgumentException names the file, the key and what is allowed
     */
    static Experiment read(String name, String text) {
        Declared read = Declaration.read(name + ".yml", text, Declared.class);
        List<Parameter> own = read.parameters() == null ? List.of() : read.parameters();
        ObjectNode plan = YAML.valueToTree(read.plan());
        return new Experiment(name, read.question(), read.expected(), own, plan);
    }

    /** What can be set, its own parameters first. */
    public List<Parameter> parameters() {
        List<Parameter> all = new ArrayList<>(own);
        List<String> names = own.stream().map(Parameter::name).toList();
        Pace.PARAMETERS.stream().filter(each -> !names.contains(each.name())).forEach(all::add);
        return all;
    }

    /** Whether it breaks something, which only a cluster of the lab's own may suffer. */
    public boolean breaksBrokers() {
        return plan.findValue("fault") != null;
    }

    /**
     * What to run.
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
