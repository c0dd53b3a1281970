/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.commands;

import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine.Help.Ansi;

/** Prints what was found in each cluster, for people; in colours on a terminal. */
public final class PreflightText {
    private static final int WIDTH = "may not".length();

    private final PrintWriter out;
    private final Ansi ansi;

    /**
     * @param out takes the lines
     */
    public PreflightText(PrintWriter out) {
        this(out, Ansi.AUTO);
    }

    /**
     * @param out takes the lines
     * @param ansi whether in colours
     */
    public PreflightText(PrintWriter out, Ansi ansi) {
        this.out = out;
        this.ansi = ansi;
    }

    /** Prints one cluster. */
    void print(String title, List<Finding> findings) {
        out.println();
        out.println(title);
        for (Finding each : findings) {
            String needed = each.isBlocking() ? "  <- needed" : "";
            out.println("  " + word(each) + "  " + each.text() + needed);
        }
        out.flush();
    }

    /** Only the word is coloured: the text may contain what would be taken for markup. */
    private String word(Finding finding) {
        String padded = (finding.kind().word() + " ".repeat(WIDTH)).substring(0, WIDTH);
        String colour = finding.isBlocking()
                ? "red"
                : finding.kind() == Finding.Kind.MAY ? "green" : finding.kind() == Finding.Kind.IS ? "bold" : "yellow";
        return ansi.string("@|" + colour + " " + padded + "|@");
    }
}
