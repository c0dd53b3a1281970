/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.phasewise.experiments.load.Load;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ExperimentTest {
    private static final String HEAD = """
            question: Which?
            expected: That one.
            parameters:
              - {name: records, about: a second, value: 100, least: 1, most: 1000, whole: false}
              - {name: partitions, about: of the topic, value: 8, least: 1, most: 100, whole: true}
            """;
    private static final String VARIANTS = """
            every:
              canary: {probe: {pipelined: true}}
              load: {producers: 2, records-per-second: <records>, record-bytes: 10, partitions: <partitions>}
            variants:
              - name: one
              - name: <records*2> and <records/partitions>
                canary: {topic: {name: other}}
                load: {records-per-second: <records/partitions>}
                producer: {acks: all}
            """;

    private static Plan plan(String text, Map<String, String> given) {
        Experiment read = Experiment.read("some", text);
        return read.plan(Parameters.read(read.parameters(), given));
    }

    @Test
    void whatEveryVariantHasIsMergedKeyByKeyAndTheVariantWins() throws Exception {
        Plan plan = plan(HEAD + VARIANTS, Map.of("records", "400"));

        Variant one = plan.variants().get(0);
        assertThat(one.canary()).isEqualTo(Map.of("probe", Map.of("pipelined", true)));
        assertThat(one.load()).contains(new Load(2, 400, 10, 8, Map.of()));
        Variant other = plan.variants().get(1);
        assertThat(other.name()).isEqualTo("800 and 50");
        assertThat(other.canary())
                .isEqualTo(Map.of(
                        "probe", Map.of("pipelined", true),
                        "topic", Map.of("name", "other"),
                        "producer", Map.of("acks", "all")));
        assertThat(other.load()).contains(new Load(2, 50, 10, 8, Map.of("acks", "all")));
    }

    @Test
    void itsOwnParametersComeFirstAndWinOverThoseOfEveryExperiment() {
        String seconds = "  - {name: seconds, about: x, value: 45, least: 20, most: 60, whole: false}\n";

        Experiment read = Experiment.read("some", HEAD + seconds + VARIANTS);

        assertThat(read.parameters())
                .extracting(Parameter::name)
                .startsWith("records", "partitions", "seconds", "repeats")
                .containsOnlyOnce("seconds");
        assertThat(read.parameters().get(2).least()).isEqualTo(20);
    }

    @Test
    void whatAFileGetsWrongIsNamedWithItsKey() {
        String all = HEAD + VARIANTS;
        assertRefused(all + "    tests: 1\n", "some.yml: Unrecognized field \"tests\"");
        assertRefused(all + "pairz: []\n", "some.yml: Unrecognized field \"pairz\"");
        assertRefused(all.replace("<partitions>", "<part>"), "no parameter part");
        assertRefused(all.replace("producers: 2", "producers: 0"), "producers: 0.0; allowed: 1 to 100");
        assertRefused(all.replace("whole: true", "hole: true"), "Cannot map `null` into type `boolean`");
        assertRefused(HEAD + "variants: [{name: one}]\n", "variants: [one]; allowed: two or more");
    }

    private static void assertRefused(String text, String said) {
        assertThatThrownBy(() -> plan(text, Map.of())).hasMessageContaining(said);
    }
}
