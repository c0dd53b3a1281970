/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.http;

import io.phasewise.common.http.Answer;
import io.phasewise.common.http.Request;
import io.phasewise.common.http.RequestHandler;
import io.phasewise.common.http.SharedAnswers;
import io.phasewise.common.marks.MarkPage;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/** Answers who asks for marks after a sequence, in the first form or, where asked for, the second. */
public final class MarksHandler implements RequestHandler {

    private final Optional<Pages> marks;
    private final SharedAnswers answers;

    /** Makes pages. */
    @FunctionalInterface
    public interface Pages {
        /**
         * The page after a sequence, as text.
         *
         * @param form 1 or 2
         */
        String of(int form, long after);
    }

    /**
     * @param marks gives the page after a sequence; empty where no marks are taken
     * @param nanoClock monotonic nanoseconds
     */
    public MarksHandler(Optional<Pages> marks, LongSupplier nanoClock) {
        this.marks = marks;
        this.answers = new SharedAnswers(nanoClock);
    }

    @Override
    public Answer answer(Request request) throws Exception {
        if (marks.isEmpty()) {
            return Answer.text(404, "there are no marks: see marks.enabled\n");
        }
        List<String> after = request.parameters("after");
        String sequence = after.isEmpty() ? "0" : after.get(0);
        if (after.size() > 1 || !sequence.matches("[0-9]{1,18}")) {
            return Answer.text(400, "after must be the sequence number of the page that was read before, or 0\n");
        }
        List<String> forms = request.parameters("form");
        String asked = forms.isEmpty() ? "1" : forms.get(0);
        if (forms.size() > 1 || !asked.matches("[1-9][0-9]{0,8}")) {
            return Answer.text(400, "form must be the number of a form of pages: 1 or 2\n");
        }
        // Who knows a later form knows this one, too: reader and agent may differ by a release.
        int form = asked.equals("1") ? MarkPage.FIRST_FORM : MarkPage.SECOND_FORM;
        return answers.of(
                form + " " + sequence, () -> Answer.text(200, marks.get().of(form, Long.parseLong(sequence))));
    }
}
