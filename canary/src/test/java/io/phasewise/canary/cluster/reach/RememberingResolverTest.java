/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.cluster.reach;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class RememberingResolverTest {
    private static final InetAddress[] LOOPBACK = {InetAddress.getLoopbackAddress()};

    private final Map<String, CountDownLatch> hanging = new ConcurrentHashMap<>();
    private final RememberingResolver hosts = new RememberingResolver(host -> {
        if (hanging.containsKey(host)) {
            try {
                hanging.get(host).await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
        if (host.equals("nowhere")) {
            throw new UnknownHostException(host);
        }
        return LOOPBACK;
    });

    @AfterEach
    void end() {
        hanging.values().forEach(CountDownLatch::countDown);
    }

    @Test
    void aHostThatIsNotKnownIsRemembered() {
        assertThatThrownBy(() -> hosts.resolve("nowhere")).isInstanceOf(UnknownHostException.class);
        assertThat(hosts.failed("nowhere")).isTrue();
    }

    /** All brokers are pinged by one thread: while it waits, round trips of the others grow. */
    @Test
    void aSlowLookUpIsNotWaitedForAndDelaysNoOtherHost() throws Exception {
        hanging.put("slow", new CountDownLatch(1));
        long began = System.nanoTime();
        assertThatThrownBy(() -> hosts.resolve("slow")).isInstanceOf(UnknownHostException.class);
        assertThat(hosts.failed("slow")).isTrue();
        assertThat(hosts.resolve("quick")).isEqualTo(LOOPBACK);
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(10));

        hanging.remove("slow").countDown();
        while (hosts.failed("slow")) { // its look-up ends now; bounded by the test's time
            try {
                assertThat(hosts.resolve("slow")).isEqualTo(LOOPBACK);
            } catch (UnknownHostException e) {
                Thread.onSpinWait();
            }
        }
    }

    @Test
    void whileALookUpHangsTheLastAnswerIsGiven() throws Exception {
        hosts.resolve("slow");
        hanging.put("slow", new CountDownLatch(1));
        assertThat(hosts.resolve("slow")).isEqualTo(LOOPBACK);
        assertThat(hosts.failed("slow")).isFalse();
    }
}
