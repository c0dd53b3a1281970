/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ActiveFaultsTest {
    private final List<String> events = new ArrayList<>();

    private Fault fault(String name) {
        return target -> {
            if (name.equals("refused")) {
                throw new IllegalStateException(name);
            }
            events.add(name);
            return () -> events.add(name + " mended");
        };
    }

    @Test
    void faultsAreMendedInReverseOrder() throws Exception {
        ActiveFaults.begin(List.of(fault("a"), fault("b")), (FaultTarget) null).close();

        assertThat(events).containsExactly("a", "b", "b mended", "a mended");
    }

    @Test
    void whereOneCannotBeMadeThoseBeforeItAreMended() {
        assertThatThrownBy(() -> ActiveFaults.begin(List.of(fault("a"), fault("refused")), (FaultTarget) null))
                .hasMessage("refused");
        assertThat(events).containsExactly("a", "a mended");
    }

    @Test
    void whatFailsOnTheWayIsMendedAtOnce() throws Exception {
        ActiveFault mends = () -> events.add("mended");

        ActiveFault begun = ActiveFault.after(() -> events.add("broken"), mends);
        assertThat(begun).isSameAs(mends);
        assertThat(events).containsExactly("broken");
        assertThatThrownBy(() -> ActiveFault.after(() -> fault("refused").begin(null), mends))
                .hasMessage("refused");
        assertThat(events).containsExactly("broken", "mended");
    }
}
