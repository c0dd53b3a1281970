/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.stack;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.phasewise.common.progress.Terminal;
import io.phasewise.common.progress.Terminal.Colour;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Words the state of a stack: as a table for people, as JSON for programs. Finding the health out
 * is left to {@link HealthCheck}.
 */
public final class StatusReport {

    private static final List<String> HEADER =
            List.of("COMPONENT", "PID", "PORT", "HEALTHY", "SINCE");
    private static final int HEALTHY_COLUMN = 3;

    private final List<RunningComponent> components;
    private final Map<String, Health> healths;

    /**
     * @param healths of each component, by name
     */
    public StatusReport(List<RunningComponent> components, Map<String, Health> healths) {
        this.components = List.copyOf(components);
        this.healths = Map.copyOf(healths);
    }

    /** A header and a row per component; columns lined up. */
    public List<String> table(Terminal terminal, ZoneId zone) {
        DateTimeFormatter time =
                DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT).withZone(zone);
        List<List<String>> rows = new ArrayList<>(List.of(HEADER));
        for (RunningComponent running : components) {
            Health health = healths.get(running.name());
            rows.add(
                    List.of(
                            running.name(),
                            running.alive() ? Long.toString(running.identity().pid()) : "-",
                            Integer.toString(running.component().port()),
                            (health.healthy() ? "yes" : "no")
                                    + (health.note().isEmpty() ? "" : ": " + health.note()),
                            time.format(running.identity().started())));
        }
        return rows.stream().map(row -> line(row, rows, terminal)).toList();
    }

    private static String line(List<String> row, List<List<String>> rows, Terminal terminal) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < row.size(); i++) {
            int column = i;
            int width = rows.stream().mapToInt(each -> each.get(column).length()).max().orElse(0);
            String cell = row.get(i);
            String padded = cell + " ".repeat(width - cell.length() + 2);
            if (i == HEALTHY_COLUMN && row != HEADER) {
                padded = terminal.paint(cell.startsWith("yes") ? Colour.GREEN : Colour.RED, padded);
            }
            line.append(padded);
        }
        return line.toString().stripTrailing();
    }

    /** What programs are told of one component; what is null is left out, but for the pid. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    private record Entry(
            String name,
            String kind,
            @JsonInclude Long pid,
            String url,
            int port,
            String bootstrap,
            String metricsUrl,
            boolean healthy,
            String note,
            String since) {

        static Entry of(RunningComponent running, Health health) {
            Component component = running.component();
            return new Entry(
                    component.name(),
                    component.kind().label(),
                    running.alive() ? running.identity().pid() : null,
                    component.url(),
                    component.port(),
                    component.bootstrap().orElse(null),
                    component.metricsUrl().orElse(null),
                    health.healthy(),
                    health.note().isEmpty() ? null : health.note(),
                    running.identity().started().toString());
        }
    }

    /** One object with a list of components; a pid of null means that the process is gone. */
    public String json() {
        List<Entry> entries =
                components.stream()
                        .map(running -> Entry.of(running, healths.get(running.name())))
                        .toList();
        try {
            return JsonMapper.builder()
                    .enable(SerializationFeature.INDENT_OUTPUT)
                    .build()
                    .writeValueAsString(Map.of("components", entries));
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
