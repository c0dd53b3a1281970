/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.supervise;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Asks the Linux kernel to wake a thread when its timer fires. By default the kernel may put a
 * wake-up off by 50 us to join it with others (prctl(2), PR_SET_TIMERSLACK): more than the canary
 * may be late by itself. Other systems are left as they are.
 */
public final class TimerSlack {
    private TimerSlack() {}

    /**
     * Gives the calling thread's timers the least slack; does nothing where that is not possible.
     */
    public static void least() {
        try {
            // The link reads "<process>/task/<thread>"; the setting lies under the thread's own
            // entry in /proc, and a thread may always write its own.
            Path thread = Files.readSymbolicLink(Path.of("/proc/thread-self")).getFileName();
            Files.writeString(Path.of("/proc", thread.toString(), "timerslack_ns"), "1");
        } catch (IOException | UnsupportedOperationException e) {
            // No Linux, or a sandbox: the thread is woken up to 50 us late, and the lag shows it.
        }
    }
}
