/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.tools.cli;

import io.phasewise.common.progress.Progress;
import io.phasewise.common.progress.StepState;
import io.phasewise.report.query.Steps;
import java.util.LinkedHashMap;
import java.util.Map;

/** Shows how far reading has come, a line for each subject. */
final class ShownSteps implements Steps {

    private final Progress progress;
    private final Map<String, StepState> states = new LinkedHashMap<>();

    ShownSteps(Progress progress) {
        this.progress = progress;
    }

    @Override
    public void at(String step, int done, int of) {
        states.put(step, StepState.WORKING);
        progress.update(step, StepState.WORKING, done + " of " + of);
    }

    @Override
    public void over(String step, String found) {
        states.put(step, StepState.READY);
        progress.update(step, StepState.READY, found);
    }

    /** Shows as failed each step that is under way. */
    void failed() {
        states.forEach((step, state) -> {
            if (state == StepState.WORKING) {
                progress.update(step, StepState.FAILED, "");
            }
        });
    }
}
