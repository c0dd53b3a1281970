/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.page;

import io.phasewise.report.page.Document.Line;
import io.phasewise.report.page.Document.Mood;
import io.phasewise.report.page.Document.Part;
import io.phasewise.report.page.Document.Section;
import io.phasewise.report.review.Review;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;

/** Puts a review in order: which sections there are, and the verdict above them. */
final class ReviewDocument {

    private final Review review;
    private final Words words;

    ReviewDocument(Review review) {
        this.review = review;
        this.words = new Words(ZoneId.of(review.zone()));
    }

    Document document() {
        LatencyParts latency = new LatencyParts(review);
        List<Section> sections = new ArrayList<>();
        add(sections, "percentiles", "Percentiles", latency.parts());
        List<Line> verdict = new ArrayList<>(latency.verdict());
        if (review.comparison() != null) {
            ComparisonParts comparison = new ComparisonParts(review.comparison(), words);
            add(sections, "comparison", "Comparison", comparison.parts());
            verdict.add(comparison.verdict());
        }
        LoadParts load = new LoadParts(review, words);
        add(sections, "load", "Load and headroom", load.parts());
        add(sections, "balance", "Balance", load.balance());
        verdict.add(load.verdict());
        TrustParts.verdict(review.warnings(), review.facts().copies()).ifPresent(verdict::add);
        add(sections, "incidents", "Incidents", new IncidentParts(review, words).parts());
        add(sections, "facts", "Facts", new FactsParts(review, words).parts());
        String title = "Capacity review of " + review.cluster();
        String subtitle =
                words.time(review.latency().window().from())
                        + " to "
                        + words.time(review.latency().window().to())
                        + " ("
                        + review.zone()
                        + ", "
                        + Words.duration(review.latency().window().length())
                        + "), profile "
                        + review.profile()
                        + ReviewDocument.site(review.site())
                        + ". Made "
                        + words.time(review.made())
                        + " from "
                        + review.server()
                        + ".";
        return new Document(title, subtitle, verdict, sections);
    }

    /** Numbers begin after the verdict. */
    private static void add(List<Section> sections, String id, String title, List<Part> parts) {
        sections.add(new Section(id, sections.size() + 2 + ". " + title, parts));
    }

    static String site(String name) {
        return name.isEmpty() ? "" : ", site " + name;
    }

    static Line good(String about, String text) {
        return new Line(about, text, Mood.GOOD);
    }

    static Line bad(String about, String text) {
        return new Line(about, text, Mood.BAD);
    }

    static Line plain(String about, String text) {
        return new Line(about, text, Mood.PLAIN);
    }
}
