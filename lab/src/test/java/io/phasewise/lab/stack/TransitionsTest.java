/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.stack;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.lab.process.ProcessIdentity;
import io.phasewise.lab.stack.Transitions.Transition;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TransitionsTest {

    private final Set<Long> alive = new HashSet<>();
    private final Transitions transitions =
            new Transitions(running -> alive.contains(running.identity().pid()));

    private static RunningComponent broker(long pid) {
        return Samples.running("broker-1", new ProcessIdentity(pid, Samples.SINCE));
    }

    private List<Transition> look(RunningComponent running) {
        return transitions.look(new StackState(new StackPorts(0, 0), false, List.of(running)));
    }

    @Test
    void anEndIsToldOnce() {
        alive.add(1L);
        assertThat(look(broker(1))).isEmpty();

        alive.clear();

        assertThat(look(broker(1))).containsExactly(new Transition(broker(1), false));
        assertThat(look(broker(1))).isEmpty();
    }

    @Test
    void aReturnIsToldOnceWithTheNewProcess() {
        look(broker(1));
        alive.add(2L);

        assertThat(look(broker(2))).containsExactly(new Transition(broker(2), true));
        assertThat(look(broker(2))).isEmpty();
    }

    @Test
    void aNewProcessThatEndsAtOnceIsToldAgain() {
        look(broker(1));

        assertThat(look(broker(2))).containsExactly(new Transition(broker(2), false));
    }
}
