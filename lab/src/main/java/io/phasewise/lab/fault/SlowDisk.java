/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.fault;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/**
 * Lets one process write to its disk only so many times a second, by a control group of its own:
 * other processes on the same disk go on at full speed. What the process writes, and when it waits
 * for the disk, is its own business: what is only left in the page cache is not held up.
 *
 * <p>Uses the group's limit for a block device, of version 2 ({@code io.max}, where the controller
 * is given to groups already) or of version 1 ({@code blkio}). Needs root, and data on a block
 * device. The limit is of no more effect once the process has ended.
 */
public final class SlowDisk implements AutoCloseable {
    private static final Path MOUNTED = Path.of("/sys/fs/cgroup");

    private final Path group;
    private final long pid;
    private final Path before;

    /** Where groups are made, what a process's line about it has, how groups are told a limit. */
    private record Hierarchy(Path top, String line, String limit, String value) {

        Path of(long pid) throws IOException {
            for (String each : Files.readAllLines(Path.of("/proc", Long.toString(pid), "cgroup"))) {
                String[] parts = each.split(":", 3);
                if (Arrays.asList(parts[1].split(",")).contains(line)) {
                    return Path.of(top + parts[2]);
                }
            }
            return top;
        }
    }

    private SlowDisk(Path group, long pid, Path before) {
        this.group = group;
        this.pid = pid;
        this.before = before;
    }

    /**
     * Why no disk can be slowed down on this machine, for people; empty when one can.
     *
     * @param data a directory on the disk
     */
    public static Optional<String> obstacle(Path data) {
        try {
            device(data);
            Path top = hierarchy().top();
            return Files.isWritable(top)
                    ? Optional.empty()
                    : Optional.of(top + " cannot be written: it needs root");
        } catch (IOException none) {
            return Optional.of(none.getMessage());
        }
    }

    /**
     * Slows the disk down until closed.
     *
     * @param pid the process that is held up
     * @param data a directory on the disk
     * @param writesPerSecond from 1
     * @throws IOException when the system refuses
     */
    public static SlowDisk begin(long pid, Path data, int writesPerSecond) throws IOException {
        String device = device(data);
        Hierarchy hierarchy = hierarchy();
        Path group = hierarchy.top().resolve("phasewise-" + pid);
        if (!Files.isDirectory(group)) {
            Files.createDirectory(group);
        }
        SlowDisk slow = new SlowDisk(group, pid, hierarchy.of(pid));
        boolean begun = false;
        try {
            Files.writeString(
                    group.resolve(hierarchy.limit()),
                    device + " " + hierarchy.value() + writesPerSecond);
            Files.writeString(group.resolve("cgroup.procs"), Long.toString(pid));
            begun = true;
            return slow;
        } finally {
            if (!begun) {
                slow.close();
            }
        }
    }

    private static Hierarchy hierarchy() throws IOException {
        Path controllers = MOUNTED.resolve("cgroup.subtree_control");
        if (Files.exists(controllers)
                && Arrays.asList(Files.readString(controllers).strip().split(" ")).contains("io")) {
            return new Hierarchy(MOUNTED, "", "io.max", "wiops=");
        }
        Path blkio = MOUNTED.resolve("blkio");
        if (Files.exists(blkio.resolve("blkio.throttle.write_iops_device"))) {
            return new Hierarchy(blkio, "blkio", "blkio.throttle.write_iops_device", "");
        }
        throw new IOException(
                "no control group limits a disk here: neither io in "
                        + controllers
                        + " nor a limit in "
                        + blkio);
    }

    /** Major and minor number of the whole disk: a partition has no limit of its own. */
    private static String device(Path data) throws IOException {
        long number = ((Number) Files.getAttribute(data, "unix:dev")).longValue();
        long major = number >> 8 & 0xfff;
        long minor = number & 0xff | number >> 12 & 0xfff00;
        Path device = Path.of("/sys/dev/block/" + major + ":" + minor);
        if (major == 0 || !Files.exists(device)) {
            throw new IOException(data + " is not on a block device");
        }
        Path real = device.toRealPath();
        Path disk = Files.exists(real.resolve("partition")) ? real.getParent() : real;
        return Files.readString(disk.resolve("dev")).strip();
    }

    /** Lets it write again as it likes. The process may have ended. */
    @Override
    public void close() {
        try {
            if (ProcessHandle.of(pid).isPresent()) {
                Files.writeString(before.resolve("cgroup.procs"), Long.toString(pid));
            }
            Files.deleteIfExists(group);
        } catch (IOException left) {
            throw new UncheckedIOException("cannot dissolve " + group, left);
        }
    }
}
