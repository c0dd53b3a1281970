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
 * Lets one process write to its disk only so many times a second, by a control group of its own:
 * other processes on the same disk go on at full speed. What the process writes, and when it waits
 * for the disk, is its own business: what is only left in the page cache is not held up.
 *
 * <p>Uses the group's limit for a block device, of version 2 ({@code io.max}, where the controller
 * is given to groups already) or of version 1 ({@code blkio}), wherever they are mounted. Needs
 * root, and data on a block device. The limit has no effect once the process has ended; the empty
 * group of a lab that was killed goes with the next limit.
 *
 * <p>Where version 2 also counts memory, a file that the process wrote before counts as its former
 * group's until the kernel notices who writes to it: some forced writes are not held up at first.
 */
public final class SlowDisk implements AutoCloseable {
    private static final Path MOUNTS = Path.of("/proc/self/mounts");
    private static final String GROUP = "phasewise-";

    private final Path group;
    private final long pid;
    private final Path before;

    /**
     * Where groups are made and how they are told a limit.
     *
     * @param top where it is mounted
     * @param controller in a process's line about it; empty in version 2
     * @param limit the file
     * @param value what comes before the number
     */
    record Hierarchy(Path top, String controller, String limit, String value) {

        /**
         * Those mounted, version 2 first: a controller is in one of them only.
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
                    all.add(0, new Hierarchy(top, "", "io.max", "wiops="));
                } else if (parts[2].equals("cgroup")
                        && List.of(parts[3].split(",")).contains("blkio")) {
                    all.add(new Hierarchy(top, "blkio", "blkio.throttle.write_iops_device", ""));
                }
            }
            return all;
        }

        /** Why its groups cannot limit a disk, for people; empty when they can. */
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

        /** Dissolves what labs left that were killed: a group outlives the process in it. */
        private void sweep() throws IOException {
            try (DirectoryStream<Path> groups = Files.newDirectoryStream(top, GROUP + "*")) {
                for (Path each : groups) {
                    try {
                        Files.delete(each);
                    } catch (IOException inUse) {
                        // Refused as long as a process is in it, which another lab holds up.
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
     * Why no disk can be slowed down on this machine, for people; empty when one can.
     *
     * @param data a directory on the disk
     */
    public static Optional<String> obstacle(Path data) {
        try {
            device(data);
            Hierarchy hierarchy = hierarchy();
            // Brokers begin in the group of whoever starts them, and go back there.
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
        hierarchy.sweep();
        Path before = hierarchy.of(Long.toString(pid));
        Path group = Files.createDirectory(hierarchy.top().resolve(GROUP + pid));
        SlowDisk slow = new SlowDisk(group, pid, before);
        try {
            Files.writeString(group.resolve(hierarchy.limit()), device + " " + hierarchy.value() + writesPerSecond);
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

    /** The control group, which is there until this is closed. */
    Path group() {
        return group;
    }

    /** Lets it write again as it likes. The process may have ended. */
    @Override
    public void close() {
        IOException refused = null;
        try {
            Files.writeString(before.resolve("cgroup.procs"), Long.toString(pid));
        } catch (IOException perhapsEnded) {
            refused = perhapsEnded;
        }
        try {
            // Refused as long as the process is in it.
            Files.deleteIfExists(group);
        } catch (IOException left) {
            if (refused != null) {
                left.addSuppressed(refused);
            }
            throw new UncheckedIOException("cannot dissolve " + group, left);
        }
    }
}
