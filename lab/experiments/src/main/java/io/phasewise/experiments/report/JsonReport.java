/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.phasewise.experiments.fault.Fault;
import io.phasewise.experiments.plan.Variant;
import io.phasewise.experiments.run.Turn;
import java.util.LinkedHashMap;
import java.util.Map;

/** A result as JSON: configuration in full and every figure; single probes are in the CSV. */
public final class JsonReport {
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
        all.put("comparisons", result.comparisons());
        all.put("turns", result.turns().stream().map(this::turn).toList());
        try {
            return new ObjectMapper()
                            .enable(SerializationFeature.INDENT_OUTPUT)
                            .writeValueAsString(all)
                    + "\n";
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
        all.put("circumstances", turn.circumstances());
        return all;
    }
}
