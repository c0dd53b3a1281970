/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.apache.kafka.tools;

import java.io.IOException;

/** Looks like a tool of Kafka's that runs for long, such as a console consumer. */
public final class IdleTool {

    private IdleTool() {}

    /** Says that it runs, then waits to be killed, or for its parent's end. */
    public static void main(String[] arguments) throws IOException {
        System.out.println("main runs");
        System.in.read();
    }
}
