/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.page;

import io.phasewise.report.document.Document;
import io.phasewise.report.document.Document.Section;
import io.phasewise.report.review.Review;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;

/** The review of one cluster, in words, tables and charts. */
final class ReviewDocument {

    private ReviewDocument() {}

    static Document of(Review review) {
        TextFormat format = new TextFormat(ZoneId.of(review.zone()));
        List<Section> sections = new ArrayList<>();
        sections.add(new Section("Verdict", new Verdict(review, format).blocks()));
        sections.add(new Section("Percentiles", PercentileBlocks.of(review.latency())));
        if (review.comparison() != null) {
            sections.add(new Section("Comparison", ComparisonBlocks.of(review.comparison(), format)));
        }
        sections.add(new Section("Load and headroom", new LoadBlocks(review, format).headroom()));
        sections.add(new Section("Balance", LoadBlocks.balance(review.load())));
        sections.add(new Section("Incidents", IncidentBlocks.of(review.incidents(), format)));
        sections.add(new Section("Facts", new FactBlocks(review, format).blocks()));
        String of =
                SharedWords.windowOf(review.latency().window(), review.zone(), review.profile(), review.site(), format);
        return new Document(
                "Capacity review of " + review.cluster(),
                of + SharedWords.made(review.made(), review.server(), format),
                sections);
    }
}
