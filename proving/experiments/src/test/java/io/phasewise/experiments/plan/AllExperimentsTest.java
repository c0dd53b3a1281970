/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.plan;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.experiments.fault.pause.StallingBroker;
import io.phasewise.experiments.load.Load;
import io.phasewise.experiments.statistics.Latencies;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class AllExperimentsTest {
    private static final Pattern COMMAND = Pattern.compile("(?m)^\\./phasewise lab run (\\S+)(.*)$");
    private static final Pattern PARAMETER = Pattern.compile("--param (\\S+)=(\\S+)");

    private final Map<String, Experiment> all =
            Experiment.all().stream().collect(toMap(Experiment::name, each -> each));

    @Test
    void everyFileIsAnExperiment() throws Exception {
        Path directory = Path.of(Experiment.class.getResource("/experiments").toURI());
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(all.keySet().stream().map(name -> name + ".yml"))
                    .containsExactlyInAnyOrderElementsOf(
                            files.map(file -> file.getFileName().toString())
                                    .filter(name -> !name.equals("order.yml"))
                                    .toList());
        }
    }

    @Test
    void everyExperimentHasAPlanByItsDefaultsAndSaysWhetherItBreaksSomething() throws Exception {
        for (Experiment experiment : all.values()) {
            Plan plan = plan(experiment.name(), Map.of());

            assertThat(experiment.question()).as(experiment.name()).endsWith("?");
            assertThat(experiment.expected()).as(experiment.name()).endsWith(".");
            assertThat(plan.variants()).as(experiment.name()).hasSizeGreaterThan(1);
            assertThat(plan.variants().stream().anyMatch(v -> !v.faults().isEmpty()))
                    .as(experiment.name())
                    .isEqualTo(experiment.breaksBrokers());
            if (plan.layout().links()) {
                assertThat(experiment.breaksBrokers()).as(experiment.name()).isTrue();
            }
        }
    }

    @Test
    void everyParameterChangesThePlanOrThePace() throws Exception {
        for (Experiment experiment : all.values()) {
            List<String> ofPace = Pace.PARAMETERS.stream().map(Parameter::name).toList();
            for (Parameter each : experiment.own()) {
                if (!ofPace.contains(each.name())) {
                    String other = Long.toString((long) each.value() + 1);
                    assertThat(plan(experiment.name(), Map.of(each.name(), other)))
                            .as(experiment.name() + ", " + each.name())
                            .isNotEqualTo(plan(experiment.name(), Map.of()));
                }
            }
        }
    }

    @Test
    void thereAreProbesEnoughForTheTailsThatAreAskedFor() throws Exception {
        assertThat(probes("low-load")).isGreaterThan(2 * Latencies.needed(0.999));
        assertThat(probes("tier-1-bank")).isGreaterThan(Latencies.needed(0.9999));
    }

    @Test
    void aFloorOfOnePartitionHasThatPartitionsShareOfTheLoad() throws Exception {
        Plan plan = plan("tier-1-bank", Map.of());

        Load floor = plan.variants().get(0).load().orElseThrow();
        Load all = plan.variants().get(1).load().orElseThrow();
        assertThat(floor.partitions()).isEqualTo(1);
        assertThat(floor.recordsPerSecond()).isEqualTo(all.recordsPerSecond() / all.partitions());
    }

    @Test
    void theSlowFollowerIsPausedAsTheParametersSayAndItsOwnProbesAreLeftOut() throws Exception {
        Plan plan = plan("slow-follower", Map.of("stall", "300", "period", "900"));

        assertThat(plan.variants().get(1).faults())
                .containsExactly(new StallingBroker(3, Duration.ofMillis(300), Duration.ofMillis(900)));
        assertThat(plan.leaders()).isEqualTo(Set.of(1, 2));
    }

    /** A parameter that is gone must not stay in the command that made a figure. */
    @Test
    void theCommandsOfTheEvidenceMakeAPlanOfEveryExperiment() throws Exception {
        Path page = Path.of(System.getProperty("phasewise.root"), "docs/evidence/experiments.md");
        Set<String> run = new TreeSet<>();
        for (MatchResult command :
                COMMAND.matcher(Files.readString(page)).results().toList()) {
            Map<String, String> given = PARAMETER
                    .matcher(command.group(2))
                    .results()
                    .collect(Collectors.toMap(it -> it.group(1), it -> it.group(2)));
            assertThat(plan(command.group(1), given).variants()).isNotEmpty();
            run.add(command.group(1));
        }
        assertThat(run).isEqualTo(all.keySet());
    }

    /** Of each variant, in all turns. */
    private double probes(String name) throws Exception {
        Experiment experiment = all.get(name);
        Pace pace = Pace.of(Parameters.read(experiment.parameters(), Map.of()));
        return pace.repeats() * pace.measured().toSeconds() * pace.rate() * 3;
    }

    private Plan plan(String name, Map<String, String> given) throws Exception {
        Experiment experiment = all.get(name);
        return experiment.plan(Parameters.read(experiment.parameters(), given));
    }
}
