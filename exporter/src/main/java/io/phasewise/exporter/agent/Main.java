/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.agent;

import io.phasewise.common.auth.PasswordHash;
import io.phasewise.common.file.JarResource;
import io.phasewise.exporter.config.ConfigFault;
import io.phasewise.exporter.config.ConfigLoader;
import io.phasewise.exporter.config.ExporterConfig;
import java.io.BufferedReader;
import java.io.Console;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.security.SecureRandom;

/** The jar as a program: checks a configuration file, hashes a password. */
public final class Main {

    private static final int DONE = 0;
    private static final int BAD_USAGE = 2;

    private static final String USAGE = JarResource.text(Main.class, "usage.txt");

    private final InputStream in;
    private final PrintStream out;
    private final PrintStream err;

    Main(InputStream in, PrintStream out, PrintStream err) {
        this.in = in;
        this.out = out;
        this.err = err;
    }

    public static void main(String[] arguments) throws IOException {
        System.exit(new Main(System.in, System.out, System.err).run(arguments));
    }

    /** Does what the arguments say; returns the exit code. */
    int run(String... arguments) throws IOException {
        String first = arguments.length == 0 ? "" : arguments[0];
        if (first.equals("--help") && arguments.length == 1) {
            out.print(USAGE);
            return DONE;
        }
        if (first.equals("--check-config") && arguments.length == 2) {
            return check(Path.of(arguments[1]));
        }
        if (first.equals("--hash-password") && arguments.length == 1) {
            return hash();
        }
        err.print(USAGE);
        return BAD_USAGE;
    }

    private int check(Path file) {
        ExporterConfig config = ConfigLoader.load(file);
        for (ConfigFault fault : config.faults) {
            err.println(fault);
        }
        if (!config.faults.isEmpty()) {
            return BAD_USAGE;
        }
        out.println(file + " has no fault");
        return DONE;
    }

    private int hash() throws IOException {
        Console console = System.console();
        char[] password;
        if (console != null) {
            password = console.readPassword("Password: ");
        } else {
            String line = new BufferedReader(new InputStreamReader(in, Charset.defaultCharset())).readLine();
            password = line == null ? new char[0] : line.toCharArray();
        }
        if (password == null || password.length == 0) {
            err.println("no password");
            return BAD_USAGE;
        }
        out.println(PasswordHash.of(password, new SecureRandom()));
        return DONE;
    }
}
