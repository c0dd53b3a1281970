/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.stack;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
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
        List<List<String>> rows = new ArrayList<>();
        rows.add(HEADER);
        for (RunningComponent running : components) {
            Health health = healths.get(running.name());
            rows.add(
                    List.of(
                            running.name(),
                            running.alive() ? Long.toString(running.identity().pid()) : "-",
                            Integer.toString(running.component().port()),
                            healthy(health),
                            time.format(running.since())));
        }
        int[] widths = new int[HEADER.size()];
        rows.forEach(
                row -> {
                    for (int i = 0; i < widths.length; i++) {
                        widths[i] = Math.max(widths[i], row.get(i).length());
                    }
                });
        return rows.stream().map(row -> line(row, widths, terminal)).toList();
    }

    private static String healthy(Health health) {
        return (health.healthy() ? "yes" : "no")
                + (health.note().isEmpty() ? "" : ": " + health.note());
    }

    private static String line(List<String> row, int[] widths, Terminal terminal) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            String cell = row.get(i);
            String padded = cell + " ".repeat(widths[i] - cell.length() + 2);
            if (i == HEALTHY_COLUMN && row != HEADER) {
                line.append(
                        terminal.paint(cell.startsWith("yes") ? Colour.GREEN : Colour.RED, padded));
            } else {
                line.append(padded);
            }
        }
        return line.toString().stripTrailing();
    }

    /** One object with a list of components; a pid of null means that the process is gone. */
    public String json() {
        ObjectMapper mapper =
                JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();
        ObjectNode root = mapper.createObjectNode();
        ArrayNode list = root.putArray("components");
        for (RunningComponent running : components) {
            Component component = running.component();
            Health health = healths.get(running.name());
            ObjectNode node = list.addObject();
            node.put("name", component.name());
            node.put("kind", component.kind().label());
            if (running.alive()) {
                node.put("pid", running.identity().pid());
            } else {
                node.putNull("pid");
            }
            node.put("url", component.url());
            node.put("port", component.port());
            component.bootstrap().ifPresent(value -> node.put("bootstrap", value));
            component.metricsUrl().ifPresent(value -> node.put("metricsUrl", value));
            node.put("healthy", health.healthy());
            if (!health.note().isEmpty()) {
                node.put("note", health.note());
            }
            node.put("since", running.since().toString());
        }
        try {
            return mapper.writeValueAsString(root);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
