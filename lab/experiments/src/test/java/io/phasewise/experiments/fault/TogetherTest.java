/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TogetherTest {
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
    void theLastOneIsMendedFirst() throws Exception {
        new Together(List.of(fault("a"), fault("b"))).begin(null).close();

        assertThat(events).containsExactly("a", "b", "b mended", "a mended");
    }

    @Test
    void whereOneCannotBeMadeThoseBeforeItAreMended() {
        assertThatThrownBy(() -> new Together(List.of(fault("a"), fault("refused"))).begin(null))
                .hasMessage("refused");
        assertThat(events).containsExactly("a", "a mended");
    }

    @Test
    void whatFailsOnTheWayIsMendedAtOnce() throws Exception {
        Fault.Broken mends = () -> events.add("mended");

        Fault.Broken begun = Fault.Broken.after(() -> events.add("broken"), mends);
        assertThat(begun).isSameAs(mends);
        assertThat(events).containsExactly("broken");
        assertThatThrownBy(() -> Fault.Broken.after(() -> fault("refused").begin(null), mends))
                .hasMessage("refused");
        assertThat(events).containsExactly("broken", "mended");
    }

    @Test
    void itNeedsWhatEachOfThemNeedsAndCannotBeDoneWhereOneCannot() throws Exception {
        Fault impossible =
                new Fault() {
                    @Override
                    public Set<Need> needs() {
                        return Set.of(Need.CLOCK);
                    }

                    @Override
                    public Optional<String> obstacle(Path data) {
                        return Optional.of("no tool");
                    }

                    @Override
                    public Broken begin(FaultTarget target) {
                        return () -> {};
                    }
                };
        Together both = new Together(List.of(new RevokedPermission(), impossible, new Nothing()));

        assertThat(both.needs()).isEqualTo(Set.of(Fault.Need.CLOCK, Fault.Need.PERMISSIONS));
        assertThat(both.obstacle(Path.of("data"))).contains("no tool");
        assertThat(new Together(List.of(new Nothing(), new Nothing())).obstacle(Path.of("data")))
                .isEmpty();
    }
}
