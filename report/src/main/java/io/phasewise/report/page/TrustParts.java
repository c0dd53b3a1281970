/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.page;

import io.phasewise.report.page.Document.Line;
import io.phasewise.report.page.Document.Warning;
import io.phasewise.report.source.Warnings;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** What speaks against the data itself: that some of it was not there, or was there twice. */
final class TrustParts {

    private TrustParts() {}

    /** For the verdict: one line, where there is something. */
    static Optional<Line> verdict(Warnings warnings, Collection<String> copies) {
        if (warnings.texts().isEmpty() && copies.isEmpty()) {
            return Optional.empty();
        }
        String missing =
                warnings.texts().isEmpty()
                        ? ""
                        : "The server's answers may not be whole: any figure here may lack data. ";
        String twice = copies.isEmpty() ? "" : "Probes may be counted more than once. ";
        return Optional.of(ReviewDocument.bad("Data", missing + twice + "See the facts."));
    }

    /** For the facts: what the server said. */
    static Optional<Warning> warned(Warnings warnings) {
        return warnings.texts().isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new Warning(
                                "The server's answers may not be whole, so that data may be missing"
                                        + " from any figure here. It said: "
                                        + String.join(" | ", warnings.texts())));
    }

    /**
     * For the facts: that the same is there more than once.
     *
     * @param of whose, as it begins a sentence
     */
    static Optional<Warning> copied(String of, Collection<String> copies) {
        return copies.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new Warning(
                                of
                                        + " are on the server more than once at the same time,"
                                        + " from the same address; they differ in "
                                        + Words.both(List.copyOf(copies))
                                        + ". If two servers scraped one canary, its probes are"
                                        + " counted twice here, and intervals are too narrow: let"
                                        + " the server keep one of the copies (Thanos:"
                                        + " --query.replica-label)."));
    }
}
