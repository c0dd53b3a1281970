/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.apache.kafka.common.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.phasewise.kafka.AnswerLimit;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.lang.reflect.Member;
import java.lang.reflect.Modifier;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.channels.ScatteringByteChannel;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.memory.MemoryPool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What arrives, whole or in pieces, and what is refused. */
class NetworkReceiveTest {
    private static final int MOST = AnswerLimit.ofProcess().bytes();

    /** A peer that has sent some bytes, of which so many can be read at a time. */
    private static final class Peer implements ScatteringByteChannel {
        private final ByteArrayInputStream sent;
        private final int atATime;
        private boolean closed;

        Peer(int atATime, byte[]... sent) {
            ByteBuffer all = ByteBuffer.allocate(
                    Arrays.stream(sent).mapToInt(each -> each.length).sum());
            Arrays.stream(sent).forEach(all::put);
            this.sent = new ByteArrayInputStream(all.array());
            this.atATime = atATime;
        }

        @Override
        public int read(ByteBuffer into) {
            byte[] bytes = new byte[Math.min(atATime, into.remaining())];
            int read = sent.read(bytes, 0, bytes.length);
            if (read < 0) {
                return closed ? -1 : 0;
            }
            into.put(bytes, 0, read);
            return read;
        }

        @Override
        public long read(ByteBuffer[] into) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long read(ByteBuffer[] into, int offset, int length) {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    private static byte[] announced(int bytes) {
        return ByteBuffer.allocate(4).putInt(bytes).array();
    }

    private static byte[] payload(int bytes) {
        byte[] payload = new byte[bytes];
        for (int i = 0; i < bytes; i++) {
            payload[i] = (byte) (i * 31 + i / 251);
        }
        return payload;
    }

    private static NetworkReceive ofClient() {
        return new NetworkReceive(NetworkReceive.UNLIMITED, "1", MemoryPool.NONE);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 100, NetworkReceive.FIRST_BYTES, NetworkReceive.FIRST_BYTES + 1, 1_000_003})
    void anAnswerArrivesAsItWasSentInWhateverPieces(int size) throws IOException {
        for (int atATime : new int[] {7, 1_000, 1 << 20}) {
            Peer peer = new Peer(atATime, announced(size), payload(size), announced(5));
            NetworkReceive receive = ofClient();
            long read = 0;
            for (int i = 0; i < 1_000_000 && !receive.complete(); i++) {
                read += receive.readFrom(peer);
            }
            assertThat(receive.complete()).isTrue();
            assertThat(read)
                    .as("the next answer is left alone")
                    .isEqualTo(size + 4)
                    .isEqualTo(receive.bytesRead());
            assertThat(receive.size()).isEqualTo(size + 4);
            receive.payload().rewind();
            byte[] payload = new byte[receive.payload().remaining()];
            receive.payload().get(payload);
            assertThat(payload).isEqualTo(payload(size));
            receive.close();
        }
    }

    /** A TLS alert; "HTTP"; "SSH-"; the longest; less than nothing; a byte too much. */
    @Test
    void anAnnouncementThatIsNoneIsRefusedBeforeAnythingIsAllocated() {
        for (int bytes : new int[] {0x15030300, 0x48545450, 0x5353482d, Integer.MAX_VALUE, -1, MOST + 1}) {
            NetworkReceive receive = ofClient();
            assertThatThrownBy(() -> receive.readFrom(new Peer(1 << 20, announced(bytes), payload(100))))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(Integer.toUnsignedLong(bytes) + " bytes is refused: " + MOST);
            assertThat(receive.memoryAllocated()).isFalse();
            assertThat(receive.complete()).isFalse();
        }
    }

    @Test
    void duringALoginLessIsTaken() {
        NetworkReceive receive = new NetworkReceive("1");
        assertThatThrownBy(() -> receive.readFrom(new Peer(1 << 20, announced((512 << 10) + 1))))
                .hasMessageContaining("524288 are the most");
    }

    @Test
    void memoryGrowsWithWhatHasArrivedNotWithWhatWasAnnounced() throws IOException {
        NetworkReceive receive = ofClient();
        receive.readFrom(new Peer(1 << 20, announced(MOST), payload(100)));
        assertThat(receive.payload().capacity()).isEqualTo(NetworkReceive.FIRST_BYTES);
        receive.readFrom(new Peer(1 << 20, payload(NetworkReceive.FIRST_BYTES)));
        assertThat(receive.payload().capacity()).isEqualTo(2 * NetworkReceive.FIRST_BYTES);
        receive.close();
    }

    /** Several peers that send much at the same time. */
    @Test
    void whatArrivesTogetherIsBoundedAndRoomIsGivenBack() throws IOException {
        AnswerLimit limit = new AnswerLimit(0);
        int most = limit.bytes();
        byte[] nearlyAll = payload(most - 1);
        NetworkReceive first = new NetworkReceive(most, "1", limit);
        NetworkReceive second = new NetworkReceive(most, "2", limit);
        first.readFrom(new Peer(most, announced(most), nearlyAll));
        second.readFrom(new Peer(most, announced(most), nearlyAll));
        NetworkReceive third = new NetworkReceive(most, "3", limit);
        assertThatThrownBy(() -> third.readFrom(new Peer(most, announced(most), nearlyAll)))
                .hasMessageContaining("arriving together");
        third.close();
        first.close();
        second.close();
        second.close();
        limit.take(2 * most); // all of it is there again
        limit.giveBack(2 * most);

        NetworkReceive whole = new NetworkReceive(most, "4", limit);
        whole.readFrom(new Peer(most, announced(most), payload(most)));
        assertThat(whole.complete()).isTrue();
        limit.take(2 * most);
    }

    @Test
    void aClosedConnectionIsTold() {
        Peer peer = new Peer(100, announced(5), payload(2));
        peer.close();
        NetworkReceive receive = ofClient();
        assertThatThrownBy(() -> {
                    receive.readFrom(peer);
                    receive.readFrom(peer);
                })
                .isInstanceOf(EOFException.class);
    }

    /** Whatever in Kafka's jar uses the class must find what it is compiled against. */
    @Test
    void itHasEveryMemberOfKafkasOwn() throws Exception {
        URL jar = MemoryPool.class.getProtectionDomain().getCodeSource().getLocation();
        URL slf4j = org.slf4j.Logger.class.getProtectionDomain().getCodeSource().getLocation();
        try (URLClassLoader alone = new URLClassLoader(new URL[] {jar, slf4j}, ClassLoader.getPlatformClassLoader())) {
            Class<?> kafkas = alone.loadClass(NetworkReceive.class.getName());
            assertThat(kafkas.getProtectionDomain().getCodeSource().getLocation())
                    .isEqualTo(jar);
            assertThat(members(NetworkReceive.class)).containsAll(members(kafkas));
            assertThat(Arrays.toString(NetworkReceive.class.getInterfaces()))
                    .isEqualTo(Arrays.toString(kafkas.getInterfaces()));
        }
    }

    private static Set<String> members(Class<?> of) {
        return Stream.<Member[]>of(of.getDeclaredConstructors(), of.getDeclaredMethods(), of.getDeclaredFields())
                .flatMap(Arrays::stream)
                .filter(each -> Modifier.isPublic(each.getModifiers()))
                .map(each -> each.toString().replaceAll(" throws .*", ""))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
