/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.stack;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.phasewise.common.cli.UsageException;
import io.phasewise.lab.process.ProcessIdentity;
import java.io.IOException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The state as JSON; files are left to {@link StateDirectory}. Where components are reached is not
 * in it: their ports say so.
 *
 * @param format of the file, {@link #FORMAT}
 */
record StateFile(
        int format, int portOffset, int controllers, boolean stopping, List<Entry> components) {

    private static final int FORMAT = 1;
    private static final JsonMapper MAPPER =
            JsonMapper.builder()
                    .enable(SerializationFeature.INDENT_OUTPUT)
                    .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                    .build();

    /**
     * One component.
     *
     * @param processStarted an instant, by which the process is told from another of its pid
     */
    record Entry(String name, long pid, String processStarted, String log) {}

    static String write(StackState state) throws IOException {
        List<Entry> entries =
                state.components().stream()
                        .map(
                                running ->
                                        new Entry(
                                                running.name(),
                                                running.identity().pid(),
                                                running.identity().started().toString(),
                                                running.log().toString()))
                        .toList();
        return MAPPER.writeValueAsString(
                        new StateFile(
                                FORMAT,
                                state.ports().offset(),
                                state.ports().controllers(),
                                state.stopping(),
                                entries))
                + "\n";
    }

    /**
     * @throws IOException when the text is not a state of this format; the message says what is
     *     wrong with it
     */
    static StackState read(String json) throws IOException {
        StateFile file = MAPPER.readValue(json, StateFile.class);
        if (file.format != FORMAT || file.components == null) {
            throw new IOException("format: must be " + FORMAT + ", with a list of components");
        }
        try {
            StackPorts ports = new StackPorts(file.portOffset, file.controllers);
            Map<String, Component> known =
                    ports.components().stream()
                            .collect(Collectors.toMap(Component::name, Function.identity()));
            List<RunningComponent> components = new ArrayList<>();
            for (Entry entry : file.components) {
                if (!known.containsKey(entry.name)) {
                    throw new IOException("name: there is no component " + entry.name);
                }
                components.add(
                        new RunningComponent(
                                known.get(entry.name),
                                new ProcessIdentity(entry.pid, Instant.parse(entry.processStarted)),
                                Path.of(entry.log)));
            }
            return new StackState(ports, file.stopping, components);
        } catch (DateTimeException | NullPointerException | UsageException wrong) {
            throw new IOException(wrong.getMessage(), wrong);
        }
    }
}
