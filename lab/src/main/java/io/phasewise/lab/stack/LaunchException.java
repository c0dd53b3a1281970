/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.stack;

/** A launcher command that cannot be carried out, with a message for the person who typed it. */
public final class LaunchException extends Exception {

    private static final long serialVersionUID = 1L;

    /** What kind of obstacle. */
    public enum Reason {
        /** It went wrong at run time. */
        FAILED(1),
        /** What was asked for makes no sense. */
        USAGE(2),
        /** Something that must be there is not. */
        MISSING(3);

        private final int exitStatus;

        Reason(int exitStatus) {
            this.exitStatus = exitStatus;
        }

        /** What the process ends with. */
        public int exitStatus() {
            return exitStatus;
        }
    }

    private final Reason reason;

    private LaunchException(Reason reason, String message, Throwable cause) {
        super(message, cause);
        this.reason = reason;
    }

    public static LaunchException failed(String message) {
        return new LaunchException(Reason.FAILED, message, null);
    }

    public static LaunchException failed(String message, Throwable cause) {
        return new LaunchException(Reason.FAILED, message, cause);
    }

    public static LaunchException usage(String message) {
        return new LaunchException(Reason.USAGE, message, null);
    }

    public static LaunchException missing(String message) {
        return new LaunchException(Reason.MISSING, message, null);
    }

    public Reason reason() {
        return reason;
    }
}
