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
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A JVM that carries the agent and does nothing else, where no broker is needed. */
final class AgentProcess implements AutoCloseable {

    private static final Path ROOT = Path.of(System.getProperty("phasewise.root"));

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
        List<String> options =
                Stream.of(arguments)
                        .map(argument -> "-javaagent:" + jar() + "=" + argument)
                        .toList();
        String classPath = ROOT.resolve("exporter/target/test-classes").toString();
        return run(directory, options, "-cp", classPath, Idle.class.getName());
    }

    /** Runs a program that ends by itself, with the agent, and waits for its end. */
    static AgentProcess shortProgram(Path directory, String argument) throws Exception {
        String agent = "-javaagent:" + jar() + "=" + argument;
        AgentProcess program = run(directory, List.of(agent), "-jar", jar().toString(), "--help");
        if (!program.process.waitFor(30, TimeUnit.SECONDS)) {
            program.close();
            throw new AssertionError("it does not end");
        }
        return program;
    }

    private static AgentProcess run(Path directory, List<String> options, String... program)
            throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Programs.java());
        // It lives for seconds.
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        command.addAll(options);
        command.addAll(List.of(program));
        Path output = Files.createTempFile(directory, "agent", ".log");
        return new AgentProcess(
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start(),
                output);
    }

    private static Path jar() {
        return ROOT.resolve("exporter/target/phasewise-exporter.jar");
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

    /** After its end. */
    int exitCode() {
        return process.exitValue();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
