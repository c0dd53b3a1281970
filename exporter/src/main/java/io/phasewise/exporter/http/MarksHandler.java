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
import java.util.function.LongFunction;
import java.util.function.LongSupplier;

/** Answers who asks for marks after a sequence. */
public final class MarksHandler implements RequestHandler {

    private final Optional<LongFunction<MarkPage>> marks;
    private final SharedAnswers answers;

    /**
     * @param marks gives the page after a sequence; empty where no marks are taken
     * @param nanoClock monotonic nanoseconds
     */
    public MarksHandler(Optional<LongFunction<MarkPage>> marks, LongSupplier nanoClock) {
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
        return answers.of(
                sequence,
                () -> Answer.text(
                        200, marks.get().apply(Long.parseLong(sequence)).toString()));
    }
}
