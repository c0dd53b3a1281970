/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.page;

import io.phasewise.report.document.Block;
import io.phasewise.report.document.Block.Paragraph;
import io.phasewise.report.document.Table;
import io.phasewise.report.incident.Incident;
import io.phasewise.report.incident.Incident.Incidents;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Times in which the objective was not kept. */
final class IncidentBlocks {

    private IncidentBlocks() {}

    static List<Block> of(Incidents incidents, TextFormat format) {
        String definition = "An incident is a time in which, in five minutes, more than twice as many probes missed the"
                + " target as the objective allows, and at least five. ";
        if (incidents.count() == 0) {
            return List.of(new Paragraph(definition + "There was none."));
        }
        String count = incidents.count() == 1 ? "was one; it" : "were " + incidents.count() + "; they";
        Table table = new Table(
                        incidents.count() == incidents.worst().size()
                                ? "All incidents"
                                : "Those that used most of the budget")
                .words("Start")
                .numbers("Length", "Bad probes", "Budget")
                .words("Phase that grew most", "Suspect", "Alerts", "Beside it");
        for (Incident each : incidents.worst()) {
            table.row(
                    format.time(each.start()),
                    TextFormat.duration(each.length()),
                    TextFormat.count(each.bad()),
                    TextFormat.percent(each.budget()),
                    each.phase() == null ? "unknown" : each.phase().label() + " +" + TextFormat.latency(each.growth()),
                    each.reason().isEmpty() ? "unknown" : each.reason(),
                    each.alerts().isEmpty() ? "none" : String.join(", ", each.alerts()),
                    beside(each));
        }
        return List.of(
                new Paragraph(definition + "There " + count + " used " + TextFormat.percent(incidents.budget())
                        + " of the window's error budget. Growth is of the mean of the phase, against the hour"
                        + " before."),
                table);
    }

    private static String beside(Incident incident) {
        return Stream.of(
                        incident.restarts().isEmpty()
                                ? ""
                                : "restarted: broker " + String.join(", ", incident.restarts()),
                        incident.moved() > 0 ? TextFormat.plural(incident.moved(), "leader change") : "")
                .filter(each -> !each.isEmpty())
                .collect(Collectors.joining("; "));
    }
}
