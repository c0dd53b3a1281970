/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.stack;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.phasewise.common.progress.Terminal;
import io.phasewise.common.progress.Terminal.Colour;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Writes the state of a stack: as a table for people, as JSON for programs. {@link HealthCheck}
 * finds out the health.
 */
public final class StatusReport {

    private static final List<String> HEADER = List.of("COMPONENT", "PID", "PORT", "HEALTHY", "SINCE");
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

    /** Whether every component is healthy. */
    public boolean isHealthy() {
        return components.stream()
                .allMatch(running -> healths.get(running.name()).healthy());
    }

    /** A header and a row for each component, with aligned columns. */
    public List<String> table(Terminal terminal, ZoneId zone) {
        DateTimeFormatter time =
                DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT).withZone(zone);
        List<List<String>> rows = new ArrayList<>(List.of(HEADER));
        for (RunningComponent running : components) {
            Health health = healths.get(running.name());
            rows.add(List.of(
                    running.name(),
                    running.alive() ? Long.toString(running.identity().pid()) : "-",
                    Integer.toString(running.component().port()),
                    (health.healthy() ? "yes" : "no") + (health.note().isEmpty() ? "" : ": " + health.note()),
                    time.format(running.identity().started())));
        }
        return rows.stream().map(row -> line(row, rows, terminal)).toList();
    }

    private static String line(List<String> row, List<List<String>> rows, Terminal terminal) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < row.size(); i++) {
            int column = i;
            int width = rows.stream()
                    .mapToInt(each -> each.get(column).length())
                    .max()
                    .orElse(0);
            String cell = row.get(i);
            String padded = cell + " ".repeat(width - cell.length() + 2);
            if (i == HEALTHY_COLUMN && row != HEADER) {
                padded = terminal.paint(cell.startsWith("yes") ? Colour.GREEN : Colour.RED, padded);
            }
            line.append(padded);
        }
        return line.toString().stripTrailing();
    }

    /** An object with a list of components. A pid of null means that the process has ended. */
    public String json() {
        ObjectNode all = JsonNodeFactory.instance.objectNode();
        ArrayNode entries = all.putArray("components");
        for (RunningComponent running : components) {
            Component component = running.component();
            Health health = healths.get(running.name());
            ObjectNode entry = entries.addObject();
            entry.put("name", component.name());
            entry.put("kind", component.kind().label());
            entry.put("pid", running.alive() ? running.identity().pid() : null);
            entry.put("url", component.url());
            entry.put("port", component.port());
            component.bootstrap().ifPresent(address -> entry.put("bootstrap", address));
            component.metricsUrl().ifPresent(url -> entry.put("metricsUrl", url));
            entry.put("healthy", health.healthy());
            entry.put("ready", health.healthy() && health.note().isEmpty());
            if (!health.note().isEmpty()) {
                entry.put("note", health.note());
            }
            entry.put("since", running.identity().started().toString());
        }
        return all.toPrettyString();
    }
}
