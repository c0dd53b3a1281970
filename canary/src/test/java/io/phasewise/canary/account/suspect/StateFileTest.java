/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.account.suspect;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.canary.account.Account;
import io.phasewise.common.phase.Phase;
import io.phasewise.common.phase.Role;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What was learned outlives the process; a file that cannot be used costs the learning and nothing else. */
@Timeout(60)
class StateFileTest {
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
    private static final String FIRST = "{\"version\":1}\n";

    @TempDir
    Path directory;

    private final List<Throwable> faults = new ArrayList<>();
    private final List<String> log = new ArrayList<>();
    private Path path;

    @BeforeEach
    void name() {
        path = directory.resolve("state");
    }

    private static Suspects suspects(int minutes, Instant last) {
        List<Learned.Minute> all = new ArrayList<>();
        for (int i = 0; i < minutes; i++) {
            double[] seconds = {0, 0.01 * i, 0, 0, 0.5};
            all.add(new Learned.Minute(
                    true, 1, last.minusSeconds(60L * i), List.of(new Learned.Mean(2, Role.NETWORK, seconds))));
        }
        Suspects suspects = new Suspects(nanos -> NOW);
        suspects.restore(all, last);
        return suspects;
    }

    private StateFile file(StateFile.Opener opener, Duration patience) {
        return new StateFile(path, () -> NOW, faults::add, log::add, opener, patience);
    }

    private StateFile file() {
        return file(Files::newInputStream, StateFile.PATIENCE);
    }

    private Suspects readBack() throws Exception {
        Suspects suspects = new Suspects(nanos -> NOW);
        file().keep("prod", "default", suspects).read();
        return suspects;
    }

    private void write(Suspects suspects) throws Exception {
        StateFile file = file().keep("prod", "default", suspects);
        file.read();
        file.write();
    }

    private static List<String> texts(Suspects suspects) {
        return suspects.minutes().stream()
                .map(minute -> minute.leader() + " " + minute.at() + " "
                        + minute.waits().stream()
                                .map(each -> each.broker() + " " + each.role() + Arrays.toString(each.seconds()))
                                .toList())
                .toList();
    }

    @Test
    void whatIsWrittenIsReadBack() throws Exception {
        Suspects before = suspects(20, NOW);
        write(before);

        assertThat(texts(readBack())).hasSize(20).isEqualTo(texts(before));
        assertThat(faults).isEmpty();
        assertThat(log).isEmpty();
        try (var files = Files.list(directory)) {
            assertThat(files).as("nothing is left beside it").containsExactly(path);
        }
    }

    @Test
    void minutesOfOtherClustersAndProfilesStayTheirs() throws Exception {
        StateFile both = file().keep("prod", "default", suspects(3, NOW)).keep("prod", "bulk", suspects(5, NOW));
        both.read();
        both.write();

        assertThat(texts(readBack())).hasSize(3);
    }

    @Test
    void minutesThatAreMoreThanADayOldAreIgnored() throws Exception {
        write(suspects(20, NOW.minus(Duration.ofDays(1)).plusSeconds(60 * 4)));

        assertThat(texts(readBack())).hasSize(5);
        assertThat(faults).isEmpty();
    }

    @Test
    void thereIsNoFileAtTheFirstStart() throws Exception {
        assertThat(texts(readBack())).isEmpty();
        assertThat(faults).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "garbage",
                "{\"version\":2}\n{\"minutes\":0}\n",
                FIRST,
                FIRST + "null\n{\"minutes\":1}\n",
                FIRST + "{\"cluster\":\"prod\"}\n{\"minutes\":1}\n",
                FIRST
                        + "{\"cluster\":\"prod\",\"profile\":\"default\",\"marked\":true,\"leader\":1,\"at\":1767323045,\"waits\":[null]}\n"
                        + "{\"minutes\":1}\n",
                FIRST
                        + "{\"cluster\":\"prod\",\"profile\":\"default\",\"marked\":true,\"leader\":1,\"at\":1767323045,\"waits\":"
                        + "[{\"broker\":1,\"role\":\"disk\",\"seconds\":[0,0,0,0,0]}]}\n{\"minutes\":1}\n",
                FIRST
                        + "{\"cluster\":\"prod\",\"profile\":\"default\",\"marked\":true,\"leader\":1,\"at\":1767323045,\"waits\":"
                        + "[{\"broker\":1,\"role\":\"network\",\"seconds\":[0,0,0,0]}]}\n{\"minutes\":1}\n",
                FIRST
                        + "{\"cluster\":\"prod\",\"profile\":\"default\",\"marked\":true,\"leader\":1,\"at\":1767323045,\"waits\":"
                        + "[{\"broker\":1,\"role\":\"network\",\"seconds\":[0,-1,0,0,0]}]}\n{\"minutes\":1}\n",
                FIRST
                        + "{\"cluster\":\"prod\",\"profile\":\"default\",\"marked\":true,\"leader\":1,\"at\":1767323045,\"waits\":"
                        + "[{\"broker\":1,\"role\":\"network\",\"seconds\":[0,\"NaN\",0,0,0]}]}\n{\"minutes\":1}\n",
                FIRST + "{\"minutes\":1}\n"
            })
    void garbageCostsTheLearningAndIsWrittenAnew(String content) throws Exception {
        Files.writeString(path, content);

        assertThat(texts(readBack())).isEmpty();
        assertThat(faults).hasSize(1);
        assertThat(log)
                .singleElement()
                .asString()
                .startsWith("state-file: " + path + " cannot be used: ")
                .endsWith(". No network is named until the canary has learned for 20 minutes")
                .doesNotContain("prod");
        faults.clear();
        write(suspects(2, NOW));
        assertThat(texts(readBack())).hasSize(2);
    }

    @Test
    void aFileThatIsCutOffAnywhereIsRefusedAndNeverHalfUsed() throws Exception {
        write(suspects(3, NOW));
        byte[] whole = Files.readAllBytes(path);
        for (int length = 0; length < whole.length - 1; length++) {
            Files.write(path, Arrays.copyOf(whole, length));
            assertThat(texts(readBack())).as("%d bytes", length).isEmpty();
        }
        assertThat(faults).hasSize(whole.length - 1);
    }

    @Test
    void aPowerCutWhileItIsWrittenLeavesTheOneBefore() throws Exception {
        write(suspects(3, NOW));
        Files.writeString(directory.resolve("state.new"), FIRST + "{\"cluster\":\"pr");

        assertThat(texts(readBack())).hasSize(3);
        write(suspects(4, NOW));
        assertThat(texts(readBack()))
                .as("three of the earlier process and four of its own")
                .hasSize(7);
        assertThat(faults).isEmpty();
    }

    @Test
    void aFileThatIsTooLargeIsNotReadToItsEnd() throws Exception {
        byte[] line = (FIRST.strip() + " ".repeat(1000) + "\n").getBytes(StandardCharsets.UTF_8);
        String minute = "{\"cluster\":\"x\",\"profile\":\"y\",\"marked\":true,\"leader\":1,\"at\":1,\"waits\":[]}"
                + " ".repeat(1000) + "\n";
        byte[] more = minute.getBytes(StandardCharsets.UTF_8);
        long[] given = {0};
        InputStream endless = new InputStream() {
            @Override
            public int read() {
                long at = given[0]++;
                return at < line.length ? line[(int) at] : more[(int) ((at - line.length) % more.length)];
            }

            @Override
            public int read(byte[] bytes, int from, int length) {
                for (int i = 0; i < length; i++) {
                    bytes[from + i] = (byte) read();
                }
                return length;
            }
        };
        file(any -> endless, Duration.ofSeconds(50))
                .keep("prod", "default", new Suspects(nanos -> NOW))
                .read();

        assertThat(log).singleElement().asString().contains("is larger than the 67108864 bytes that are allowed");
        assertThat(given[0]).isBetween(StateForm.MOST_BYTES, StateForm.MOST_BYTES + (1 << 16));
    }

    @Test
    void aLineWithoutAnEndIsNotReadIntoMemory() throws Exception {
        byte[] zeros = new byte[StateForm.MOST_OF_A_LINE + 2];
        file(any -> new ByteArrayInputStream(zeros), StateFile.PATIENCE)
                .keep("prod", "default", new Suspects(nanos -> NOW))
                .read();

        assertThat(log).singleElement().asString().contains("has a line of more than 65536 bytes");
    }

    @Test
    void aDiskThatHangsIsNotWaitedFor() throws Exception {
        CountDownLatch released = new CountDownLatch(1);
        StateFile file = file(
                        any -> {
                            try {
                                released.await();
                            } catch (InterruptedException e) {
                                throw new IOException(e);
                            }
                            return InputStream.nullInputStream();
                        },
                        Duration.ofMillis(20))
                .keep("prod", "default", suspects(1, NOW));
        file.read();

        assertThat(file.hasRead()).isTrue();
        assertThat(faults).hasSize(1);
        assertThat(log).singleElement().asString().contains("its disk has not answered in time");
        released.countDown();
    }

    @Test
    void aFileWhoseDiskWasSlowIsLeftAloneUntilAsMuchIsLearnedAnew() throws Exception {
        write(suspects(7, NOW));
        CountDownLatch released = new CountDownLatch(1);
        Suspects anew = new Suspects(nanos -> NOW);
        StateFile file = file(
                        any -> {
                            try {
                                released.await();
                            } catch (InterruptedException e) {
                                throw new IOException(e);
                            }
                            return InputStream.nullInputStream();
                        },
                        Duration.ofMillis(20))
                .keep("prod", "default", anew);
        file.read();
        released.countDown();
        anew.restore(suspects(19, NOW).minutes(), NOW);
        probe(anew);
        file.write();
        assertThat(texts(readBack())).hasSize(7);

        anew.restore(suspects(1, NOW).minutes(), NOW);
        file.write();
        assertThat(texts(readBack())).hasSize(20);
    }

    /** A leader counts that has had a probe. */
    private static void probe(Suspects suspects) {
        suspects.add(
                1,
                1,
                0,
                new Account.Builder().add(Phase.PUBLISH, 1, Role.DISK, 1).build());
        suspects.turn(Duration.ofSeconds(4).toNanos());
    }

    @Test
    void whatNoReaderWouldTakeIsNotWritten() throws Exception {
        write(suspects(3, NOW));
        String name = "x".repeat(StateForm.MOST_OF_A_LINE);
        StateFile file = file().keep("prod", name, suspects(1, NOW));
        file.read();
        file.write();

        assertThat(log)
                .singleElement()
                .asString()
                .contains("cannot be written: would have a line of more than 65536 bytes");
        assertThat(texts(readBack())).hasSize(3);
    }

    @Test
    void aFailureIsLoggedOnceAndCountedEachTimeUntilItIsOver() throws Exception {
        Path gone = directory.resolve("gone");
        path = gone.resolve("state");
        StateFile file = file().keep("prod", "default", suspects(2, NOW));
        file.read();
        file.write();
        file.write();
        assertThat(faults).hasSize(2);
        assertThat(log)
                .singleElement()
                .asString()
                .contains("cannot be written")
                .endsWith("What the canary learns is lost when it ends");

        Files.createDirectory(gone);
        file.write();
        assertThat(log).hasSize(2).last().asString().endsWith("is written again");
        assertThat(texts(readBack())).hasSize(2);
    }

    @Test
    void nothingIsWrittenBeforeTheFileWasReadNorWhileNothingIsKnown() throws Exception {
        write(suspects(3, NOW));
        file().keep("prod", "default", suspects(1, NOW)).write();
        write(new Suspects(nanos -> NOW));

        assertThat(texts(readBack())).hasSize(3);
    }
}
