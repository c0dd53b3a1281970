/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.fault;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Limits how often one process writes to its disk, or how much it reads from there, by a control
 * group of its own. Other processes on the same disk go on at full speed. Only what the process waits
 * for is slow: what stays in the page cache, or is read from it, is not held up ({@link PageCache}).
 *
 * <p>It uses the group's limit for a block device, of version 2 ({@code io.max}, where the io
 * controller is already enabled for groups) or of version 1 ({@code blkio}), wherever they are
 * mounted. It needs root, and data on a block device. The limit ends with the process. When a lab
 * was killed, its empty group is removed when the next limit begins.
 *
 * <p>Where version 2 also accounts for memory, a file that the process wrote before belongs to its
 * former group until the kernel notices the change. So some forced writes are not held up at first.
 */
public final class SlowDisk implements AutoCloseable {
    private static final Path MOUNTS = Path.of("/proc/self/mounts");
    private static final String GROUP = "phasewise-";

    private final Path group;
    private final long pid;
    private final Path before;

    /** What can be limited. */
    enum Limit {
        WRITES("wiops", "blkio.throttle.write_iops_device"),
        BYTES_READ("rbps", "blkio.throttle.read_bps_device");

        private final String key;
        private final String file;

        /**
         * @param key its name in the one file of version 2
         * @param file its own file in version 1
         */
        Limit(String key, String file) {
            this.key = key;
            this.file = file;
        }
    }

    /**
     * A hierarchy of control groups, and how a group's limit is set.
     *
     * @param top where the hierarchy is mounted
     * @param controller its name in {@code /proc/PID/cgroup}; empty in version 2
     */
    record Hierarchy(Path top, String controller) {

        /** Name of the file that holds a limit. */
        String file(Limit limit) {
            return controller.isEmpty() ? "io.max" : limit.file;
        }

        /** What that file gets. */
        String value(Limit limit, String device, long number) {
            return device + " " + (controller.isEmpty() ? limit.key + "=" : "") + number;
        }

        /**
         * The hierarchies that are mounted, version 2 first. A controller is only in one of them.
         *
         * @param mounts as in {@code /proc/mounts}
         */
        static List<Hierarchy> mounted(List<String> mounts) {
            List<Hierarchy> all = new ArrayList<>();
            for (String mount : mounts) {
                // Device, place, type, options.
                String[] parts = mount.split(" ");
                Path top = Path.of(parts[1]);
                if (parts[2].equals("cgroup2")) {
                    all.add(0, new Hierarchy(top, ""));
                } else if (parts[2].equals("cgroup")
                        && List.of(parts[3].split(",")).contains("blkio")) {
                    all.add(new Hierarchy(top, "blkio"));
                }
            }
            return all;
        }

        /** Why groups of this hierarchy cannot limit a disk, for people; empty when they can. */
        private Optional<String> obstacle() throws IOException {
            if (!controller.isEmpty() || lists("cgroup.subtree_control")) {
                return Optional.empty();
            }
            Path given = top.resolve("cgroup.subtree_control");
            return Optional.of(
                    lists("cgroup.controllers")
                            ? "cgroups lack the io controller: echo +io >" + given
                            : "io is not in " + top.resolve("cgroup.controllers"));
        }

        private boolean lists(String file) throws IOException {
            return List.of(Files.readString(top.resolve(file)).strip().split(" "))
                    .contains("io");
        }

        private Path of(String process) throws IOException {
            return of(Files.readAllLines(Path.of("/proc", process, "cgroup")));
        }

        /**
         * The group of a process.
         *
         * @param lines its {@code /proc/PID/cgroup}
         */
        Path of(List<String> lines) {
            for (String each : lines) {
                String[] parts = each.split(":", 3);
                if (List.of(parts[1].split(",")).contains(controller)) {
                    return Path.of(top + parts[2]);
                }
            }
            return top;
        }

        /** Removes empty groups of labs that were killed. */
        private void sweep() throws IOException {
            try (DirectoryStream<Path> groups = Files.newDirectoryStream(top, GROUP + "*")) {
                for (Path each : groups) {
                    try {
                        Files.delete(each);
                    } catch (IOException inUse) {
                        // A process is in it: another lab uses it.
                        continue;
                    }
                }
            }
        }
    }

    private SlowDisk(Path group, long pid, Path before) {
        this.group = group;
        this.pid = pid;
        this.before = before;
    }

    /**
     * Why the disk cannot be slowed down on this machine, for people; empty when it can.
     *
     * @param data a directory on the disk
     */
    public static Optional<String> obstacle(Path data) {
        try {
            device(data);
            Hierarchy hierarchy = hierarchy();
            // Brokers start in the group of this process, and are put back there.
            for (Path each : List.of(hierarchy.top(), hierarchy.of("self"))) {
                if (!Files.isWritable(each.resolve("cgroup.procs"))) {
                    return Optional.of(each + " cannot be written: it needs root");
                }
            }
            return Optional.empty();
        } catch (IOException none) {
            return Optional.of(none.getMessage());
        }
    }

    /**
     * Slows writes down until closed.
     *
     * @param pid of the process
     * @param data a directory on the disk
     * @param writesPerSecond from 1
     * @throws IOException when the system refuses
     */
    public static SlowDisk begin(long pid, Path data, int writesPerSecond) throws IOException {
        return begin(pid, data, Limit.WRITES, writesPerSecond);
    }

    /**
     * Slows down what a process reads until closed.
     *
     * @param pid of the process
     * @param data a directory on the disk
     * @param bytesPerSecond from 1
     * @throws IOException when the system refuses
     */
    public static SlowDisk reading(long pid, Path data, long bytesPerSecond) throws IOException {
        return begin(pid, data, Limit.BYTES_READ, bytesPerSecond);
    }

    private static SlowDisk begin(long pid, Path data, Limit limit, long number) throws IOException {
        String device = device(data);
        Hierarchy hierarchy = hierarchy();
        hierarchy.sweep();
        Path before = hierarchy.of(Long.toString(pid));
        Path group = Files.createDirectory(hierarchy.top().resolve(GROUP + pid));
        SlowDisk slow = new SlowDisk(group, pid, before);
        try {
            Files.writeString(group.resolve(hierarchy.file(limit)), hierarchy.value(limit, device, number));
            Files.writeString(group.resolve("cgroup.procs"), Long.toString(pid));
            return slow;
        } catch (IOException refused) {
            slow.close();
            throw refused;
        }
    }

    private static Hierarchy hierarchy() throws IOException {
        List<String> obstacles = new ArrayList<>();
        for (Hierarchy each : Hierarchy.mounted(Files.readAllLines(MOUNTS))) {
            Optional<String> obstacle = each.obstacle();
            if (obstacle.isEmpty()) {
                return each;
            }
            obstacles.add(obstacle.get());
        }
        throw new IOException("no control group limits a disk here: "
                + (obstacles.isEmpty() ? "neither version 2 nor blkio is mounted" : String.join(", ", obstacles)));
    }

    /** Major and minor number of the whole disk, as a partition cannot have a limit. */
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

    /** The control group; it exists until this is closed. */
    Path group() {
        return group;
    }

    /** Ends the limit. The process may have ended. */
    @Override
    public void close() {
        IOException refused = null;
        try {
            Files.writeString(before.resolve("cgroup.procs"), Long.toString(pid));
        } catch (IOException perhapsEnded) {
            refused = perhapsEnded;
        }
        try {
            // The system refuses while the process is in it.
            Files.deleteIfExists(group);
        } catch (IOException left) {
            if (refused != null) {
                left.addSuppressed(refused);
            }
            throw new UncheckedIOException("cannot dissolve " + group, left);
        }
    }
}
