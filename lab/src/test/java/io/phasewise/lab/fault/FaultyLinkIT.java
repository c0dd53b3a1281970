/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.phasewise.lab.net.PortLease;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A link on real sockets, in front of a server that sends back what it gets. */
class FaultyLinkIT {
    private static final double MILLI = 1e6;
    private static final Duration BOUND = Duration.ofSeconds(30);

    @AutoClose
    private ServerSocket server;

    @AutoClose
    private FaultyLink link;

    @AutoClose
    private Socket socket;

    private DataOutputStream out;
    private DataInputStream in;

    @BeforeEach
    void connect() throws IOException {
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        daemon(() -> echo(server));
        link = FaultyLink.open("test", 0, server.getLocalPort());
        socket = new Socket(InetAddress.getLoopbackAddress(), link.port());
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(10_000);
        out = new DataOutputStream(socket.getOutputStream());
        in = new DataInputStream(socket.getInputStream());
        for (int i = 0; i < 200; i++) {
            roundTripMillis();
        }
    }

    @Test
    void aDelayEachWayAddsUpToTheRoundTrip() throws IOException {
        double plain = fastest();
        link.toServer().delay(Duration.ofMillis(20));
        link.toClient().delay(Duration.ofMillis(5));
        assertDelayed(25, plain);
        link.toServer().delay(Duration.ZERO);
        assertDelayed(5, plain);
    }

    @Test
    void dataOfOtherClientsPassWhileThoseOfOneAreHeld() throws Exception {
        try (Socket other = new Socket(InetAddress.getLoopbackAddress(), link.port())) {
            other.setSoTimeout(200);
            int held = other.getLocalPort();
            link.toClient().pause(port -> port == held);
            other.getOutputStream().write(new byte[Integer.BYTES]);
            roundTripMillis();
            assertThatThrownBy(() -> other.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
            link.toClient().resume();
            assertThat(other.getInputStream().read()).isZero();
        }
    }

    @Test
    void whatIsUnderWayDelaysNothingElse() throws IOException {
        link.toServer().delay(Duration.ofMillis(50));
        long start = System.nanoTime();
        for (int i = 0; i < 1_000; i++) {
            out.writeInt(i);
            out.flush();
        }
        for (int i = 0; i < 1_000; i++) {
            assertThat(in.readInt()).as("order").isEqualTo(i);
        }
        // A delay for each piece would take 50 seconds.
        assertThat((System.nanoTime() - start) / MILLI).isBetween(50.0, 2_000.0);
    }

    @Test
    void muchDataPassesUnchangedAndInFull() throws IOException {
        link.toClient().delay(Duration.ofMillis(5));
        byte[] sent = new byte[3_000_000];
        new Random(1).nextBytes(sent);
        Callable<Void> sending = () -> {
            out.write(sent);
            socket.shutdownOutput();
            return null;
        };
        new Thread(new FutureTask<>(sending)).start();

        assertThat(in.readAllBytes()).isEqualTo(sent);
    }

    @Test
    void aNarrowWayLetsEverythingPassInItsTime() throws IOException {
        double plain = fastest();
        link.toServer().narrow(100_000);
        long start = System.nanoTime();
        out.write(new byte[20_000]);
        in.readFully(new byte[20_000]);
        assertThat((System.nanoTime() - start) / MILLI).isBetween(199.9, 2_000.0);
        link.toServer().narrow(LinkDirection.UNBOUNDED);
        assertDelayed(0, plain);
    }

    @Test
    void aPauseHoldsEverythingAndLosesNothing() throws IOException {
        link.toClient().pause();
        out.writeInt(1);
        out.writeInt(2);
        socket.setSoTimeout(150);
        assertThatThrownBy(() -> in.readInt()).isInstanceOf(SocketTimeoutException.class);
        link.toClient().resume();
        socket.setSoTimeout(10_000);
        assertThat(in.readInt()).isEqualTo(1);
        assertThat(in.readInt()).isEqualTo(2);
    }

    @Test
    void severedConnectionsEndAndNewOnesAreMade() throws IOException {
        link.sever();
        // The end, or an error: either way nothing is read.
        assertThatThrownBy(in::readByte).isInstanceOf(IOException.class);
        try (Socket again = new Socket(InetAddress.getLoopbackAddress(), link.port())) {
            again.setSoTimeout(10_000);
            again.getOutputStream().write(7);
            assertThat(again.getInputStream().read()).isEqualTo(7);
        }
    }

    @Test
    void whereNobodyListensBehindTheClientIsCutOff() throws IOException {
        try (PortLease nobody = PortLease.take(1);
                FaultyLink dead = FaultyLink.open("dead", 0, nobody.port(0));
                Socket client = new Socket(InetAddress.getLoopbackAddress(), dead.port())) {
            client.setSoTimeout(10_000);
            assertThat(client.getInputStream().read()).isEqualTo(-1);
        }
    }

    /**
     * No round trip takes less than that, and the fastest hardly more; this one is looked for again
     * while the machine is busy with something else.
     */
    private void assertDelayed(double millis, double plain) throws IOException {
        long start = System.nanoTime();
        double fastest;
        do {
            fastest = fastest();
            assertThat(fastest).as("milliseconds").isGreaterThanOrEqualTo(millis);
        } while (fastest - plain > millis + 1 && System.nanoTime() - start < BOUND.toNanos());
        assertThat(fastest - plain).as("milliseconds").isLessThanOrEqualTo(millis + 1);
    }

    private double fastest() throws IOException {
        double least = Double.MAX_VALUE;
        for (int i = 0; i < 20; i++) {
            least = Math.min(least, roundTripMillis());
        }
        return least;
    }

    private double roundTripMillis() throws IOException {
        long start = System.nanoTime();
        out.writeInt(42);
        out.flush();
        assertThat(in.readInt()).isEqualTo(42);
        return (System.nanoTime() - start) / MILLI;
    }

    private static void echo(ServerSocket server) {
        try {
            while (true) {
                Socket client = server.accept();
                client.setTcpNoDelay(true);
                daemon(() -> echo(client));
            }
        } catch (IOException closed) {
            // The test is over.
        }
    }

    private static void echo(Socket client) {
        try (client) {
            client.getInputStream().transferTo(client.getOutputStream());
        } catch (IOException gone) {
            // The test is over.
        }
    }

    private static void daemon(Runnable task) {
        Thread thread = new Thread(task, "echo");
        thread.setDaemon(true);
        thread.start();
    }
}
