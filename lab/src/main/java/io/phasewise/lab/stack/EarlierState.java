/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.stack;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.databind.JsonNode;
import io.phasewise.lab.process.ProcessIdentity;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code state.json} as launchers before 2026-11-25 wrote it, so that a stack of theirs can be
 * ended and its data be used. Of a component only what identifies it counts: the rest follows from
 * the ports.
 *
 * @param portOffset as {@code --port-offset}
 */
@JsonIgnoreProperties("format")
record EarlierState(int portOffset, int controllers, boolean stopping, List<Started> components) {

    /**
     * A component that was started.
     *
     * @param processStarted when its process started, by the system, as ISO 8601
     * @param log the file that its output goes to
     */
    @JsonIgnoreProperties(ignoreUnknown = true)
    record Started(String name, long pid, String processStarted, Path log) {
        RunningComponent of(Component component) {
            return new RunningComponent(component, new ProcessIdentity(pid, Instant.parse(processStarted)), log);
        }
    }

    static boolean isOne(JsonNode state) {
        return state.path("format").asInt() == 1;
    }

    /**
     * The same as launchers write it now. A component of another name than today's is left out.
     *
     * @throws io.phasewise.common.cli.UsageException when the offset or the number of controllers
     *     is outside its range
     * @throws java.time.format.DateTimeParseException when a start is no instant
     */
    StackState state() {
        StackPorts ports = new StackPorts(portOffset, controllers);
        List<RunningComponent> running = new ArrayList<>();
        for (Component component : ports.components()) {
            components.stream()
                    .filter(started -> started.name().equals(component.name()))
                    .forEach(started -> running.add(started.of(component)));
        }
        return new StackState(ports, stopping, running);
    }
}
