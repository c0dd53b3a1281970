/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.cluster.reach;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.SslAuthenticationException;
import org.apache.kafka.common.metrics.Metrics;
import org.junit.jupiter.api.Test;

class BrokerPingTest {
    private static final long MS = 1_000_000;
    private static final Duration PERIOD = Duration.ofMillis(250);
    private static final Node ONE = new Node(1, "h", 1);
    private static final Node TWO = new Node(2, "h", 2);

    private record RoundTrip(int broker, long now, long nanos) {}

    private final FakeKafkaClient kafka = new FakeKafkaClient();
    private final List<RoundTrip> seen = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();
    private final RememberingResolver hosts = new RememberingResolver(host -> {
        throw new UnknownHostException(host);
    });
    private long now = 1_000 * MS;
    private final BrokerPing ping = new BrokerPing(
            kafka.client(),
            new Metrics(),
            PERIOD,
            1_000,
            new BrokerPing.Listener() {
                @Override
                public void roundTrip(int broker, long at, long nanos) {
                    seen.add(new RoundTrip(broker, at, nanos));
                }

                @Override
                public void failed(Node broker, long at, String reason) {
                    failures.add(broker.id() + ": " + reason);
                }
            },
            hosts,
            () -> now);

    @Test
    void aBrokerThatHangsDelaysNoOther() {
        for (int i = 0; i < 100; i++) { // 2 s in turns of 20 ms
            ping.turn(List.of(ONE, TWO), PERIOD);
            if (kafka.asked().contains("2")) {
                now += MS;
                kafka.answer(2, false);
                now -= MS;
            }
            now += 20 * MS;
        }

        assertThat(kafka.asked()).as("one in flight to the broker that hangs").containsExactly("1");
        assertThat(seen).hasSizeBetween(7, 8).allMatch(each -> each.broker() == 2);
        assertThat(seen).allMatch(each -> each.nanos() == MS);
    }

    @Test
    void aRequestThatBreaksOffIsNoRoundTripAndIsFollowedByAnother() {
        turnUntilAsked(ONE);
        kafka.answer(1, true);
        assertThat(seen).isEmpty();

        turnUntilAsked(ONE);
        now += 3 * MS;
        kafka.answer(1, false);

        assertThat(seen).containsExactly(new RoundTrip(1, now, 3 * MS));
    }

    @Test
    void waitsNoLongerThanUntilTheNextRequestIsDue() {
        turnUntilAsked(ONE);
        kafka.answer(1, false);
        now += 100 * MS;

        ping.turn(List.of(ONE), PERIOD);

        assertThat(kafka.polledForMs).isEqualTo(150);
    }

    @Test
    void aBrokerThatIsNotConnectedIsLookedAtAgainSoon() {
        kafka.notReady.add(1);
        now += PERIOD.toNanos();
        ping.turn(List.of(ONE), PERIOD);
        now += PERIOD.toNanos();
        ping.turn(List.of(ONE), PERIOD);

        assertThat(kafka.polledForMs).isEqualTo(20);
        assertThat(kafka.asked()).isEmpty();
    }

    @Test
    void aBrokerThatLeavesIsForgottenAndOneThatMovesIsConnectedToAnew() {
        turnUntilAsked(ONE);

        ping.turn(List.of(new Node(1, "elsewhere", 1)), PERIOD);
        assertThat(kafka.gone).containsExactly("1");

        ping.turn(List.of(TWO), PERIOD);
        assertThat(kafka.gone).containsExactly("1", "1");
    }

    @Test
    void aConnectionThatEndsSoonWasRefused() {
        connectInVain(30 * MS);
        assertThat(failures).containsExactly("1: the connection is refused or closed");
    }

    @Test
    void aConnectionThatEndsLaterWasNotAnswered() {
        connectInVain(9_400 * MS);
        assertThat(failures).containsExactly("1: no answer");
    }

    @Test
    void aBrokerThatRefusesWhoConnectsSaysWhy() {
        kafka.refusal = new SaslAuthenticationException("Authentication failed");
        connectInVain(30 * MS);
        assertThat(failures)
                .containsExactly("1: authentication fails: SaslAuthenticationException: Authentication failed");

        failures.clear();
        kafka.refusal = new SslAuthenticationException("SSL handshake failed");
        connectInVain(30 * MS);
        assertThat(failures)
                .containsExactly("1: the TLS handshake fails: SslAuthenticationException: SSL handshake failed");
    }

    @Test
    void aHostThatIsNotResolvedIsToldAtOnce() {
        kafka.notReady.add(1);
        kafka.failed.add(1);
        assertThatThrownBy(() -> hosts.resolve("h")).isInstanceOf(UnknownHostException.class);
        ping.turn(List.of(ONE), PERIOD);
        now += PERIOD.toNanos();
        ping.turn(List.of(ONE), PERIOD);

        assertThat(failures).containsExactly("1: unknown host");
    }

    @Test
    void aRequestThatIsNotAnsweredIsTold() {
        turnUntilAsked(ONE);
        now += 1_000 * MS;
        kafka.answer(1, true);

        assertThat(failures).containsExactly("1: no answer");
    }

    @Test
    void aConnectionThatIsLostIsTold() {
        turnUntilAsked(ONE);
        now += 10 * MS;
        kafka.answer(1, true);

        assertThat(failures).containsExactly("1: the connection is refused or closed");
    }

    private void connectInVain(long nanos) {
        kafka.notReady.add(1);
        kafka.failed.clear();
        ping.turn(List.of(ONE), PERIOD);
        now += PERIOD.toNanos();
        ping.turn(List.of(ONE), PERIOD);
        assertThat(failures).as("still connecting").isEmpty();
        now += nanos;
        kafka.failed.add(1);
        ping.turn(List.of(ONE), PERIOD);
        ping.turn(List.of(ONE), PERIOD);
    }

    private void turnUntilAsked(Node broker) {
        for (int i = 0; i < 100 && kafka.asked().isEmpty(); i++) {
            now += 10 * MS;
            ping.turn(List.of(broker), PERIOD);
        }
        assertThat(kafka.asked()).containsExactly(broker.idString());
    }
}
