/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.lab.fault.SlowDisk.Hierarchy;
import io.phasewise.lab.fault.SlowDisk.Limit;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class SlowDiskTest {
    private static final Hierarchy VERSION_1 = new Hierarchy(Path.of("/sys/fs/cgroup/blkio"), "blkio");
    private static final Hierarchy VERSION_2 = new Hierarchy(Path.of("/sys/fs/cgroup/unified"), "");

    @Test
    void hierarchiesAreFoundWhereTheyAreMountedVersion2First() {
        assertThat(Hierarchy.mounted(List.of(
                        "/dev/vda / ext4 rw,relatime 0 0",
                        "cgroup /sys/fs/cgroup/cpu cgroup rw,cpu 0 0",
                        "cgroup /sys/fs/cgroup/blkio cgroup rw,relatime,blkio 0 0",
                        "cgroup2 /sys/fs/cgroup/unified cgroup2 rw 0 0")))
                .containsExactly(VERSION_2, VERSION_1);
    }

    @Test
    void aProcessIsInTheGroupThatItsLineOfTheHierarchyNames() {
        List<String> lines = List.of("7:cpu,blkio:/batch", "3:name=systemd:/", "0::/system/broker");

        assertThat(VERSION_1.of(lines)).isEqualTo(Path.of("/sys/fs/cgroup/blkio/batch"));
        assertThat(VERSION_2.of(lines)).isEqualTo(Path.of("/sys/fs/cgroup/unified/system/broker"));
        assertThat(VERSION_1.of(List.of("0::/"))).isEqualTo(Path.of("/sys/fs/cgroup/blkio"));
    }

    @Test
    void eachVersionHasItsFileAndItsFormOfALimit() {
        assertThat(VERSION_1.file(Limit.WRITES)).isEqualTo("blkio.throttle.write_iops_device");
        assertThat(VERSION_1.file(Limit.BYTES_READ)).isEqualTo("blkio.throttle.read_bps_device");
        assertThat(VERSION_1.value(Limit.BYTES_READ, "254:0", 6)).isEqualTo("254:0 6");
        assertThat(VERSION_2.file(Limit.WRITES)).isEqualTo("io.max");
        assertThat(VERSION_2.value(Limit.WRITES, "254:0", 700)).isEqualTo("254:0 wiops=700");
        assertThat(VERSION_2.value(Limit.BYTES_READ, "254:0", 6)).isEqualTo("254:0 rbps=6");
    }
}
