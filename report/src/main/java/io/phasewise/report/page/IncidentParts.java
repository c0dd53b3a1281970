/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.page;

import io.phasewise.report.page.Document.Part;
import io.phasewise.report.page.Document.Table;
import io.phasewise.report.page.Document.Text;
import io.phasewise.report.review.Incident;
import io.phasewise.report.review.Incident.Incidents;
import io.phasewise.report.review.Review;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The section of incidents. */
final class IncidentParts {

    private final Review review;
    private final Words words;

    IncidentParts(Review review, Words words) {
        this.review = review;
        this.words = words;
    }

    List<Part> parts() {
        Incidents incidents = review.incidents();
        List<Part> parts = new ArrayList<>();
        String what =
                "An incident is a time in which, in five minutes, more than twice as many probes"
                        + " missed the target as the objective allows, and at least five.";
        if (incidents.count() == 0) {
            parts.add(new Text(what + " There was none."));
            return parts;
        }
        boolean all = incidents.count() == incidents.worst().size();
        parts.add(
                new Text(
                        what
                                + " There "
                                + (incidents.count() == 1
                                        ? "was one; it"
                                        : "were " + incidents.count() + "; they")
                                + " used "
                                + Words.percent(incidents.budget())
                                + " of the window's error budget. Growth is of the mean of the"
                                + " phase, against the hour before."));
        List<List<String>> rows = new ArrayList<>();
        for (Incident each : incidents.worst()) {
            rows.add(
                    List.of(
                            words.time(each.start()),
                            Words.duration(Duration.between(each.start(), each.end())),
                            Words.count(each.bad()),
                            Words.percent(each.budget()),
                            each.part() == null
                                    ? "unknown"
                                    : each.part().label() + " +" + Words.latency(each.growth()),
                            suspect(each),
                            each.alerts().isEmpty() ? "none" : String.join(", ", each.alerts()),
                            beside(each)));
        }
        parts.add(
                new Table(
                        all ? "All incidents" : "Those that used most of the budget",
                        List.of(
                                "Start",
                                "Length",
                                "Bad probes",
                                "Budget",
                                "Phase that grew most",
                                "Suspect",
                                "Alerts",
                                "Beside it"),
                        rows));
        return parts;
    }

    private static String suspect(Incident incident) {
        if (incident.suspect().isEmpty()) {
            return incident.reason().isEmpty() ? "unknown" : incident.reason();
        }
        return "broker " + incident.suspect() + ": " + incident.reason();
    }

    private static String beside(Incident incident) {
        List<String> all = new ArrayList<>();
        if (!incident.restarts().isEmpty()) {
            all.add("restarted: broker " + String.join(", ", incident.restarts()));
        }
        if (incident.moved() > 0) {
            all.add(Words.plural(incident.moved(), "leader change"));
        }
        return String.join("; ", all);
    }
}
