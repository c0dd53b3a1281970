/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/**
 * Brings the JSON of earlier versions to the form of {@link MatrixDocument}; what they did not
 * record stays unknown.
 */
final class EarlierForm {
    private static final List<String> OF_THE_CANARY =
            List.of(
                    "threadsBefore",
                    "threadsAfter",
                    "heapMebibytesBefore",
                    "heapMebibytesAfter",
                    "logLines");

    private EarlierForm() {}

    /** Changes a document in place; leaves one of today's form, and what is none, as it is. */
    static void renew(ObjectNode document) {
        renewSetup(document);
        if (!document.has("notReached")) {
            document.putArray("notReached");
        }
        objects(document.path("again"), EarlierForm::renewSetup);
        objects(document.path("rows"), EarlierForm::renewRow);
    }

    private interface Change {
        void of(ObjectNode node);
    }

    private static void objects(JsonNode array, Change change) {
        array.forEach(
                each -> {
                    if (each instanceof ObjectNode node) {
                        change.of(node);
                    }
                });
    }

    private static void renewSetup(ObjectNode run) {
        if (!run.has("setup")) {
            ObjectNode setup = run.putObject("setup");
            setup.putObject("circumstances");
            setup.putObject("configuration");
        }
    }

    private static void renewRow(ObjectNode row) {
        boolean ran = row.path("scheduled").asLong() > 0;
        if (row.has("skipped") && !row.has("notJudged")) {
            // One text stood for both.
            row.put("notJudged", ran ? row.path("skipped").asText() : "");
            row.put("skipped", ran ? "" : row.path("skipped").asText());
        }
        if (row.has("threadsBefore") && !row.has("canary")) {
            ObjectNode canary = row.objectNode().put("alive", !ended(row));
            OF_THE_CANARY.forEach(name -> canary.set(name, row.remove(name)));
            row.set("canary", ran ? canary : row.nullNode());
        }
    }

    /** A canary that had ended was a fault. */
    private static boolean ended(ObjectNode row) {
        for (JsonNode fault : row.path("faults")) {
            if (fault.asText().equals(RowResult.CANARY_ENDED)) {
                return true;
            }
        }
        return false;
    }
}
