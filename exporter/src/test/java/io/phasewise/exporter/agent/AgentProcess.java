/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.agent;

import io.phasewise.lab.process.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A JVM that carries the agent and does nothing else, where no broker is needed. */
final class AgentProcess implements AutoCloseable {

    private static final Path TARGET = Path.of(System.getProperty("phasewise.root"), "exporter/target");

    /** What is released. */
    static final Path JAR = TARGET.resolve("phasewise-exporter.jar");

    private final Process process;
    private final Path output;

    private AgentProcess(Process process, Path output) {
        this.process = process;
        this.output = output;
    }

    /** What the JVM runs: says that it runs, then waits to be killed, or for its parent's end. */
    static final class Idle {
        public static void main(String[] arguments) throws IOException {
            System.out.println("main runs");
            System.in.read();
        }
    }

    /** Starts one with the agent, once for each argument. */
    static AgentProcess start(Path directory, String... arguments) throws IOException {
        return start(Idle.class.getName(), directory, arguments);
    }

    /** Starts one that runs this main class. */
    static AgentProcess start(String main, Path directory, String... arguments) throws IOException {
        // It lives for seconds.
        String[] quick = {Programs.java(), "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"};
        List<String> command = new ArrayList<>(List.of(quick));
        Stream.of(arguments).map(AgentProcess::option).forEach(command::add);
        command.addAll(List.of("-cp", TARGET.resolve("test-classes").toString()));
        command.add(main);
        Path output = Files.createTempFile(directory, "agent", ".log");
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        return new AgentProcess(builder.redirectOutput(output.toFile()).start(), output);
    }

    /** The JVM's option for the agent. */
    static String option(String argument) {
        return "-javaagent:" + JAR + "=" + argument;
    }

    /** All it has said so far. */
    List<String> output() throws IOException {
        return Files.readAllLines(output);
    }

    /** Its error lines so far. */
    List<String> errors() throws IOException {
        return output().stream().filter(line -> line.contains(" ERROR ")).toList();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
