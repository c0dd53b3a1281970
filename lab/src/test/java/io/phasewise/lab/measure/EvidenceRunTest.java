/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EvidenceRunTest {
    private static final List<String> COLUMNS = List.of("fault", "share");

    private static EvidenceRun run(String started, String verdict, List<List<String>> rows) {
        return new EvidenceRun(started, "abc", "mvn verify", "a machine", verdict, List.of("A note."), COLUMNS, rows);
    }

    @Test
    void everyRunIsKeptAndTheLastComesFirst(@TempDir Path directory) throws Exception {
        EvidenceRun red = run("2026-01-01T10:00:00Z", "red, cause unknown", List.of(List.of("a|b", "90 %")));
        EvidenceRun passed = run("2026-01-02T10:00:00Z", "passed", List.of(List.of("a", "99 %")));
        assertThat(passed.write(directory, "test")).hasFileName("2026-01-02T100000Z-test.json");
        red.write(directory, "test");
        run("2026-01-03", "passed", List.of()).write(directory, "other");

        List<EvidenceRun> runs = EvidenceRun.all(directory, "test");

        assertThat(runs).containsExactly(red, passed);
        assertThat(EvidenceRun.markdown(runs))
                .startsWith("""
                        | run | verdict |
                        |---|---|
                        | 2026-01-02T10:00:00Z | passed |
                        | 2026-01-01T10:00:00Z | red, cause unknown |

                        **2026-01-02T10:00:00Z: passed**. `mvn verify` of commit abc, on a machine

                        - A note.

                        | fault | share |
                        |---|---|
                        | a | 99 % |
                        """)
                .contains("**2026-01-01T10:00:00Z: red, cause unknown**", "| a\\|b | 90 % |");
        assertThat(EvidenceRun.table(runs)).isEqualTo("""
                        | run | of commit | on | verdict | notes |
                        |---|---|---|---|---|
                        | 2026-01-02T10:00:00Z | abc | a machine | passed | A note. |
                        | 2026-01-01T10:00:00Z | abc | a machine | red, cause unknown | A note. |
                        """);
    }

    @Test
    void aVerdictThatSaysNeitherIsRefused() {
        assertThatThrownBy(() -> run("2026-01-01", "mostly fine", List.of()))
                .hasMessageStartingWith("verdict: mostly fine; allowed: [passed, red, ");
        assertThatThrownBy(() -> run("2026-01-01", "red", List.of(List.of("one"))))
                .hasMessageContaining("a row of 1 cells");
    }

    @Test
    void aFileThatIsNoRunIsNamed(@TempDir Path directory) throws IOException {
        Files.writeString(directory.resolve("2026-test.json"), "{}");
        assertThatThrownBy(() -> EvidenceRun.all(directory, "test")).hasMessageContaining("2026-test.json: ");
    }

    @Test
    void aCheckoutHasItsWholeCommitAndAnotherDirectoryHasNone(@TempDir Path other) throws Exception {
        assertThat(Checkout.commit(Path.of(""))).matches("[0-9a-f]{40}(-changed)?|not a checkout");
        assertThat(Checkout.commit(other)).isEqualTo("not a checkout");
    }
}
