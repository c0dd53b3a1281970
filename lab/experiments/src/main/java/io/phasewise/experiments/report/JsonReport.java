/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.report;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.module.SimpleModule;
import io.phasewise.experiments.fault.Fault;
import io.phasewise.experiments.plan.Variant;
import io.phasewise.experiments.run.Turn;
import io.phasewise.experiments.statistics.Comparison;
import io.phasewise.experiments.statistics.Summary;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A result as JSON: configuration in full and every figure; single probes are in the CSV. */
public final class JsonReport {
    /** What is not known is null; what did not come back took infinitely long. */
    private static final ObjectMapper JSON =
            new ObjectMapper()
                    .enable(SerializationFeature.INDENT_OUTPUT)
                    .registerModule(
                            new SimpleModule()
                                    .addSerializer(Double.class, new Known())
                                    .addSerializer(Double.TYPE, new Known()));

    private final Result result;

    public JsonReport(Result result) {
        this.result = result;
    }

    /** The document, indented. */
    public String text() {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("experiment", result.experiment().name());
        all.put("about", result.experiment().about());
        all.put("expected", result.experiment().expected());
        all.put("started", result.started().toString());
        all.put("command", result.command());
        all.put("parameters", result.parameters());
        all.put("pace", pace());
        all.put("circumstances", result.surroundings().circumstances());
        all.put("configuration", result.surroundings().configuration());
        all.put("brokerProperties", result.plan().brokerProperties());
        all.put("leadersCompared", result.plan().leaders());
        all.put("variants", result.plan().variants().stream().map(this::variant).toList());
        all.put("pairs", result.plan().pairs());
        all.put("summaries", result.summaries());
        all.put("percentiles", result.percentiles());
        all.put("comparisons", result.comparisons().stream().map(this::comparison).toList());
        all.put("turns", result.turns().stream().map(this::turn).toList());
        try {
            return JSON.writeValueAsString(all) + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    private Map<String, Object> pace() {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("turnsOfEachVariant", result.pace().repeats());
        all.put("settleSeconds", result.pace().settle().toMillis() / 1e3);
        all.put("warmUpSeconds", result.pace().warmUp().toMillis() / 1e3);
        all.put("measuredSeconds", result.pace().measured().toMillis() / 1e3);
        all.put("probesPerSecondAndBroker", result.pace().rate());
        all.put("blockSeconds", result.pace().block().toMillis() / 1e3);
        all.put("seed", result.pace().seed());
        return all;
    }

    private Map<String, Object> variant(Variant variant) {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("name", variant.name());
        all.put("canary", variant.canary());
        all.put("loads", variant.loads());
        all.put("fault", variant.fault().map(Fault::about).orElse("none"));
        return all;
    }

    private Map<String, Object> turn(Turn turn) {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("variant", turn.variant());
        all.put("repeat", turn.repeat() + 1);
        all.put("from", turn.from().toString());
        all.put("to", turn.to().toString());
        all.put("probes", turn.probes().size());
        all.put("unseen", turn.unseen());
        Summary figures = Summary.of(List.of(turn));
        all.put("p50", figures.p50());
        all.put("p99", figures.p99());
        all.put("mean", figures.mean());
        all.put("phases", figures.phases());
        all.put("acknowledgedP50", figures.acknowledgedP50());
        all.put("circumstances", turn.circumstances());
        return all;
    }

    private Map<String, Object> comparison(Comparison comparison) {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("baseline", comparison.baseline());
        all.put("treatment", comparison.treatment());
        all.put("verdict", comparison.verdict());
        all.put("producerVerdict", comparison.producerVerdict());
        all.put("endToEnd", comparison.endToEnd());
        all.put("acknowledged", comparison.acknowledged());
        all.put("phaseDifference", comparison.phaseDifference());
        all.put("repeats", comparison.repeats());
        all.put("own", comparison.own());
        return all;
    }

    private static final class Known extends JsonSerializer<Double> {
        @Override
        public void serialize(Double value, JsonGenerator json, SerializerProvider provider)
                throws IOException {
            if (value.isNaN()) {
                json.writeNull();
            } else {
                json.writeNumber(value);
            }
        }
    }
}
